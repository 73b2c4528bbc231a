// Whether somebody may be phoned, as their page says it first.
import type { Case } from "@app/shared/cases";
import { type Client, DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { ClientPanels } from "../../web/src/features/clients/client-panels.tsx";
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
  version: 0,
  createdAt: "2026-11-20T12:00:00.000Z",
  updatedAt: "2026-11-20T12:00:00.000Z",
  updatedByName: "Ines Marchbank",
};

function open(cases: readonly Case[]) {
  rememberSession(STATUS);
  draw(<ClientPanels client={CLIENT} cases={cases} theCase={null} onOpenCase={() => undefined} />);
}

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
