// Entries of the safeguarding record whose case is gone, as whoever may read them meets them below the clients.
import type { SafeguardingEntry } from "@app/shared/safeguarding";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { RemovedCases } from "../../web/src/features/safeguarding/removed-cases.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

const ENTRY: SafeguardingEntry = {
  id: "e1",
  caseId: "c1",
  kind: "concern",
  version: 0,
  state: "kept",
  opened: null,
  latest: {
    personAtRisk: "Her daughter, 7",
    concern: "Bruises on both arms",
    immediacy: "soon",
    consulted: { isConsulted: true, who: "Ruth Amsel", on: "2026-01-05", whyNot: "" },
    told: [{ agency: "Children’s services", on: "2026-01-05", reference: "CS-1" }],
    whyNobodyTold: "",
    clientTold: "told",
    clientWords: "That we have to tell them",
    why: "",
    at: "2026-11-20T12:00:00.000Z",
    byName: "Ines Marchbank",
  },
  earlierCount: 0,
  removedCase: { caseRef: "M-7", parties: [{ partyId: "p1", label: "P1", name: "Bea Winslow" }] },
};

let stored: SafeguardingEntry[] = [];
let sent: unknown[] = [];

const refusal = {
  error: { message: "Changed elsewhere.", code: -32009, data: { code: "CONFLICT", httpStatus: 409, isStale: true } },
};

function replyTo(path: string, body: { version?: number; concern?: string }): unknown {
  if (path === "auth.status") return { result: { data: STATUS } };
  if (path === "safeguarding.listOfRemoved")
    return { result: { data: { items: stored, total: stored.length, isTotalExact: true } } };
  if (path !== "safeguarding.amend") throw new Error(`nobody asks for ${path} here`);
  const [entry = ENTRY] = stored;
  if (body.version !== entry.version) return refusal;
  sent.push(body);
  return { result: { data: entry } };
}

vi.stubGlobal("fetch", async (url: string, options?: { body?: string }) => {
  const { pathname, searchParams } = new URL(String(url), "http://localhost");
  const paths = (pathname.split("/trpc/")[1] ?? "").split(",");
  const replies = paths.map((path) => replyTo(path, JSON.parse(options?.body ?? "{}")));
  const status = replies.includes(refusal) ? 409 : 200;
  return new Response(JSON.stringify(searchParams.has("batch") ? replies : replies[0]), { status });
});

beforeEach(() => {
  queryClient.clear();
  rememberSession(STATUS);
  stored = [];
  sent = [];
});

const page = (
  <api.Provider client={cachingClient} queryClient={queryClient}>
    <QueryClientProvider client={queryClient}>
      <RemovedCases />
    </QueryClientProvider>
  </api.Provider>
);

async function open(): Promise<void> {
  draw(page);
  await userEvent.click(screen.getByText("Safeguarding record of removed cases"));
}

test("entries of removed cases: until somebody opens them nothing is read, and where there are none it says so", async () => {
  draw(page);
  expect(queryClient.isFetching()).toBe(0);
  await userEvent.click(screen.getByText("Safeguarding record of removed cases"));
  await screen.findByText("Nothing is recorded that you may read.");
});

test("an entry of a removed case: when it is shown, it says of which case and of whom it was, and why that is gone", async () => {
  stored = [ENTRY];
  await open();
  await screen.findByText("Case M-7: Bea Winslow (P1). The case was removed when an import was undone.");
});

test("an entry of a removed case: a colleague amended it meanwhile, when it is amended, both wordings stand", async () => {
  stored = [ENTRY];
  await open();
  await userEvent.click(await screen.findByRole("button", { name: /^Amend the entry/ }));
  const input = await screen.findByRole("textbox", { name: /^The concern/ });
  await userEvent.clear(input);
  await userEvent.paste("Said more");
  const question = screen.getByRole("radiogroup", { name: /another agency told since/ });
  await userEvent.click(within(question).getByRole("radio", { name: "No" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Why it is amended" }), "They rang back");
  stored = [{ ...ENTRY, version: 1, latest: { ...ENTRY.latest, clientWords: "That we told them" } }];
  await userEvent.click(screen.getByRole("button", { name: "Keep this wording too" }));
  await waitFor(() =>
    expect(sent).toMatchObject([{ id: "e1", version: 1, concern: "Said more", clientWords: "That we told them" }]),
  );
});
