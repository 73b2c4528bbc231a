// Whether somebody may be phoned, as their page says it first.
import type { SafetyDue } from "@app/shared/case-steps";
import type { Case } from "@app/shared/cases";
import type { ConflictCheck } from "@app/shared/conflicts";
import { type Client, createClientSchema, DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { ClientPanels } from "../../web/src/features/clients/client-panels.tsx";
import { clientValues } from "../../web/src/features/clients/client-record.ts";
import { draw } from "./page.tsx";
import { A_PARTY } from "./parties.ts";
import { A_CASE } from "./sessions.ts";
import { STATUS } from "./signed-in.ts";

const CLIENT: Client = {
  id: A_PARTY.clientId,
  kind: "person",
  title: "",
  firstName: "Bea",
  lastName: "Winslow",
  knownAs: "",
  organisation: "",
  dateOfBirth: "",
  email: "",
  phones: [{ type: "mobile", number: "07700 900026", isPreferred: true }],
  address: { lines: [], postcode: "", country: "" },
  isAddressConfidential: false,
  safeContact: DEFAULT_SAFE_CONTACT,
  needs: "",
  tags: [],
  displayName: "Bea Winslow",
  status: "active",
  isContactUnchecked: false,
  version: 0,
  createdAt: "2026-11-20T12:00:00.000Z",
  updatedAt: "2026-11-20T12:00:00.000Z",
  updatedByName: "Ines Marchbank",
};

function open(cases: readonly Case[], client = CLIENT) {
  rememberSession(STATUS);
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <ClientPanels client={client} cases={cases} theCase={null} onOpenCase={() => undefined} />
      </QueryClientProvider>
    </api.Provider>,
  );
}

/** The head of a client in this case, where this is due for somebody's safety. */
function openIn(theCase: Case, safetyDue: SafetyDue, latest: ConflictCheck | null = null) {
  vi.stubGlobal("fetch", async (url: string) => {
    const answers: Record<string, unknown> = {
      "casework.safetyDue": safetyDue,
      "tasks.nextOfClients": { items: [] },
      "conflicts.ofCase": { latest, hits: [], hiddenCount: 0, isCut: false },
    };
    const paths = String(url).split("/trpc/")[1]?.split("?")[0]?.split(",") ?? [];
    return new Response(JSON.stringify(paths.map((path) => ({ result: { data: answers[path] } }))));
  });
  queryClient.clear();
  rememberSession(STATUS);
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <ClientPanels client={CLIENT} cases={[theCase]} theCase={theCase} onOpenCase={() => undefined} />
      </QueryClientProvider>
    </api.Provider>,
  );
}

const AGAIN = "Screen P2 again: a safety review raised a concern.";

test("a case in mediation: when somebody is to be screened again and an entry waits, then its head says so, and not that nothing is due", async () => {
  openIn(A_CASE, { again: [AGAIN], openEntries: 1 });
  expect(await screen.findByText(AGAIN)).toBeTruthy();
  expect(screen.getByText("1 safeguarding entry of this case waits.")).toBeTruthy();
  expect(screen.queryByText("No step is due")).toBeNull();
});

test("a case that is over: when an entry waits, then its head does not say that nothing is due", async () => {
  openIn({ ...A_CASE, status: "closed" }, { again: [], openEntries: 1 });
  expect(await screen.findByText("1 safeguarding entry of this case waits.")).toBeTruthy();
  expect(screen.queryByText(/Nothing is due/)).toBeNull();
});

test("a case: when nothing is due for anybody's safety, or whoever looks may not know, then its head says as before", async () => {
  openIn(A_CASE, { again: [], openEntries: null });
  expect(await screen.findByText("No step is due")).toBeTruthy();
});

test("a client: when they are recorded as died in one of their cases, then nobody is told to phone them", () => {
  open([A_CASE, { ...A_CASE, id: "k2", parties: [{ ...A_PARTY, status: "died" }] }]);
  expect(screen.getByText("Bea is recorded as died")).toBeTruthy();
  expect(screen.queryByText(/You may phone/)).toBeNull();
});

test("a client who lives: when only the other one died, then they may be phoned", () => {
  open([{ ...A_CASE, parties: [A_PARTY, { ...A_PARTY, partyId: "p2", clientId: "c2", status: "died" }] }]);
  expect(screen.getByText(/You may phone Bea/)).toBeTruthy();
  expect(screen.queryByText(/recorded as died/)).toBeNull();
});

test("ClientPanels: where somebody said that a way of reaching them is not safe, it does not offer their number until somebody has looked", () => {
  open([], { ...CLIENT, isContactUnchecked: true });
  expect(screen.getByText("Do not contact Bea yet")).toBeTruthy();
  expect(screen.getByRole("button", { name: "These ways are safe" })).toBeTruthy();
  expect(screen.queryByText("07700 900026")).toBeNull();
});

test("clientValues: a client as it is read, when it is saved again, sends nothing that only the server says", () => {
  const issues = createClientSchema.safeParse(clientValues(CLIENT)).error?.issues ?? [];
  expect(issues.filter(({ code }) => code === "unrecognized_keys")).toEqual([]);
});

test("the first task: where there is no case yet, when something is due for somebody's safety, it is the next step", async () => {
  const task = {
    id: "t1",
    title: "Safety: Could not answer safely. Read the answers of Bea Winslow",
    dueOn: "2026-11-30",
  };
  vi.stubGlobal("fetch", async (url: string) => {
    const paths = String(url).split("/trpc/")[1]?.split("?")[0]?.split(",") ?? [];
    const items = (path: string) => (path === "tasks.list" ? [task] : []);
    return new Response(JSON.stringify(paths.map((path) => ({ result: { data: { items: items(path), total: 1 } } }))));
  });
  queryClient.clear();
  open([]);
  expect(await screen.findByText(/^Safety: Could not answer safely/)).toBeTruthy();
  expect(screen.queryByText("Nothing is due")).toBeNull();
});

const CLEAR: ConflictCheck = {
  id: "k1",
  caseId: A_CASE.id,
  decision: "clear",
  reason: "",
  hits: [],
  hiddenCount: 0,
  isCut: false,
  decidedByName: "Ines Marchbank",
  decidedAt: "2026-11-20T12:00:00.000Z",
  isOutdated: false,
};

test.each<[string, ConflictCheck | null, boolean]>([
  ["nobody has decided yet", null, true],
  ["is out of date", { ...CLEAR, isOutdated: true }, true],
  ["was flagged", { ...CLEAR, decision: "flagged" }, true],
  ["is clear", CLEAR, false],
])(
  "an enquiry: a conflict check that %s, when its next step is shown, comes first only if it is open",
  async (_how, latest, isOpen) => {
    const enquiry: Case = { ...A_CASE, status: "enquiry", waitingFor: "practice", parties: [] };
    openIn(enquiry, { again: [], openEntries: 0 }, latest);
    await screen.findByText("Next: begin the intake");
    await vi.waitFor(() => {
      expect(queryClient.isFetching()).toBe(0);
      expect(screen.queryAllByText(/An open conflict check comes first/)).toHaveLength(isOpen ? 1 : 0);
    });
  },
);
