import { DEFAULT_RUNGS } from "@app/shared/default-rungs";
import { followUpOf, inOrder, isNoResponseProposed, nextRung, rungsTaken, untriedOf } from "@app/shared/ladder-steps";
import { inviteSchema, isMade, RUNG_DAYS_MAX, type Rung, RUNGS_MAX, updateLadderSchema } from "@app/shared/ladders";
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import { addDays } from "@app/shared/days";
import { describe, expect, test } from "vitest";

const rung = (afterDays: number, replyDays: number, channel: Rung["channel"] = "post"): Rung => ({
  channel,
  afterDays,
  replyDays,
  template: "",
});
const THREE = [rung(0, 10, "email"), rung(10, 7), rung(7, 5, "phone")];
const made = (channel: Rung["channel"], on: string, replyDays = 5, insteadBecause = "") => ({
  channel,
  on,
  replyBy: addDays(on, replyDays),
  insteadBecause,
});
const ALL = [made("email", "2026-01-01", 10), made("post", "2026-01-11", 7), made("phone", "2026-01-31")];

describe("rungsTaken", () => {
  test("rungsTaken: when each comes by its channel and after its days, then every step is taken, whichever was first", () => {
    expect(rungsTaken(THREE, ALL)).toEqual([0, 1, 2]);
    expect(
      rungsTaken(THREE, [made("phone", "2026-01-01"), made("post", "2026-01-11"), made("email", "2026-01-11")]),
    ).toEqual([2, 1, 0]);
  });

  test("rungsTaken: when three messages are sent on one evening, then they take no step of another channel", () => {
    const texts = [1, 2, 3].map(() => made("text", "2026-01-01"));
    expect(rungsTaken(THREE, texts)).toEqual([null, null, null]);
    expect(untriedOf(THREE, texts).map(({ step }) => step)).toEqual([1, 2, 3]);
  });

  test("rungsTaken: when it is said why another channel was used, then it takes the first free step, no earlier than its days", () => {
    const because = "They have no email";
    const tried = [made("post", "2026-01-01", 5, because), made("post", "2026-01-10"), made("post", "2026-01-11")];
    expect(rungsTaken(THREE, tried)).toEqual([0, null, 1]);
  });

  test("rungsTaken: when nobody set a day to answer, then it takes none", () => {
    expect(rungsTaken(THREE, [{ ...made("email", "2026-01-01"), replyBy: "" }])).toEqual([null]);
  });

  const rang = (on: string) => ({ ...made("phone", on), replyBy: "", call: "nobody" });

  test("rungsTaken: when nobody picks up on two days, then the step of a call is taken by the second, once for each", () => {
    const written = ALL.slice(0, 2);
    expect(rungsTaken(THREE, [...written, rang("2026-01-20"), rang("2026-01-20")])).toEqual([0, 1, null, null]);
    expect(rungsTaken(THREE, [...written, rang("2026-01-20"), rang("2026-01-21")])).toEqual([0, 1, null, 2]);
    // It came before the days of that step were over: a later one takes it.
    const soon = [rang("2026-01-12"), rang("2026-01-13"), rang("2026-01-18")];
    expect(rungsTaken(THREE, [...written, ...soon])).toEqual([0, 1, null, null, 2]);
    const twice = [...THREE, rung(1, 5, "phone")];
    const calls = ["20", "21", "22", "23"].map((day) => rang(`2026-01-${day}`));
    expect(rungsTaken(twice, [...written, ...calls])).toEqual([0, 1, null, 2, null, 3]);
  });

  test("rungsTaken: when a way is not safe, then another that is takes its step, and one that is not takes its own alone", () => {
    const unsafe = THREE.map((each) => ({ ...each, isForbidden: each.channel !== "email" }));
    const mails = [made("email", "2026-01-01"), made("email", "2026-01-02"), made("email", "2026-01-11")];
    expect(rungsTaken(unsafe, mails)).toEqual([0, null, 1]);
    expect(untriedOf(unsafe, mails)).toEqual([{ step: 3, channel: "phone", isUnsafe: true }]);
    expect(rungsTaken(unsafe, [made("post", "2026-01-01"), made("post", "2026-01-20")])).toEqual([1, null]);
    const noLetter = THREE.map((each) => ({ ...each, isForbidden: each.channel === "post" }));
    expect(nextRung(noLetter, ALL.slice(0, 1))).toBe(2);
    expect(nextRung(noLetter, [made("email", "2026-01-01"), made("phone", "2026-01-20")])).toBe(1);
  });

  test("inOrder: when a letter is written down after a later call, then it comes before it", () => {
    const [call, letter] = [made("phone", "2026-01-31"), made("post", "2026-01-11")];
    expect(inOrder([call, letter])).toEqual([letter, call]);
  });
});

describe("nextRung", () => {
  test("nextRung: when nobody has tried, then it is the first, and after each attempt the first that is free", () => {
    expect(nextRung(THREE, [])).toBe(0);
    expect(nextRung(THREE, ALL.slice(0, 1))).toBe(1);
    expect(nextRung(THREE, ALL.slice(1))).toBe(0);
  });

  test("nextRung: when the ladder is at its end, or was made shorter meanwhile, then it is the last", () => {
    expect(nextRung(THREE, ALL)).toBe(2);
    expect(nextRung(THREE.slice(0, 2), ALL)).toBe(1);
  });
});

