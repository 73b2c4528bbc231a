// A form that is open on two screens, as one of them sees what happens on the other.
import { ROW_ID } from "@app/shared/form-rows";
import type { OpenedForm, SaveAnswers, SavedAnswers } from "@app/shared/submissions";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { FillIn } from "../../../web/src/features/submissions/fill-in.tsx";
import { aFormContent, aFormPage, aGroup, aShortText } from "../../support/server/forms.ts";
import { PublicFormPage } from "../../../web/src/features/submissions/public-form-page.tsx";
import { draw } from "../page.tsx";

vi.stubGlobal("scrollTo", () => undefined);
const place = { formId: "f".repeat(22), userId: "u".repeat(43) };
const content = aFormContent([
  aFormPage("first", [
    aShortText("town", { label: "Town" }),
    { ...aGroup("homes", [aShortText("road", { label: "Road" })]), label: "Homes", rowLabel: "Home" },
  ]),
]);
const opened: OpenedForm = {
  practiceName: "Quillfeather",
  content,
  number: 1,
  formToken: "token",
  answers: { town: "Hull", homes: [{ [ROW_ID]: "a", road: "Long Lane" }] },
  revision: 3,
  pageId: "first",
  isSent: false,
  isClosed: false,
  needsOwnLink: false,
  emergencyNumber: "999",
  leadsBack: true,
  redirectUrl: "",
  isEnquiry: false,
  mailsTo: "none",
  expiresAt: null,
};

/** What the server answers to each procedure, by its last word. */
let answers: Record<string, (input: SaveAnswers) => unknown>;
let asked: { name: string; input: SaveAnswers }[];
const saved = (more: Partial<SavedAnswers> = {}): SavedAnswers => ({ revision: 4, newer: {}, resumeId: null, ...more });
const refused = (code: string) => ({ isRefused: true, code });
beforeEach(() => {
  asked = [];
  answers = { save: () => saved(), open: () => opened };
  vi.stubGlobal("fetch", async (address: string, { body }: { body: string }) => {
    const name = new URL(address, "http://localhost").pathname.split(".").at(-1) ?? "";
    const input: SaveAnswers = JSON.parse(body);
    asked.push({ name, input });
    const data = answers[name]?.(input);
    if (typeof data === "object" && data !== null && "isRefused" in data && "code" in data)
      return Response.json(
        { error: { message: "This was sent in already.", code: -32_000, data: { code: data.code } } },
        { status: 412 },
      );
    return Response.json({ result: { data } });
  });
});

const show = () => draw(<FillIn opened={opened} place={place} />);
const becomeVisible = () => fireEvent(document, new Event("visibilitychange"));
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(new RegExp(`^${label}`)), { target: { value: text } });

test("a form: what was answered on another screen, when an idle page becomes visible again, stands there", async () => {
  answers["open"] = () => ({ ...opened, revision: 5, answers: { ...opened.answers, town: "York" } });
  show();
  becomeVisible();
  await screen.findByDisplayValue("York");
});

test("a form: what is typed and not saved yet, when the page becomes visible again, is saved and not thrown away", async () => {
  answers["save"] = () => saved({ newer: { homes: [{ [ROW_ID]: "b", road: "Desk Road" }] } });
  show();
  type("Town", "Leeds");
  becomeVisible();
  await screen.findByDisplayValue("Desk Road");
  screen.getByDisplayValue("Leeds");
  expect(asked.map(({ name }) => name)).toEqual(["save"]);
  expect(asked[0]?.input.changes).toMatchObject([{ fieldId: "town", answer: "Leeds" }]);
});

test("a form: a row that is added, when it is saved, is told of by its id and with nothing else", async () => {
  show();
  fireEvent.click(await screen.findByRole("button", { name: /Add another/ }));
  becomeVisible();
  await waitFor(() => expect(asked).toHaveLength(1));
  const [change] = asked[0]?.input.changes ?? [];
  expect(change).toMatchObject({ fieldId: "homes", rows: [{ part: null }] });
  expect(change?.rows?.[0]?.rowId).toMatch(/^[\d-]+$/);
});

test("a form: a row that was taken out here, when it was answered in elsewhere since, is back once and offers no undo", async () => {
  answers["save"] = () => saved({ newer: { homes: [{ [ROW_ID]: "a", road: "Longer Lane" }] } });
  show();
  fireEvent.click(await screen.findByRole("button", { name: "Take out Home 1" }));
  screen.getByRole("button", { name: /Undo/ });
  becomeVisible();
  await screen.findByDisplayValue("Longer Lane");
  expect(screen.queryByRole("button", { name: /Undo/ })).toBeNull();
});

test("a form: one that was sent on another screen, when a save is refused, says so alone and gives what was typed to copy", async () => {
  answers["save"] = () => refused("PRECONDITION_FAILED");
  answers["open"] = () => ({ ...opened, answers: {}, isSent: true });
  show();
  type("Town", "Leeds");
  becomeVisible();
  await screen.findByRole("heading", { name: "This was sent already" });
  screen.getByDisplayValue("Town: Leeds");
  expect(screen.queryByRole("button", { name: "Continue" })).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a form: what was typed just before a reload, when it arrives after the page asked, is what the page shows", async () => {
  const { unmount } = show();
  type("Town", "Leeds");
  fireEvent(window, new Event("pagehide"));
  unmount();
  expect(asked.map(({ name }) => name)).toEqual(["save"]);
  let times = 0;
  answers["open"] = () =>
    (times += 1) < 3 ? opened : { ...opened, revision: 4, answers: { ...opened.answers, town: "Leeds" } };
  draw(<PublicFormPage {...place} />);
  await screen.findByDisplayValue("Leeds");
  expect(times).toBe(3);
});

