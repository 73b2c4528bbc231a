// What is asked of somebody in a case: nothing that only the living say.
import type { Case } from "@app/shared/cases";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { PartyDialog } from "../../web/src/features/casework/party-dialog.tsx";
import { draw } from "./page.tsx";
import { A_PARTY } from "./parties.ts";
import { A_CASE } from "./sessions.ts";
import { STATUS } from "./signed-in.ts";

function open(status: "invited" | "died") {
  const party = { ...A_PARTY, role: "initiator" as const, status };
  const theCase: Case = { ...A_CASE, status: "intake", parties: [party, ...A_CASE.parties.slice(1)] };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ result: { data: { items: [] } } })));
  queryClient.clear();
  rememberSession(STATUS);
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <PartyDialog
          theCase={theCase}
          party={party}
          reached={null}
          onOpen={() => undefined}
          onClose={() => undefined}
        />
      </QueryClientProvider>
    </api.Provider>,
  );
}

const ASKED = ["Does Bea Winslow agree that the others are contacted?", "Consented to mediation on"];

test("a party: whether the others are contacted, and since when they consent, is asked of the living only", () => {
  open("died");
  expect(screen.getByLabelText("Role")).toBeTruthy();
  for (const words of ASKED) expect(screen.queryByText(words)).toBeNull();
});

test("a party who lives is asked both", () => {
  open("invited");
  for (const words of ASKED) expect(screen.getByText(words)).toBeTruthy();
});
