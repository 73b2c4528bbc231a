// What is offered to be recorded of an offer is what may become of it, also after its session was locked.
import { PROPOSAL_STATUSES, PROPOSAL_TRANSITIONS } from "@app/shared/session-states";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { CockpitContext } from "../../web/src/features/sessions/cockpit-context.ts";
import { ProposalRow } from "../../web/src/features/sessions/proposal-row.tsx";
import { useSessionChanges } from "../../web/src/features/sessions/use-session-changes.ts";
import { draw } from "./page.tsx";
import { A_CASE, A_PROPOSAL, A_SESSION } from "./sessions.ts";
import { STATUS } from "./signed-in.ts";

const WAYS = {
  countered: "Add a counter-proposal",
  agreed_in_principle: "Accepted in principle",
  offered: "Offered again",
  withdrawn: "Withdrawn",
};

function Cockpit({ status }: { status: keyof typeof WAYS }) {
  const { session, change } = useSessionChanges(A_SESSION);
  const cockpit = { session, theCase: A_CASE, change, mayWrite: true, isOpen: false, show: () => undefined };
  return (
    <CockpitContext value={cockpit}>
      <ProposalRow proposal={{ ...A_PROPOSAL, status }} onAnswer={() => undefined} />
    </CockpitContext>
  );
}

test.each(PROPOSAL_STATUSES)("an offer that is %s: its menu has each way on from there, and no other", (status) => {
  rememberSession(STATUS);
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Cockpit status={status} />
      </QueryClientProvider>
    </api.Provider>,
  );
  const opener = screen.queryByRole("button", { name: /^What happens with/ });
  if (opener) fireEvent.click(opener);
  const items = screen.queryAllByRole("menuitem").map(({ textContent }) => textContent);
  const ways = PROPOSAL_TRANSITIONS[status].map((to) => WAYS[to]);
  const mistaken = status === "agreed_in_principle" ? ["Noted as accepted by mistake"] : [];
  expect(new Set(items)).toEqual(new Set([...ways, ...mistaken]));
});
