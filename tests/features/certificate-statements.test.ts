import { type Facts, judge } from "@app/server/features/certificates/certificate-statements";
import { miamRulesOn, sentenceOf, type Statement, STATEMENTS } from "@app/shared/miam-rules";
import { expect, test } from "vitest";

const other = {
  label: "P2",
  status: "responded" as const,
  isOwnDecision: false,
  silence: "none" as const,
  before: "nothing" as const,
  hasAttended: false,
  isNamed: false,
  namesThem: false,
  wasMiam: false,
  isUnassessed: false,
  isHearsay: false,
  isOnlyTold: false,
  attendedApart: false,
  hasBegun: true,
  wasUnsafe: false,
  otherDispute: "",
  awaited: "",
  heard: "",
  planned: "",
};
const refused = { ...other, status: "refused" as const, isOwnDecision: true };
const withdrawn = { ...other, status: "withdrawn" as const, isOwnDecision: true };
const dead = { ...other, status: "died" as const };
const silent = { ...other, status: "no_response" as const, silence: "whole" as const };
const missed = { ...silent, before: "missed" as const };
const NOTHING: Facts = {
  company: "",
  status: "miam_attended",
  isOwnDecision: false,
  companions: [],
  others: [other],
  isUnsuitable: false,
  isUnsuitableByOthers: false,
  wasMediated: false,
  toLock: "",
  hasBrokenDown: false,
  wasPartedByDeath: false,
  hasConcludedUnresolved: false,
  endedLongBefore: false,
};
const allowed = (facts: Partial<Facts>): Statement[] =>
  judge({ ...NOTHING, ...facts }).flatMap(({ statement, isAllowed }) => (isAllowed ? [statement] : []));

test("judge: that mediation is not suitable comes with a warning, another one where it is about this person themself", () => {
  const warned = (isUnsuitableByOthers: boolean) =>
    judge({ ...NOTHING, isUnsuitable: true, isUnsuitableByOthers }).filter(({ warning }) => warning !== undefined);
  for (const [isByOthers, words] of [
    [true, "it is about somebody else"],
    [false, "it is about this person"],
  ] as const)
    expect(warned(isByOthers)).toMatchObject([{ statement: "unsuitable", warning: expect.stringContaining(words) }]);
});

test("judge: of whoever came to something after they went quiet, that they have not answered is not said", () => {
  expect(allowed({ others: [silent] })).toContain("none_willing");
  expect(allowed({ others: [{ ...silent, heard: "P2 was spoken with on 1 May." }] })).not.toContain("none_willing");
});

test("judge: what is said of the decision of somebody who was found not safe first comes with a warning", () => {
  const warned = (others: Facts["others"]) =>
    judge({ ...NOTHING, others }).flatMap(({ statement, warning }) => (warning ? [statement] : []));
  const unsafe = { wasUnsafe: true };
  expect(warned([{ ...withdrawn, ...unsafe }])).toEqual(["none_willing", "other_stops"]);
  expect(warned([{ ...refused, ...unsafe }])).toEqual(["none_willing", "other_stops"]);
  for (const others of [[withdrawn], [refused, silent], [withdrawn, { ...other, ...unsafe }]])
    expect(warned(others)).toEqual([]);
});

test.each([
  ["that all refused", [refused, refused], "No other participant is willing to attend a MIAM"],
  ["that one refused and one withdrew", [refused, withdrawn], "No other participant is willing to attend a MIAM"],
  ["that the one other did not answer", [silent], "the other participant was invited, and has not answered."],
  ["that none of several answered", [silent, silent], "all of them were invited, and none of them has answered."],
  [
    "that the one other missed the one that was booked",
    [missed],
    "agreed to attend one, which was booked, and did not",
  ],
  [
    "that the one other had answered",
    [{ ...silent, before: "answered" as const }],
    "answered at first, and has not att",
  ],
  ["that one of several had answered", [silent, missed], "or answered at first and has not attended one."],
  ["that one refused and one missed it", [refused, missed], "or answered at first and has not attended one."],
  ["who refused and who was silent", [refused, silent], "has refused, or was invited and has not answered."],
])("sentenceOf: of willingness it says no more than is recorded: %s", (_what, others, words) => {
  const rules = miamRulesOn("2026-01-05");
  const said = judge({ ...NOTHING, others }).find(({ statement }) => statement === "none_willing");
  expect(said?.isAllowed).toBe(true);
  expect(rules && said && sentenceOf(rules, said)).toContain(words);
});

