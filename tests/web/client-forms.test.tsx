// What a client answered without a link of their own, on their page.
import type { SubmissionRow } from "@app/shared/submissions";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { UnlinkedAnswers } from "../../web/src/features/submissions/unlinked-answers.tsx";
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
