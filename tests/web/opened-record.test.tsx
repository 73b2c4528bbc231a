// What somebody does with a record that is open in a dialog, while a colleague saves the same one.
import type { Assessment } from "@app/shared/assessments";
import type { Task } from "@app/shared/tasks";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { AssessmentDialog } from "../../web/src/features/assessments/assessment-dialog.tsx";
import { StrikeDialog } from "../../web/src/features/assessments/strike-dialog.tsx";
import { EditTaskDialog } from "../../web/src/features/tasks/edit-task-dialog.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

const NOON = "2026-11-20T12:00:00.000Z";
const BEA = { partyId: "p1", name: "Bea Winslow" };
const RECORDED: Assessment = {
  id: "a1",
  caseId: "c1",
  partyId: "p1",
  status: "held",
  origin: "recorded",
  attendedOn: "2026-11-18",
  place: "video",
  where: "",
  minutes: 60,
  plannedMinutes: null,
  phoneReason: "",
  underAgeReason: "",
  hoursReason: "",
  shortReason: "",
  isBriefConfirmed: false,
  mediatorId: "u1",
  mediatorName: "Ines Marchbank",
  service: "",
  accreditationNumber: "",
  evidence: "",
  evidenceKind: "",
  otherPeople: "",
  company: "alone",
  withPartyIds: [],
  forms: ["mediation"],
  formsReason: "They want to talk",
  childInclusive: "explained",
  childInclusiveReason: "",
  signposting: "",
  riskAssessment: "done",
  riskReason: "",
  lacksRiskAssessment: false,
  meetingId: null,
  isWithheld: false,
  isComplete: true,
  isCertified: false,
  corrections: [],
  version: 2,
  createdAt: NOON,
};

const TASK: Task = {
  id: "t1",
  title: "Chase figures",
  dueOn: "2026-12-01",
  assigneeId: "u1",
  assigneeName: "Ines Marchbank",
  caseId: null,
  clientId: null,
  caseRef: "",
  clientName: "",
  status: "open",
  isSafety: false,
  version: 0,
  createdAt: NOON,
};

/** What the server has; changed here, a colleague changed it. */
let stored: Assessment;
let task: Task;
let secondsAway = 0;

const refusal = {
  error: { message: "Changed elsewhere.", code: -32009, data: { code: "CONFLICT", httpStatus: 409, isStale: true } },
};

function replyTo(path: string, sent: Partial<Assessment>): unknown {
  if (path === "auth.status") return { result: { data: STATUS } };
  if (path === "assessments.list") return { result: { data: { items: [stored] } } };
  if (path === "users.colleagues")
    return { result: { data: { items: [{ userId: "u1", name: "Ines Marchbank", role: 1, isAuthorised: true }] } } };
  if (path === "tasks.get") return { result: { data: task } };
  if (path === "tasks.update") return changedTask(sent.version, sent);
  if (sent.version !== stored.version) return refusal;
  const change: Partial<Assessment> = path === "assessments.strike" ? { status: "struck" } : sent;
  stored = { ...stored, ...change, version: stored.version + 1 };
  return { result: { data: stored } };
}

function changedTask(version: number | undefined, sent: object): unknown {
  if (version !== task.version) return refusal;
  task = { ...task, ...sent, version: task.version + 1 };
  return { result: { data: task } };
}

vi.stubGlobal("fetch", async (url: string, options?: { method?: string; body?: string }) => {
  const { pathname, searchParams } = new URL(String(url), "http://localhost");
  const paths = (pathname.split("/trpc/")[1] ?? "").split(",");
  const replies = paths.map((path) => replyTo(path, JSON.parse(options?.body ?? "{}")));
  const status = replies.includes(refusal) ? 409 : 200;
  return new Response(JSON.stringify(searchParams.has("batch") ? replies : replies[0]), { status });
});

beforeEach(() => {
  queryClient.clear();
  rememberSession(STATUS);
  secondsAway = 0;
  const realNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + secondsAway * 1000);
  stored = RECORDED;
  task = TASK;
});

const open = (part: ReactElement) =>
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{part}</QueryClientProvider>
    </api.Provider>,
  );

function useRecord(): Assessment | undefined {
  return api.assessments.list.useQuery({ caseId: "c1" }).data?.items[0];
}

const close = () => undefined;

function Correction() {
  const assessment = useRecord();
  return assessment ? (
    <AssessmentDialog caseId="c1" party={BEA} others={[]} assessment={assessment} onClose={close} />
  ) : null;
}

function Striking() {
  const assessment = useRecord();
  return assessment ? <StrikeDialog assessment={assessment} onClose={close} /> : null;
}

function ChangedTask() {
  const found = api.tasks.get.useQuery({ id: "t1" }).data;
  return found ? <EditTaskDialog task={found} onClose={close} /> : null;
}