test("sentenceOf: beside somebody on one's own side, what is said of all others is said of the other sides alone", () => {
  const rules = miamRulesOn("2026-01-05");
  const companions = [{ isNamed: true, namesThem: true, wasMiam: true }];
  const saidOf = (facts: Partial<Facts>, meant: Statement) => {
    const said = judge({ ...NOTHING, companions, ...facts }).find(({ statement }) => statement === meant);
    expect(said?.isAllowed).toBe(true);
    return rules && said ? sentenceOf(rules, said) : "";
  };
  const apart = { ...other, attendedApart: true, hasAttended: true };
  expect(saidOf({ company: "with", others: [apart] }, "separately")).toMatch(/^Each participant from another side/);
  for (const others of [[refused], [silent], [missed], [silent, silent], [refused, silent], [silent, missed]]) {
    const words = saidOf({ others }, "none_willing");
    expect(words).toMatch(/^No participant from another side/);
    expect(words).not.toContain("other participant");
  }
});

test("judge: that nobody else is willing asks why fewer attempts were enough only where somebody's ladder was not gone to its end", () => {
  const asked = (others: Facts["others"]) =>
    judge({ ...NOTHING, others }).flatMap(({ statement, asksFewer }) => (asksFewer ? [statement] : []));
  const short = { ...silent, silence: "short" as const };
  expect(allowed({ others: [silent, short] })).toContain("none_willing");
  expect(asked([silent, short])).toEqual(["none_willing"]);
  for (const others of [[silent, refused], [{ ...refused, silence: "short" as const }], [short, other]])
    expect(asked(others)).toEqual([]);
});

test("judge: of a case in which nothing else is recorded, nothing but attendance is certified, and every missing fact is named", () => {
  expect(allowed({})).toEqual([]);
  for (const { because } of judge(NOTHING)) expect(because).toMatch(/\.$/);
});

interface Row {
  statement: Statement;
  /** Enough to allow it. */
  facts: Partial<Facts>;
  /** The same with one of the facts missing. */
  lacking: Record<string, Partial<Facts>>;
}

const nobody = { isNamed: false, namesThem: false, wasMiam: false };
const both = { ...other, isNamed: true, namesThem: true, wasMiam: true };
const apart = { ...other, attendedApart: true };