describe("followUpOf", () => {
  test("followUpOf: when there is a next rung, then it is due on the last day to answer", () => {
    expect(followUpOf(THREE, [made("email", "2026-01-05", 10)])).toEqual({
      kind: "next",
      rung: 1,
      dueOn: "2026-01-15",
    });
  });

  test("followUpOf: when the next rung leaves more days than there are to answer, then it is due when they are over", () => {
    const later = [rung(0, 5), rung(14, 5)];
    expect(followUpOf(later, [made("post", "2026-01-05")])?.dueOn).toBe("2026-01-19");
  });

  test.each([
    ["the end of a short month", "2026-02-20", "2026-03-02"],
    ["the end of February in a leap year", "2028-02-20", "2028-03-01"],
    ["the end of the year", "2026-12-28", "2027-01-07"],
    ["the night in which clocks go forward", "2026-03-25", "2026-04-04"],
    ["the night in which clocks go back", "2026-10-20", "2026-10-30"],
  ])("followUpOf: when the days to answer pass %s, then each day counts once", (_what, on, dueOn) => {
    expect(followUpOf(THREE, [made("email", on, 10)])?.dueOn).toBe(dueOn);
  });

  test("followUpOf: when the last rung was taken, then no response may be decided on the day after the last day to answer", () => {
    expect(followUpOf(THREE, ALL)).toEqual({ kind: "no_response", dueOn: "2026-02-06" });
  });

  test("followUpOf: when nobody picked up, then they are rung again on another day, and then no response may be decided", () => {
    const rang = (on: string) => ({ ...made("phone", on), replyBy: "", call: "nobody" });
    const written = ALL.slice(0, 2);
    const once = [...written, rang("2026-01-20")];
    expect(followUpOf(THREE, once)).toEqual({ kind: "next", rung: 2, dueOn: "2026-01-21" });
    const twice = [...once, rang("2026-01-25")];
    expect(followUpOf(THREE, twice)).toEqual({ kind: "no_response", dueOn: "2026-01-25" });
    expect(isNoResponseProposed("invited", THREE, { attempts: twice, today: "2026-01-25" })).toBe(true);
    expect(isNoResponseProposed("invited", THREE, { attempts: once, today: "2026-01-25" })).toBe(false);
  });

  test("followUpOf: when nobody said until when to answer, or nobody tried, then nothing follows by itself", () => {
    expect(followUpOf(THREE, [{ ...made("email", "2026-01-05"), replyBy: "" }])).toBeNull();
    expect(followUpOf(THREE, [])).toBeNull();
  });
});

describe("isNoResponseProposed", () => {
  test("isNoResponseProposed: when the last day to answer is today, then it is not yet, and tomorrow it is", () => {
    expect(isNoResponseProposed("invited", THREE, { attempts: ALL, today: "2026-02-05" })).toBe(false);
    expect(isNoResponseProposed("invited", THREE, { attempts: ALL, today: "2026-02-06" })).toBe(true);
  });

  test.each(["to_invite", "no_response", "refused", "responded", "withdrawn"] as const)(
    "isNoResponseProposed: when the party is %s, then it never is",
    (status) => expect(isNoResponseProposed(status, THREE, { attempts: ALL, today: "2027-01-01" })).toBe(false),
  );

  test("isNoResponseProposed: when rungs are left, or nobody tried, then it is not", () => {
    const today = "2027-01-01";
    expect(isNoResponseProposed("invited", THREE, { attempts: ALL.slice(0, 2), today })).toBe(false);
    expect(isNoResponseProposed("invited", THREE, { attempts: [], today })).toBe(false);
  });
});

describe("isMade", () => {
  test.each(["failed", "cancelled", "bounced"] as const)(
    "isMade: when its mail is %s, then nobody was reached",
    (delivery) => expect(isMade({ isTakenBack: false, delivery, call: "", cameBackOn: "" })).toBe(false),
  );

  test("isMade: when it was a call, or its mail left, then somebody was; when it was taken back or the call reached nobody, nobody", () => {
    expect(isMade({ isTakenBack: false, delivery: null, call: "message", cameBackOn: "" })).toBe(true);
    expect(isMade({ isTakenBack: false, delivery: "sent", call: "", cameBackOn: "" })).toBe(true);
    expect(isMade({ isTakenBack: false, delivery: null, call: "", cameBackOn: "2026-01-05" })).toBe(false);
    expect(isMade({ isTakenBack: true, delivery: null, call: "spoken", cameBackOn: "" })).toBe(false);
    expect(isMade({ isTakenBack: false, delivery: null, call: "nobody", cameBackOn: "" })).toBe(false);
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
    expect(inviteSchema.safeParse({ ...attempt, call: "spoken", wording: "  " }).success).toBe(false);
    expect(inviteSchema.safeParse({ ...attempt, call: "spoken", wording: "I asked" }).success).toBe(true);
  });

  test("an attempt: when it is a call, then it says whether it reached them, and no other does", () => {
    const attempt = { id: "case", version: 0, partyId: "party", on: "2026-01-05", wording: "I asked" };
    expect(inviteSchema.safeParse({ ...attempt, channel: "phone" }).success).toBe(false);
    expect(inviteSchema.safeParse({ ...attempt, channel: "post", call: "spoken" }).success).toBe(false);
    expect(inviteSchema.safeParse({ ...attempt, channel: "phone", call: "nobody" }).success).toBe(true);
  });
});
