import {
  CASE_STATUSES,
  type CaseStatus,
  countSides,
  PARTY_STATUSES,
  partyStandingName,
  partyStatusName,
} from "@app/shared/case-states";
import {
  CASE_DOMAINS,
  CASE_GATES,
  CASE_TRANSITIONS,
  type CaseDomain,
  caseWays,
  PARTY_TRANSITIONS,
  partyWays,
} from "@app/shared/case-transitions";
import { describe, expect, test } from "vitest";

const READY = "conflict_check two_sides consents screenings first_meetings";
const NEVER_BEGAN = "not_proceeding?: ended_sessions";
const START = `${READY} agreements`;

/** Every way of a family case: where it leads, what has to be true, and whether it asks why. */
const FAMILY: Record<string, string[]> = {
  enquiry: ["intake: conflict_check", NEVER_BEGAN],
  intake: ["awaiting_second_party: conflict_check", "assessing: conflict_check answer", NEVER_BEGAN],
  awaiting_second_party: ["assessing: conflict_check", NEVER_BEGAN],
  assessing: [`ready: ${READY}`, NEVER_BEGAN],
  ready: [`in_mediation: ${START}`, "assessing?", NEVER_BEGAN],
  in_mediation: ["concluded: finished_sessions", "paused?", "terminated?: ended_sessions"],
  paused: [`in_mediation: ${START}`, "concluded: finished_sessions", "terminated?: ended_sessions"],
  concluded: ["closed", "assessing?: conflict_check"],
  closed: ["assessing?: retention conflict_check"],
  not_proceeding: [
    "enquiry?: retention",
    "intake?: retention conflict_check",
    "awaiting_second_party?: retention conflict_check",
    "assessing?: retention conflict_check",
  ],
  terminated: ["assessing?: retention conflict_check"],
};
const TOGETHER = { intake: ["awaiting_second_party: conflict_check", "assessing: conflict_check", NEVER_BEGAN] };
const EXPECTED: Record<CaseDomain, Record<string, string[]>> = {
  family: FAMILY,
  workplace: { ...FAMILY, ...TOGETHER },
  community: { ...FAMILY, ...TOGETHER },
  other: { ...FAMILY, ...TOGETHER },
  civil: {
    ...FAMILY,
    ...TOGETHER,
    awaiting_second_party: ["assessing: conflict_check", `ready: ${READY}`, NEVER_BEGAN],
  },
};