/** A colleague saves it, and this window does not hear of it yet. */
const saveElsewhere = (change: Partial<Assessment>) => {
  stored = { ...stored, ...change, version: stored.version + 1 };
};

/** This window comes to the front again after a while, and reads anew. */
async function comeBack() {
  secondsAway += 60;
  window.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
}

const type = async (label: string | RegExp, text: string) => {
  const input = await screen.findByRole("textbox", { name: label });
  await userEvent.clear(input);
  // At once: the form is large, and is drawn anew for each key.
  await userEvent.paste(text);
};
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

test("a MIAM that is corrected: a colleague's words came meanwhile and were read anew, when one press saves, theirs stay", async () => {
  open(<Correction />);
  await type("Where (optional)", "From her office");
  await type(/Why is it corrected/, "The place was missing");
  saveElsewhere({ signposting: "Women's Aid" });
  await comeBack();
  await screen.findByText(/This record was changed elsewhere while you were editing: Signposted to/);
  await press("Save the correction");
  await waitFor(() => expect(stored).toMatchObject({ where: "From her office", version: 4 }));
  expect(stored.signposting).toBe("Women's Aid");
});

test("a MIAM that is corrected: a colleague's words came meanwhile and were not read, when one press saves, theirs stay", async () => {
  open(<Correction />);
  await type("Where (optional)", "From her office");
  await type(/Why is it corrected/, "The place was missing");
  saveElsewhere({ signposting: "Women's Aid" });
  await press("Save the correction");
  await waitFor(() => expect(stored).toMatchObject({ where: "From her office", version: 4 }));
  expect(stored.signposting).toBe("Women's Aid");
});

test("a MIAM that is corrected: both wrote the same field, when it is saved again and again, nothing is stored until one is chosen", async () => {
  open(<Correction />);
  await type(/Signposted to/, "A refuge");
  await type(/Why is it corrected/, "It was missing");
  saveElsewhere({ signposting: "Women's Aid" });
  await press("Save the correction");
  const question = await screen.findByRole("dialog", { name: /changed this record|This record was changed/ });
  await userEvent.click(within(question).getByRole("button", { name: "Back to editing" }));
  await press("Save the correction");
  expect(stored).toMatchObject({ signposting: "Women's Aid", version: 3 });
  await userEvent.click(await screen.findByRole("radio", { name: /yours, A refuge/ }));
  await press("Save this choice");
  await waitFor(() => expect(stored).toMatchObject({ signposting: "A refuge", version: 4 }));
});

test("a record that is struck: it was corrected meanwhile and read anew, when it is pressed, nothing is sent until whoever strikes it saw that", async () => {
  open(<Striking />);
  await type(/Why was it recorded in error/, "They did not come");
  saveElsewhere({ attendedOn: "2026-11-19" });
  await comeBack();
  await screen.findByText("Day: it was 2026-11-18, now it is 2026-11-19.");
  await press("Strike the record");
  await screen.findByText(/Look at what was changed first/);
  expect(stored).toMatchObject({ status: "held", version: 3 });
  await press("Go on from there");
  await press("Strike the record");
  await waitFor(() => expect(stored).toMatchObject({ status: "struck", version: 4 }));
});

test("a record that is struck: it was corrected meanwhile and not read, when it is pressed twice, the second press sends nothing either", async () => {
  open(<Striking />);
  await type(/Why was it recorded in error/, "They did not come");
  saveElsewhere({ attendedOn: "2026-11-19" });
  await press("Strike the record");
  await screen.findByText("Day: it was 2026-11-18, now it is 2026-11-19.");
  await press("Strike the record");
  await screen.findByText(/Look at what was changed first/);
  expect(stored).toMatchObject({ status: "held", version: 3 });
});

test("a task that is reworded: a colleague gave it another day meanwhile, when it is saved, both stand", async () => {
  open(<ChangedTask />);
  await type("What is to be done?", "Ask the bank");
  task = { ...task, dueOn: "2026-12-24", version: 1 };
  await press("Save the task");
  await waitFor(() => expect(task).toMatchObject({ title: "Ask the bank", dueOn: "2026-12-24", version: 2 }));
});

test("a task that is reworded: a colleague reworded it meanwhile, when it is saved, nothing is stored until one is chosen", async () => {
  open(<ChangedTask />);
  await type("What is to be done?", "Ask the bank");
  task = { ...task, title: "Ask the court", version: 1 };
  await press("Save the task");
  await userEvent.click(await screen.findByRole("radio", { name: /yours, Ask the bank/ }));
  expect(task).toMatchObject({ title: "Ask the court", version: 1 });
  await press("Save this choice");
  await waitFor(() => expect(task).toMatchObject({ title: "Ask the bank", version: 2 }));
});
