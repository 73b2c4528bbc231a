// What a client answered without a link of their own, on their page.
import type { Submission, SubmissionRow } from "@app/shared/submissions";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { UnlinkedAnswers } from "../../web/src/features/submissions/unlinked-answers.tsx";
import { WhoseAnswers } from "../../web/src/features/submissions/whose-answers.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

const NOON = "2026-11-20T12:00:00.000Z";
const ROW: SubmissionRow = {
  id: "s1",
  formId: "f1",
  formName: "Enquiry",
  kind: "lead",
  status: "submitted",
  clientId: "c1",
  clientName: "Kemi Ade",
  caseId: null,
  partyId: null,
  isSuspect: false,
  flags: ["Worried about safety"],
  startedAt: NOON,
  submittedAt: NOON,
  version: 1,
};

test("the forms of a client: what they answered by a general link shows what in it is marked", async () => {
  rememberSession(STATUS);
  const list = { items: [{ ...ROW, cells: [] }], columns: [], total: 1, isTotalExact: true };
  vi.stubGlobal("fetch", async () => Response.json([{ result: { data: list } }]));
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <UnlinkedAnswers clientId="c1" onOpen={() => undefined} />
      </QueryClientProvider>
    </api.Provider>,
  );
  await screen.findByText("Enquiry");
  screen.getByText("Worried about safety");
});

test("answers by a general link: once they are withdrawn, they are offered to no other client", () => {
  rememberSession(STATUS);
  const submission: Submission = {
    ...ROW,
    clientId: null,
    status: "withdrawn",
    pages: [],
    proposals: [],
    hiddenCount: 0,
    clientVersion: null,
    formNumber: 1,
    isAssignable: true,
  };
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <WhoseAnswers submission={submission} />
      </QueryClientProvider>
    </api.Provider>,
  );
  expect(screen.getByText(/given to nobody any more/)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