const ROWS: Row[] = [
  {
    statement: "alone",
    facts: { company: "alone", companions: [nobody] },
    lacking: {
      "who was there": { company: "" },
      "that they were alone": { company: "with", others: [both] },
      "that nobody of their own side was there": {
        company: "with",
        companions: [{ ...nobody, isNamed: true, namesThem: true }],
      },
      "that no record of the other side says otherwise": {
        company: "alone",
        others: [{ ...other, namesThem: true, wasMiam: true }],
      },
      "that no record of their own side says otherwise": {
        company: "alone",
        companions: [{ ...nobody, isNamed: false, namesThem: true }],
      },
    },
  },
  {
    statement: "own_side",
    facts: { company: "with", companions: [{ ...nobody, isNamed: true, namesThem: false }] },
    lacking: {
      "who was there": { company: "", companions: [nobody] },
      "that somebody of their own side was there": { company: "alone", companions: [nobody] },
      "anybody on their side": { company: "with", companions: [] },
      "that nobody of another side was there": {
        company: "with",
        companions: [{ ...nobody, isNamed: true, namesThem: true }],
        others: [both],
      },
      "that no record of another side says otherwise": {
        company: "with",
        companions: [{ ...nobody, isNamed: true, namesThem: true }],
        others: [{ ...other, namesThem: true, wasMiam: true }],
      },
    },
  },
  {
    statement: "together",
    facts: { company: "with", others: [both, apart], companions: [{ ...nobody, isNamed: true, namesThem: true }] },
    lacking: {
      "that they were together": { company: "alone", others: [both, both].map((one) => ({ ...one, isNamed: false })) },
      "the record of one of those who were there": { company: "with", others: [both, { ...other, isNamed: true }] },
      "that it was a MIAM for one of those who were there": {
        company: "with",
        others: [both, { ...both, wasMiam: false, isUnassessed: true }],
      },
      "anybody of another side": {
        company: "with",
        others: [apart],
        companions: [{ ...nobody, isNamed: true, namesThem: true }],
      },
      "any other": { company: "with", others: [] },
    },
  },
  {
    statement: "separately",
    facts: {
      company: "with",
      companions: [{ ...nobody, isNamed: true, namesThem: true }],
      others: [apart, apart, dead],
    },
    lacking: {
      "that all of them may be known of": { company: "alone", others: [apart, { ...apart, isToStayUnknown: true }] },
      "who was there": { company: "", others: [apart] },
      "that nobody of another side was there": { company: "with", others: [apart, { ...apart, isNamed: true }] },
      "that no record of another side says otherwise": { company: "alone", others: [{ ...apart, namesThem: true }] },
      "the record of one of the others": { company: "alone", others: [apart, other] },
      "the risk assessment of one of the others": {
        company: "alone",
        others: [apart, { ...other, isUnassessed: true }],
      },
      "any other": { company: "alone", others: [] },
    },
  },
  {
    statement: "none_willing",
    facts: { others: [refused, silent] },
    lacking: {
      "that all of them may be known of": { others: [{ ...refused, isToStayUnknown: true }, silent] },
      "the refusal of one of two": { others: [refused, other] },
      "the answer of one of two, who withdrew": { others: [silent, withdrawn] },
      "an invitation that one did not answer in time": { others: [refused, { ...silent, silence: "none" }] },
      "that nobody else attended": { others: [{ ...refused, hasAttended: true }, silent] },
      "any other": { others: [] },
    },
  },
  { statement: "unsuitable", facts: { isUnsuitable: true }, lacking: { "a decision": { isUnsuitable: false } } },
  {
    statement: "person_stops",
    facts: { status: "withdrawn", isOwnDecision: true },
    lacking: {
      "their withdrawal": { status: "suitable", others: [withdrawn] },
      "that it was their decision": { status: "withdrawn" },
      "that they said so": { status: "no_response" },
    },
  },
  {
    statement: "other_stops",
    facts: { others: [other, withdrawn] },
    lacking: {
      "that they may be known of": { others: [{ ...withdrawn, isToStayUnknown: true }] },
      "another's withdrawal": { status: "withdrawn", isOwnDecision: true, others: [silent] },
      "that it was their decision": { others: [other, { ...withdrawn, isOwnDecision: false }] },
      "that they had answered before": { others: [other, { ...withdrawn, hasBegun: false }] },
      "any other": { status: "withdrawn", others: [] },
    },
  },
  {
    statement: "broken_down",
    facts: { wasMediated: true, hasBrokenDown: true },
    lacking: {
      "a held session": { wasMediated: false, hasBrokenDown: true },
      "a locked session": { wasMediated: true, toLock: "Lock it first.", hasBrokenDown: true },
      "two sides until its end": { wasMediated: true, hasBrokenDown: true, wasPartedByDeath: true },
      "that it broke down": { wasMediated: true, hasConcludedUnresolved: true },
      "an end of this time": { wasMediated: true, hasBrokenDown: true, endedLongBefore: true },
    },
  },
  {
    statement: "unresolved",
    facts: { wasMediated: true, hasConcludedUnresolved: true },
    lacking: {
      "a held session": { wasMediated: false, hasConcludedUnresolved: true },
      "an end of this time": { wasMediated: true, hasConcludedUnresolved: true, endedLongBefore: true },
      "a locked session": { wasMediated: true, toLock: "Lock it first.", hasConcludedUnresolved: true },
      "a conclusion with open issues": { wasMediated: true, hasBrokenDown: true },
    },
  },
];

test("judge: every statement has its row of facts", () => {
  expect(ROWS.map(({ statement }) => statement)).toEqual([...STATEMENTS]);
});

test.each(ROWS)("judge: $statement, when its facts are recorded, is allowed", ({ statement, facts }) => {
  expect(allowed(facts)).toContain(statement);
});

test.each(
  ROWS.flatMap(({ statement, lacking }) =>
    Object.entries(lacking).map(([fact, facts]) => ({ statement, fact, facts })),
  ),
)("judge: $statement, when $fact is missing, is not allowed", ({ statement, facts }) => {
  expect(allowed(facts)).not.toContain(statement);
});

test("miamRulesOn: from 29 April 2024 the rules of then, before it none that anything is issued by", () => {
  expect(["2024-04-28", "2024-04-29", "2026-11-20"].map((day) => miamRulesOn(day)?.version)).toEqual([
    undefined,
    "2024-04-29",
    "2024-04-29",
  ]);
});

test("miamRulesOn: no sentence speaks of an exemption or names a party by a label", () => {
  const rules = miamRulesOn("2026-01-05");
  const sentences = Object.values(rules?.sentences ?? {});
  expect(sentences).toHaveLength(STATEMENTS.length);
  for (const sentence of [
    ...sentences,
    ...Object.values(rules?.unanswered ?? {}),
    rules?.attended("5 January 2026") ?? "",
  ]) {
    expect(sentence).not.toMatch(/exempt|\bP[12]\b/i);
    expect(sentence).toMatch(/\.$/);
  }
});
