// Who mediated on a day: who had signed by then, and had not left, or had signed again since.
import type { PartyStatus } from "@app/shared/case-states";
import { daysAwayIn } from "@app/shared/death";
import { isForEverySide, mediatingOn } from "@app/shared/mediating";
import { expect, test } from "vitest";

type Step = { to: PartyStatus; on: string };

const aParty = (
  side: string,
  agreementSignedOn: string,
  { status = "active" as PartyStatus, steps = [] as Step[] } = {},
) => ({
  side,
  partyId: side,
  status,
  agreementSignedOn,
  leftAt: null,
  daysAway: daysAwayIn({ status, steps, leftAt: null }),
});
const p1 = aParty("P1", "2026-01-01");
const p2 = aParty("P2", "2026-01-01");
const later = aParty("P3", "2026-03-01");
const sidesOn = (parties: Parameters<typeof mediatingOn>[0], on: string | null) =>
  mediatingOn(parties, on).map(({ side }) => side);

test("mediatingOn: who signed after that day did not mediate on it, and need not read what the others agreed then", () => {
  expect(sidesOn([p1, p2, later], "2026-02-01")).toEqual(["P1", "P2"]);
  expect(sidesOn([p1, p2, later], "2026-03-01")).toEqual(["P1", "P2", "P3"]);
  const ofTwo = { scope: "party" as const, partyIds: ["P1", "P2"], aboutPartyIds: [] };
  expect(isForEverySide(ofTwo, [p1, p2, later], "2026-02-01")).toBe(true);
  expect(isForEverySide(ofTwo, [p1, p2, later], "2026-03-01")).toBe(false);
});

const WITHDRAWN = { to: "withdrawn", on: "2026-02-01" } as const;
const RANG = { to: "responded", on: "2026-02-10" } as const;
const SIGNED = { to: "agreement_signed", on: "2026-02-20" } as const;

test.each([
  ["rang since", "responded", [WITHDRAWN, RANG], []],
  ["signed again", "active", [WITHDRAWN, RANG, SIGNED], ["2026-02-20", "2026-02-25"]],
  [
    "fell silent and then withdrew",
    "withdrawn",
    [
      { to: "no_response", on: "2026-02-01" },
      { to: "withdrawn", on: "2026-02-22" },
    ],
    [],
  ],
] as const)("mediatingOn: who left and %s mediates again only from when they signed", (_what, status, steps, back) => {
  const left = aParty("P2", "2026-01-01", { status, steps: [...steps] });
  const days = ["2026-01-31", "2026-02-05", "2026-02-15", "2026-02-20", "2026-02-25"];
  const there = days.filter((on) => mediatingOn([p1, left], on).includes(left));
  expect(there).toEqual(["2026-01-31", ...back]);
});
