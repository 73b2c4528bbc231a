// What became of an offer after its session was locked: what is refused stands at its field, and goes with the next try.
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { AnswerDialog } from "../../web/src/features/sessions/answer-dialog.tsx";
import { CockpitContext } from "../../web/src/features/sessions/cockpit-context.ts";
import { useSessionChanges } from "../../web/src/features/sessions/use-session-changes.ts";
import { draw } from "./page.tsx";
import { A_CASE, A_PROPOSAL, A_SESSION } from "./sessions.ts";
import { STATUS } from "./signed-in.ts";

const OWN = "Nobody accepts their own offer. Choose who accepted it.";
const refusal = {
  error: {
    code: -32_600,
    message: OWN,
    data: { code: "BAD_REQUEST", httpStatus: 400, fieldErrors: { byPartyId: OWN } },
  },
};

function Cockpit({ onClose }: { onClose: () => void }) {
  const { session, change } = useSessionChanges(A_SESSION);
  return (
    <CockpitContext value={{ session, theCase: A_CASE, change, mayWrite: true, isOpen: false, show: () => undefined }}>
      <AnswerDialog proposal={A_PROPOSAL} to="agreed_in_principle" onClose={onClose} />
    </CockpitContext>
  );
}

test("an answer after the lock: what is missing or refused stands at its field, and nothing of it when it is taken", async () => {
  const answers: object[] = [refusal, { result: { data: { ...A_SESSION, version: 1 } } }];
  vi.stubGlobal("fetch", async () => {
    const answer = answers.shift() ?? {};
    return new Response(JSON.stringify(answer), { status: "error" in answer ? 400 : 200 });
  });
  queryClient.clear();
  rememberSession(STATUS);
  const onClose = vi.fn<() => void>();
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Cockpit onClose={onClose} />
      </QueryClientProvider>
    </api.Provider>,
  );
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  fireEvent.click(screen.getByText("Record the answer"));
  await screen.findByText("Choose who said so");
  expect(screen.getByText("Enter the day on which it was said")).toBeTruthy();
  const who = screen.getByRole("radiogroup", { name: "Who said so" });
  expect(document.activeElement).toBe(who);

  fireEvent.click(screen.getByText("P1 Bea"));
  fireEvent.change(screen.getByLabelText("On which day"), { target: { value: "2026-11-21" } });
  expect(screen.queryByText("Choose who said so")).toBeNull();
  fireEvent.click(screen.getByText("Record the answer"));
  await screen.findByText(OWN);
  expect(screen.getByRole("radiogroup", { name: "Who said so" }).getAttribute("aria-invalid")).toBe("true");
  expect(document.querySelector(".mantine-Notification-root")).toBeNull();
  expect(onClose).not.toHaveBeenCalled();

  fireEvent.click(screen.getByText("P2 Tom"));
  expect(screen.queryByText(OWN)).toBeNull();
  fireEvent.click(screen.getByText("Record the answer"));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});