describe.each(CASE_DOMAINS)("cases of the kind %s", (domain) => {
  test.each(CASE_STATUSES)("%s: its ways are these, with these gates and reasons, and no other", (from) => {
    const ways = CASE_TRANSITIONS[domain][from].map(({ to, gates, needsReason }) =>
      [`${to}${needsReason ? "?" : ""}`, gates.join(" ")].filter(Boolean).join(": "),
    );
    expect(ways).toEqual(EXPECTED[domain][from]);
    const reached = new Set(CASE_TRANSITIONS[domain][from].map(({ to }) => to));
    if (from !== "not_proceeding")
      for (const stood of [null, ...CASE_STATUSES])
        expect(caseWays(domain, from, stood).map(({ to }) => to)).toEqual([...reached]);
  });

  test.each<[CaseStatus | null, CaseStatus[]]>([
    [null, ["intake", "assessing"]],
    ["enquiry", ["enquiry"]],
    ["intake", ["intake"]],
    ["awaiting_second_party", ["awaiting_second_party"]],
    ["assessing", ["assessing"]],
    ["ready", ["assessing"]],
  ])("not_proceeding: a case that stood in %s goes on in %j, and nowhere else", (stood, expected) => {
    expect(caseWays(domain, "not_proceeding", stood).map(({ to }) => to)).toEqual(expected);
  });

  test("a party who is back: need not come to another first meeting where they attended one", () => {
    for (const status of PARTY_STATUSES)
      expect(partyWays(domain, { status, miamOn: "2026-01-05" }).includes("miam_attended"), status).toBe(
        ["responded", "intake_done", "miam_booked"].includes(status),
      );
    expect(partyWays(domain, { status: "responded", miamOn: "" })).not.toContain("miam_attended");
  });

  test("every state has a way out and a way in", () => {
    const reached = new Set(CASE_STATUSES.flatMap((from) => CASE_TRANSITIONS[domain][from].map(({ to }) => to)));
    for (const status of CASE_STATUSES) {
      expect(CASE_TRANSITIONS[domain][status], status).not.toEqual([]);
      expect(reached, status).toContain(status);
    }
  });

  test("no way leads into mediation past its gates", () => {
    for (const from of CASE_STATUSES) {
      const gates = CASE_TRANSITIONS[domain][from].find(({ to }) => to === "in_mediation")?.gates ?? CASE_GATES;
      expect(gates, from).toEqual(expect.arrayContaining(START.split(" ")));
    }
  });

  test("every party can go on or come back from everywhere", () => {
    const { died, ...others } = PARTY_TRANSITIONS[domain];
    expect(died).toEqual([]);
    for (const ways of Object.values(others)) expect(ways).toContain("died");
    expect(PARTY_TRANSITIONS[domain].miam_missed).toEqual(expect.arrayContaining(["no_response", "refused"]));
    for (const status of ["miam_attended", "suitable", "suitable_with_measures", "agreement_signed"] as const)
      expect(PARTY_TRANSITIONS[domain][status], status).toEqual(expect.arrayContaining(["no_response", "refused"]));
    expect(PARTY_TRANSITIONS[domain].active).toContain("no_response");
    expect(PARTY_TRANSITIONS[domain].responded).toContain("no_response");
    expect(PARTY_TRANSITIONS[domain].withdrawn).toContain("responded");
    expect(PARTY_TRANSITIONS[domain].not_suitable).toContain("responded");
    expect(PARTY_TRANSITIONS[domain].intake_done.includes("suitable")).toBe(
      domain !== "family" && domain !== "workplace",
    );
  });
});

test("sides: when several stand together, then they are one, however it is written", () => {
  const sided = (...sides: string[]) => countSides(sides.map((side, index) => ({ partyId: `p${index}`, side })));
  expect(sided("", "")).toBe(2);
  expect(sided("Grandparents", "grandparents")).toBe(1);
  expect(sided("Grandparents", "Grandparents", "")).toBe(2);
  expect(sided("p1", "")).toBe(2);
});

test("words: when a case is no family matter, then nobody reads of a MIAM", () => {
  expect(partyStatusName({ domain: "family", region: "england_wales" }, "miam_booked")).toBe("MIAM booked");
  expect(partyStatusName({ domain: "workplace", region: "england_wales" }, "miam_booked")).toBe(
    "Individual meeting booked",
  );
  expect(
    PARTY_STATUSES.filter((status) =>
      partyStatusName({ domain: "civil", region: "england_wales" }, status).includes("MIAM"),
    ),
  ).toEqual([]);
});

const IN_ENGLAND = { domain: "family", region: "england_wales" } as const;

test.each(["scotland", "northern_ireland", "ireland", "united_states", "other"] as const)(
  "partyStatusName: when a family practice works in %s, then nobody speaks of a MIAM",
  (region) =>
    expect(PARTY_STATUSES.map((status) => partyStatusName({ domain: "family", region }, status)).join()).not.toContain(
      "MIAM",
    ),
);

test("partyStandingName: when the case of somebody in mediation has ended, then mediation ended for them too", () => {
  const named = (status: CaseStatus) => partyStandingName({ ...IN_ENGLAND, status }, { status: "active" });
  for (const status of ["terminated", "closed", "not_proceeding", "concluded"] as const)
    expect(named(status)).toBe("Mediation ended");
  for (const status of ["in_mediation", "paused"] as const) expect(named(status)).toBe("In mediation");
  expect(partyStandingName({ ...IN_ENGLAND, status: "terminated" }, { status: "withdrawn" })).toBe("Withdrawn");
});
