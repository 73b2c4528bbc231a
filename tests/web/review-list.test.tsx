// Deciding on what answers propose: by the keyboard, and beside a colleague.
import type { Proposal, Submission } from "@app/shared/submissions";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { ReviewList } from "../../web/src/features/submissions/review-list.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

const NOON = "2026-11-20T12:00:00.000Z";
const proposal = (fieldId: string, more: Partial<Proposal> = {}): Proposal => ({
  fieldId,
  target: "client.needs",
  targetName: fieldId,
  before: "",
  after: "A ramp",
  isForFew: false,
  decision: "pending",
  byName: "",
  at: null,
  ...more,
});
const SAFETY = proposal("email allowed", { target: "client.mayEmail", before: "Yes", after: "No" });
const ANSWERED: Submission = {
  id: "s1",
  formId: "f1",
  formName: "Walk",
  kind: "questionnaire",
  status: "submitted",
  clientId: "c1",
  clientName: "Una File",
  caseId: null,
  partyId: null,
  isSuspect: false,
  flags: [],
  startedAt: NOON,
  submittedAt: NOON,
  version: 1,
  pages: [],
  proposals: [SAFETY, proposal("known as"), proposal("needs"), proposal("town")],
  hiddenCount: 0,
  clientVersion: 1,
  formNumber: 1,
  isAssignable: false,
};
const decidedIn = (fieldId: string, decision: "accepted" | "rejected", byName: string): Submission => ({
  ...ANSWERED,
  version: 2,
  proposals: ANSWERED.proposals.map((one) => (one.fieldId === fieldId ? { ...one, decision, byName, at: NOON } : one)),
});

let stored = ANSWERED;
const asked = vi.fn<typeof fetch>();
vi.stubGlobal("fetch", asked);
beforeEach(() => {
  stored = ANSWERED;
  queryClient.clear();
  rememberSession(STATUS);
});

const data = (value: unknown) => new Response(JSON.stringify({ result: { data: value } }));
const stale = () =>
  new Response(
    JSON.stringify({
      error: { message: "Changed elsewhere.", code: -32009, data: { code: "CONFLICT", isStale: true } },
    }),
    { status: 409 },
  );

function Shown() {
  const { data: shown } = api.submissions.get.useQuery({ id: "s1" }, { initialData: stored, staleTime: Infinity });
  return <ReviewList submission={shown} mayChange />;
}

const drawList = () =>
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Shown />
      </QueryClientProvider>
    </api.Provider>,
  );

const answers = (decide: () => Response) =>
  asked.mockImplementation(async (input) => {
    const address = input instanceof Request ? input.url : String(input);
    return address.includes("submissions.decide")
      ? decide()
      : new Response(JSON.stringify([{ result: { data: stored } }]));
  });

test("a proposal: once it was decided by the keyboard, the next row has the focus, and Enter once more decides nothing", async () => {
  let decisions = 0;
  answers(() => {
    decisions += 1;
    stored = decidedIn("known as", "accepted", "Ines Marchbank");
    return data(stored);
  });
  drawList();
  screen.getByRole("button", { name: "Accept: known as" }).focus();
  await userEvent.keyboard("{Enter}");
  await screen.findByText(/^Accepted by Ines Marchbank/);
  await waitFor(() => expect(document.activeElement?.tagName).toBe("LI"));
  expect(document.activeElement?.textContent).toContain("Needs");
  await userEvent.keyboard("{Enter}");
  expect(decisions).toBe(1);
});

test("a proposal: where a colleague accepted it meanwhile, it is said that it was not rejected, until that is closed", async () => {
  answers(() => {
    stored = decidedIn("needs", "accepted", "Anna Quill");
    return stale();
  });
  drawList();
  await userEvent.click(screen.getByRole("button", { name: "Reject: needs" }));
  await screen.findByText(/^Accepted by Anna Quill/);
  expect(screen.getByRole("alert").textContent).toContain(
    "Needs: Anna Quill accepted this a moment ago, so it was not rejected. Change it on the client if it is not right.",
  );
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a proposal: in editing, Cancel goes back to what was proposed", async () => {
  drawList();
  await userEvent.click(screen.getByRole("button", { name: "Edit: needs" }));
  await userEvent.type(screen.getByRole("textbox"), " and a loop");
  await userEvent.click(screen.getByRole("button", { name: "Cancel: needs" }));
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getByRole("button", { name: "Accept: needs" })).toBeTruthy();
});

test("a proposal: of an answer that only some may read, who will read it is said before it is accepted, and of no other", async () => {
  stored = { ...ANSWERED, proposals: [proposal("needs", { isForFew: true }), proposal("town")] };
  drawList();
  const words = screen.getAllByText(/^Only some of your colleagues may read this answer\. If you accept it/);
  expect(words.map((one) => one.closest("li")?.textContent)).toEqual([expect.stringContaining("Needs")]);
});
