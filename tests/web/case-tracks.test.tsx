// What both sides do together, as the case says it below their ways.
import type { PartyStatus } from "@app/shared/case-states";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { CaseTracks } from "../../web/src/features/casework/case-tracks.tsx";
import { draw } from "./page.tsx";
import { A_PARTY } from "./parties.ts";
import { A_CASE } from "./sessions.ts";
import { STATUS } from "./signed-in.ts";

test.each<[PartyStatus, string]>([
  ["suitable", "First session, when all have signed"],
  ["miam_attended", "First session, when all are found suitable and have signed"],
  ["not_suitable", "There is no joint work: fewer than two sides take part"],
  ["died", "There is no joint work: fewer than two sides take part"],
])("together, where one of two is %s: “%s”", (status, words) => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ result: { data: { items: [] } } })));
  queryClient.clear();
  rememberSession(STATUS);
  const parties = [
    { ...A_PARTY, status },
    { ...A_PARTY, partyId: "p2", clientId: "c2", label: "P2", status: "suitable" as const },
  ];
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <CaseTracks theCase={{ ...A_CASE, status: "assessing", parties }} mayChange={false} />
      </QueryClientProvider>
    </api.Provider>,
  );
  expect(screen.getByText(words)).toBeTruthy();
});
