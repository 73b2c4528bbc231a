import {
  DEFAULT_RUNGS,
  followUpOf,
  inviteSchema,
  isMade,
  isNoResponseProposed,
  nextRung,
  RUNG_DAYS_MAX,
  type Rung,
  RUNGS_MAX,
  updateLadderSchema,
} from "@app/shared/ladders";
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import { addDays } from "@app/shared/days";
import { describe, expect, test } from "vitest";

const rung = (afterDays: number, replyDays: number): Rung => ({ channel: "post", afterDays, replyDays, template: "" });
const THREE = [rung(0, 10), rung(10, 7), rung(7, 5)];
const tried = (at: number, on: string, replyDays: number) => ({ rung: at, on, replyBy: addDays(on, replyDays) });

describe("nextRung", () => {
  test("nextRung: when nobody has tried, then it is the first, and after each attempt the one after it", () => {
    expect(nextRung(THREE, null)).toBe(0);
    expect(nextRung(THREE, { rung: 0 })).toBe(1);
    expect(nextRung(THREE, { rung: 1 })).toBe(2);
  });

  test("nextRung: when the ladder is at its end, or was made shorter meanwhile, then it is the last", () => {
    expect(nextRung(THREE, { rung: 2 })).toBe(2);
    expect(nextRung(THREE.slice(0, 2), { rung: 5 })).toBe(1);
  });
});

describe("followUpOf", () => {
  test("followUpOf: when there is a next rung, then it is due on the last day to answer", () => {
    expect(followUpOf(THREE, tried(0, "2026-01-05", 10))).toEqual({ kind: "next", rung: 1, dueOn: "2026-01-15" });
  });

  test("followUpOf: when the next rung leaves more days than there are to answer, then it is due when they are over", () => {
    const later = [rung(0, 5), rung(14, 5)];
    expect(followUpOf(later, tried(0, "2026-01-05", 5))?.dueOn).toBe("2026-01-19");
  });

  test.each([
    ["the end of a short month", "2026-02-20", "2026-03-02"],
    ["the end of February in a leap year", "2028-02-20", "2028-03-01"],
    ["the end of the year", "2026-12-28", "2027-01-07"],
    ["the night in which clocks go forward", "2026-03-25", "2026-04-04"],
    ["the night in which clocks go back", "2026-10-20", "2026-10-30"],
  ])("followUpOf: when the days to answer pass %s, then each day counts once", (_what, on, dueOn) => {
    expect(followUpOf(THREE, tried(0, on, 10))?.dueOn).toBe(dueOn);
  });

  test("followUpOf: when the last rung was taken, then no response may be decided on the day after the last day to answer", () => {
    expect(followUpOf(THREE, tried(2, "2026-01-31", 5))).toEqual({ kind: "no_response", dueOn: "2026-02-06" });
  });

  test("followUpOf: when nobody said until when to answer, then nothing follows by itself", () => {
    expect(followUpOf(THREE, { rung: 0, on: "2026-01-05", replyBy: "" })).toBeNull();
  });
});

describe("isNoResponseProposed", () => {
  const last = tried(2, "2026-01-05", 5);

  test("isNoResponseProposed: when the last day to answer is today, then it is not yet, and tomorrow it is", () => {
    expect(isNoResponseProposed("invited", THREE, { last, today: "2026-01-10" })).toBe(false);
    expect(isNoResponseProposed("invited", THREE, { last, today: "2026-01-11" })).toBe(true);
  });

  test.each(["to_invite", "no_response", "refused", "responded", "withdrawn"] as const)(
    "isNoResponseProposed: when the party is %s, then it never is",
    (status) => expect(isNoResponseProposed(status, THREE, { last, today: "2027-01-01" })).toBe(false),
  );

  test("isNoResponseProposed: when rungs are left, or nobody tried, then it is not", () => {
    const today = "2027-01-01";
    expect(isNoResponseProposed("invited", THREE, { last: tried(1, "2026-01-05", 5), today })).toBe(false);
    expect(isNoResponseProposed("invited", THREE, { last: null, today })).toBe(false);
  });
});

describe("isMade", () => {
  test.each(["failed", "cancelled", "bounced"] as const)(
    "isMade: when its mail is %s, then nobody was reached",
    (delivery) => expect(isMade({ isTakenBack: false, delivery })).toBe(false),
  );

  test("isMade: when it was a call, or its mail left, then somebody was; when it was taken back, nobody", () => {
    expect(isMade({ isTakenBack: false, delivery: null })).toBe(true);
    expect(isMade({ isTakenBack: false, delivery: "sent" })).toBe(true);
    expect(isMade({ isTakenBack: true, delivery: null })).toBe(false);
  });
});

describe("limits", () => {
  const ladder = (rungs: Rung[]) => updateLadderSchema.safeParse({ domain: "family", rungs, version: 0 });

  test.each(CASE_DOMAINS)(
    "the ladder of %s cases: when a practice changed nothing, then it keeps to the limits",
    (domain) => {
      expect(ladder([...DEFAULT_RUNGS[domain]]).success).toBe(true);
    },
  );

  test.each([
    ["no rung", []],
    ["too many rungs", Array.from({ length: RUNGS_MAX + 1 }, () => rung(1, 1))],
    ["no day to answer", [rung(0, 0)]],
    ["too many days", [rung(0, RUNG_DAYS_MAX + 1)]],
    ["half a day", [rung(0, 1.5)]],
    ["days before the one before", [rung(-1, 1)]],
    ["a template that is no name", [{ ...rung(0, 1), template: "a b" }]],
  ])("a ladder: when it has %s, then it is refused", (_what, rungs) => {
    expect(ladder(rungs).success).toBe(false);
  });

  test("an attempt: when nobody wrote down its words, then it is refused", () => {
    const attempt = { id: "case", version: 0, partyId: "party", channel: "phone", on: "2026-01-05" };
    expect(inviteSchema.safeParse({ ...attempt, wording: "  " }).success).toBe(false);
    expect(inviteSchema.safeParse({ ...attempt, wording: "I asked" }).success).toBe(true);
  });
});
