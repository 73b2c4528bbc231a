import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { EntryDialog } from "../../web/src/features/safeguarding/entry-dialog.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

/** The dialog of a new entry, where this is the nominated officer, for somebody of this role. */
function openDialog(userId: string | null, role: 1 | 2, mayRead = userId !== null) {
  vi.stubGlobal("fetch", async (url: string) => {
    const data = url.includes("safeguarding.officer") ? { userId, name: "", mayRead, named: [] } : { items: [] };
    return new Response(JSON.stringify({ result: { data } }));
  });
  queryClient.clear();
  rememberSession({ ...STATUS, user: { ...STATUS.user, role } });
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <EntryDialog caseId="c1" list={{ refetch: async () => ({ data: { items: [] } }) }} onClose={() => {}} />
      </QueryClientProvider>
    </api.Provider>,
  );
  fireEvent.click(screen.getByText("Suspicious activity (proceeds of crime)"));
}

const YET = /Your practice has no nominated officer yet/;

test("a suspicion: where nobody is the nominated officer, the owner is told so and asked who it is, and nobody is chosen", async () => {
  openDialog(null, 1);
  await screen.findByText(YET);
  expect(screen.getByText("Only you can read this")).toBeTruthy();
  expect(screen.getByLabelText("Nominated officer")).toHaveProperty("value", "");
});

test("a suspicion: where nobody is the nominated officer, others are told whom to ask, and not to say why", async () => {
  openDialog(null, 2);
  await screen.findByText(/Ask the practice’s owner who the nominated officer is to be, and do not say why/);
  expect(screen.queryByLabelText("Nominated officer")).toBeNull();
});

test("a suspicion: where somebody is the nominated officer, nothing is asked", async () => {
  openDialog("u9", 1);
  await screen.findByText("Only you and the nominated officer can read this");
  expect(screen.queryByText(YET)).toBeNull();
});

test("a suspicion: where the nominated officer may not read it any more, its author is told that they alone can", async () => {
  openDialog("u9", 2, false);
  await screen.findByText(YET);
  expect(screen.getByText("Only you can read this")).toBeTruthy();
});