test("a form: what came from another screen while all is checked, when it is sent, is shown first and goes out with the next press", async () => {
  answers["save"] = () => saved({ newer: { town: "York" } });
  answers["submit"] = () => ({ state: "sent", at: "2026-11-30T10:00:00.000Z", receipt: null });
  draw(<FillIn opened={{ ...opened, pageId: null }} place={place} />);
  fireEvent.click(await screen.findByRole("button", { name: "Send" }));
  await screen.findByText(/Something was answered on another screen/);
  screen.getByText("York");
  expect(asked.map(({ name }) => name)).not.toContain("submit");
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByText(/Your answers have arrived/);
});

test("a form: safety questions by the general address, when they are opened, are closed with a kind word", async () => {
  answers["open"] = () => ({ ...opened, revision: 0, answers: {}, needsOwnLink: true });
  draw(<PublicFormPage {...place} />);
  await screen.findByRole("heading", { name: "Please talk to us first" });
  screen.getByText(/phone Quillfeather/);
  screen.getByText("If you are in danger now, call 999.");
  expect(screen.queryByRole("button", { name: "Continue" })).toBeNull();
});

const twoHomes = {
  ...opened,
  answers: {
    homes: [
      { [ROW_ID]: "a", road: "Long Lane" },
      { [ROW_ID]: "b", road: "Desk Road" },
    ],
  },
};

test("a repeat group: a row that is taken out by a double tap, when it is missed, is the only one that went and comes back", async () => {
  const later = vi.spyOn(performance, "now");
  draw(<FillIn opened={twoHomes} place={place} />);
  later.mockReturnValue(10_000);
  fireEvent.click(await screen.findByRole("button", { name: "Take out Home 1" }));
  later.mockReturnValue(10_200);
  fireEvent.click(screen.getByRole("button", { name: "Take out Home 1" }));
  screen.getByText("Home 1 was taken out.");
  screen.getByDisplayValue("Desk Road");
  const undo = screen.getByRole("button", { name: /Undo/ });
  await waitFor(() => expect(document.activeElement).toBe(undo));
  later.mockReturnValue(11_000);
  fireEvent.click(undo);
  expect(screen.getAllByLabelText(/^Road/).map((box) => box.getAttribute("value"))).toEqual(["Long Lane", "Desk Road"]);
  later.mockRestore();
});

test("a repeat group: the only row of one that is needed, when it is taken out and comes back, stands there alone", async () => {
  const later = vi.spyOn(performance, "now");
  const needed = { ...aGroup("homes", [aShortText("road", { label: "Road" })]), atLeast: 1 };
  const content = aFormContent([aFormPage("first", [needed])]);
  later.mockReturnValue(10_000);
  draw(<FillIn opened={{ ...opened, content, answers: {} }} place={place} />);
  fireEvent.change(await screen.findByLabelText(/^Road/), { target: { value: "Long Lane" } });
  fireEvent.click(screen.getByRole("button", { name: "Take out Row 1" }));
  later.mockReturnValue(12_000);
  fireEvent.click(screen.getByRole("button", { name: /Undo/ }));
  expect(screen.getAllByLabelText(/^Road/).map((box) => box.getAttribute("value"))).toEqual(["Long Lane"]);
  later.mockRestore();
});

test("a repeat group: at its most it says so, and with one needed it begins with its questions", async () => {
  const few = { ...aGroup("homes", [aShortText("road", { label: "Road" })]), atLeast: 1, atMost: 2 };
  const short = aFormContent([aFormPage("first", [few])]);
  draw(<FillIn opened={{ ...opened, content: short, answers: {} }} place={place} />);
  await screen.findByLabelText(/^Road/);
  fireEvent.click(screen.getByRole("button", { name: /Add another/ }));
  await screen.findByText("That is all that fits here: 2 at most.");
  expect(screen.getAllByLabelText(/^Road/)).toHaveLength(2);
  expect(screen.getByRole("group", { name: few.label })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /^(Continue|Check)/ }));
  expect(await screen.findAllByText(/Add at least one/)).not.toHaveLength(0);
});

test("the check page: a signature that was drawn stands there as it was drawn", async () => {
  const signed = { id: "sign", type: "signature", text: "This is true." } as const;
  const { maxLength: _none, ...asked } = aShortText("sign", { label: "Sign here" });
  const content = aFormContent([aFormPage("first", [{ ...asked, ...signed }])]);
  const sign = { name: "", strokes: [[1, 2, 200, 290, 600, 40]] };
  draw(<FillIn opened={{ ...opened, content, answers: { sign }, pageId: null }} place={place} />);
  await screen.findByRole("heading", { name: "Check your answers" });
  const drawn = screen.getByRole("img", { name: "The signature as it was drawn" });
  expect(drawn.querySelector("path")?.getAttribute("d")).toBe("M1 2L200 290L600 40");
});
