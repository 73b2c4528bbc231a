import {
  awaitedIn,
  isMediation,
  pausedUntilHeld,
  takesSessions,
  whoIsLeftOut,
  whyNotBegin,
} from "@app/shared/case-sessions";
import { CASE_STATUSES, type CaseStatus, type PartyStatus } from "@app/shared/case-states";
import { MEETING_TYPES, type MeetingType } from "@app/shared/meeting-states";
import { describe, expect, test } from "vitest";

const party = (label: string, status: PartyStatus, side = "") => ({
  partyId: label,
  label,
  side,
  status,
  consentedOn: "2026-01-05",
});
const both = (first: PartyStatus, second: PartyStatus = first) => [party("P1", first), party("P2", second)];
const why = (status: CaseStatus, parties = both("active"), type: MeetingType | null = null, partyIds = ["P1", "P2"]) =>
  whyNotBegin({ status, parties }, { type, partyIds });

const OVER: CaseStatus[] = ["concluded", "closed", "not_proceeding", "terminated"];
/** What two sides come to before mediation: to a pre-meeting each comes alone. */
const ASSESSING: MeetingType[] = ["miam", "cim"];

describe.each(CASE_STATUSES)("a case in %s", (status) => {
  test("sessions: are prepared in it as long as it is not over", () => {
    expect(takesSessions(status)).toBe(!OVER.includes(status));
  });

  test("a session of two sides: begins in mediation only, unless somebody is assessed or heard there", () => {
    expect(why(status) === null).toBe(status === "in_mediation");
    for (const type of MEETING_TYPES)
      expect(why(status, both("active"), type) === null, type).toBe(
        status === "in_mediation" || (ASSESSING.includes(type) && !OVER.includes(status)),
      );
  });

  test("a session of one side: begins as long as it is not over, and shuttle mediation in mediation only", () => {
    for (const type of [null, ...MEETING_TYPES].filter((one) => one !== "shuttle"))
      expect(why(status, both("responded"), type, ["P1"]) === null).toBe(!OVER.includes(status));
    expect(why(status, both("active"), "shuttle", ["P1"]) === null).toBe(status === "in_mediation");
    expect(why(status, both("responded"), "shuttle", ["P1"])).not.toBeNull();
    const together = [party("P1", "suitable", "Grandparents"), party("P2", "suitable", "grandparents")];
    expect(why(status, together, "pre_meeting") === null).toBe(!OVER.includes(status));
    // Whatever side is written beside them: in a pause people do not come together to mediate.
    expect(why(status, together) === null).toBe(status !== "paused" && !OVER.includes(status));
  });
});

test.each<[CaseStatus, [PartyStatus, PartyStatus], string]>([
  ["intake", ["miam_attended", "invited"], "Finish the assessment of P1 and P2 first."],
  ["assessing", ["suitable", "miam_booked"], "Finish the assessment of P2 first."],
  ["assessing", ["suitable", "refused"], "At least two sides must take part first. If nobody else will, end the case."],
  ["ready", ["suitable", "suitable_with_measures"], "P1 and P2 must sign the agreement to mediate first."],
  ["ready", ["agreement_signed", "suitable"], "P2 must sign the agreement to mediate first."],
  ["ready", ["agreement_signed", "agreement_signed"], "Move the case to “In mediation” first."],
])("a refusal: in %s with parties in %j, says what comes next", (status, statuses, next) => {
  expect(why(status, both(...statuses))).toBe(`Mediation has not begun yet. ${next}`);
});

test("a refusal: of a paused case and of one that is over, says what to do", () => {
  expect(why("paused")).toContain("Move it back to “In mediation”");
  for (const status of OVER) expect(why(status)).toContain("Reopen it");
});

test("a session in mediation: when somebody who joined later has not agreed to it, then it waits, and says who and what for", () => {
  const joined = { ...party("P3", "suitable"), consentedOn: "" };
  const all = [...both("active"), joined];
  expect(why("in_mediation", all, null, ["P1", "P2", "P3"])).toBe(
    "Record the consent of P3. P3 must sign the agreement to mediate. Until then a session can be held without them. If its meeting names them, take them out of it first.",
  );
  expect(why("in_mediation", all)).toBeNull();
  expect(
    why("in_mediation", [...both("active"), { ...joined, status: "refused" }], null, ["P1", "P2", "P3"]),
  ).toBeNull();
});

test("awaitedIn: who joined later and has not agreed is left out of mediation, and said so, unless no two sides are left", () => {
  const joined = { ...party("P3", "to_invite"), consentedOn: "" };
  const labels = (
    parties: ReturnType<typeof both>,
    type: MeetingType | null = null,
    status: CaseStatus = "in_mediation",
  ) => awaitedIn({ status, parties }, type).map(({ label }) => label);
  const all = [...both("active"), joined];
  expect(labels(all)).toEqual(["P1", "P2"]);
  expect(whoIsLeftOut({ status: "in_mediation", parties: all })).toBe(
    "P3 has not agreed to mediate yet, so a session is held without them.",
  );
  expect(whoIsLeftOut({ status: "in_mediation", parties: both("active") })).toBeNull();
  expect(labels([party("P1", "active"), joined])).toEqual(["P1", "P3"]);
  expect(labels(all, "pre_meeting")).toEqual(["P1", "P2", "P3"]);
  expect(labels(all, null, "ready")).toEqual(["P1", "P2", "P3"]);
});

test("isMediation: a session without a meeting is one as soon as two sides come", () => {
  expect(isMediation(null, both("active"))).toBe(true);
  expect(isMediation(null, both("active").slice(1))).toBe(false);
  expect(isMediation("miam", both("active"))).toBe(false);
  expect(isMediation("pre_meeting", both("active"))).toBe(true);
  expect(isMediation("pre_meeting", both("active").slice(1))).toBe(false);
});

test("isMediation: shuttle mediation is one with each side alone, and with nobody it is none", () => {
  expect(isMediation("shuttle", both("active").slice(1))).toBe(true);
  expect(isMediation("call", both("active").slice(1))).toBe(false);
  expect(isMediation("shuttle", [])).toBe(false);
});

test.each<CaseStatus>(["intake", "assessing", "ready"])(
  "a case in %s of whose two sides one died or left: no session of mediation begins, and other meetings do",
  (status) => {
    for (const gone of ["died", "withdrawn"] as const) {
      const parties = both("suitable", gone);
      for (const type of [null, "mediation", "shuttle"] as const)
        expect(why(status, parties, type, ["P1"]), String(type)).toContain("At least two sides must take part first.");
      for (const type of ["miam", "pre_meeting", "call"] as const)
        expect(why(status, parties, type, ["P1"]), type).toBeNull();
      // A third side is left to mediate with.
      expect(why(status, [...parties, party("P3", "suitable")], null, ["P1"])).toBeNull();
    }
  },
);

test("a meeting that is booked: in a pause it is said at once that the case goes on first, where they are to mediate", () => {
  const said = (status: CaseStatus, type: MeetingType, partyIds = ["P1", "P2"]) =>
    pausedUntilHeld({ status, parties: both("active") }, { type, partyIds });
  expect(said("paused", "mediation")).toContain("This case is paused.");
  expect(said("paused", "call")).toBeNull();
  expect(said("paused", "mediation", ["P1"])).toBeNull();
  for (const status of CASE_STATUSES.filter((one) => one !== "paused")) expect(said(status, "mediation")).toBeNull();
});
