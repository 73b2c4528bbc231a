import type { Screening } from "@app/shared/screenings";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { ConfirmScreening } from "../../web/src/features/screenings/confirm-screening.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

const FOUND: Screening = {
  id: "s1",
  caseId: "c1",
  partyId: "p1",
  toolVersion: "2026-11-family",
  lookedAt: [],
  heldOn: "2026-11-20",
  channel: "phone",
  company: "nobody",
  supporter: null,
  answers: [],
  risk: null,
  measures: [],
  suitable: "yes",
  reasons: "She would rather not make a fuss of it",
  signposted: [],
  referral: null,
  consulted: null,
  score: null,
  status: "completed",
  struck: null,
  completedAt: "2026-11-20T10:00:00.000Z",
  completedByName: "Cara Lindqvist",
  judgement: "needed",
  confirmed: null,
};

/** What stands beside the record, for somebody of this role. */
function show(screening: Screening, role: 1 | 3 = 1) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: string, { body }: { body?: string } = {}) => {
    if (body) sent.push(JSON.parse(body));
    return new Response(JSON.stringify({ result: { data: { ...FOUND, judgement: "given" } } }));
  });
  rememberSession({ ...STATUS, user: { ...STATUS.user, role } });
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <ConfirmScreening screening={screening} name="Priya Nandakumar" mayChange />
      </QueryClientProvider>
    </api.Provider>,
  );
  return sent;
}
const CONFIRM = "I have read it, and confirm it";

test("a screening with a told risk that a caseworker found suitable: a mediator is told what waits, and confirms it by one act", async () => {
  const sent = show(FOUND);
  screen.getByText(/^Cara Lindqvist, who does not mediate, held it, and Priya Nandakumar told of a risk/);
  fireEvent.click(screen.getByText(CONFIRM));
  await waitFor(() => expect(sent).toEqual([{ id: "s1" }]));
});

test("the same, read by a caseworker: they are told what waits, and cannot confirm it", () => {
  show(FOUND, 3);
  screen.getByText("No mediator has confirmed this");
  expect(screen.queryByText(CONFIRM)).toBeNull();
});

test("a screening that a mediator judged, or that was struck: nothing waits", () => {
  show({ ...FOUND, judgement: "given" });
  show({ ...FOUND, struck: { at: FOUND.completedAt, byName: "Ines Marchbank", reason: "Of another person" } });
  expect(screen.queryByText("No mediator has confirmed this")).toBeNull();
});
