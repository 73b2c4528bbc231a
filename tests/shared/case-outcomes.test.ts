import {
  againstSession,
  contradictionsIn,
  legalAidCodeOf,
  LEGAL_AID_OUTCOMES,
  type Outcome,
  OUTCOMES,
  outcomesOf,
} from "@app/shared/case-outcomes";
import { wasHeldIn } from "@app/shared/case-rounds";
import { CASE_STATUSES, endingsOf } from "@app/shared/case-states";
import type { SessionOutcomeCode } from "@app/shared/session-states";
import { describe, expect, test } from "vitest";

const IN_ENGLAND = { domain: "family", region: "england_wales" } as const;

type Code = Outcome["code"];
type Issue = Outcome["issues"][number];
type Result = Issue["result"];
type Pair = [kind: Issue["kind"], result: Result];
type LegalAidCode = Outcome["laaCode"];

/** Results that go with it. */
const RESULTS: Record<Code, Result[]> = {
  agreed_all: ["agreed"],
  agreed_some: ["partly"],
  agreed_not_written: ["agreed"],
  settled_before: [],
  settled_themselves: [],
  reconciled: [],
  not_agreed: [],
};

interface Further {
  hasSession?: boolean;
  laaCode?: string;
  scope?: string;
  isWrittenUp?: boolean;
}

const isOfWriting = (code: Code, laaCode: string) => code !== "agreed_not_written" && ["S", "P", "C"].includes(laaCode);

const found = (
  code: Code,
  results: Result[],
  { laaCode = "", scope = "all_issues", hasSession = true, isWrittenUp = isOfWriting(code, laaCode) }: Further = {},
) =>
  Object.keys(
    contradictionsIn(
      {
        code,
        laaCode: LEGAL_AID_OUTCOMES.find((one) => one === laaCode) ?? "",
        laaReason: "Because",
        isWrittenUp,
        documents: [],
        issues: results.map((result) => ({ kind: "" as const, result })),
      },
      { ...IN_ENGLAND, issueScope: scope, hasSession },
    ),
  );

describe("an outcome against the result of each issue", () => {
  test.each<[Code, Result[], boolean]>([
    ["agreed_all", [], false],
    ["agreed_some", [], false],
    ["agreed_not_written", [], false],
    ["settled_before", [], true],
    ["settled_before", ["agreed"], true],
    ["settled_themselves", ["agreed"], true],
    ["reconciled", [], true],
    ["not_agreed", [], true],
    ["agreed_all", ["agreed", "agreed"], true],
    ["agreed_all", ["agreed", "not_agreed"], false],
    ["agreed_all", ["partly"], false],
    ["not_agreed", ["not_agreed"], true],
    ["not_agreed", ["not_agreed", "agreed"], false],
    ["not_agreed", ["partly"], false],
    ["agreed_some", ["agreed", "not_agreed"], true],
    ["agreed_some", ["partly"], true],
    ["agreed_some", ["agreed"], false],
    ["agreed_some", ["not_agreed"], false],
    ["agreed_not_written", ["agreed"], true],
    ["agreed_not_written", ["agreed", "not_agreed"], true],
    ["agreed_not_written", ["not_agreed"], false],
  ])("%s with %j: is of a piece: %s", (code, results, isOfAPiece) => {
    expect(found(code, results)).toEqual(isOfAPiece ? [] : ["issues"]);
  });

  test("agreed, not written up: is not written up", () => {
    expect(found("agreed_not_written", ["agreed"], { isWrittenUp: true })).toEqual(["isWrittenUp"]);
    expect(found("agreed_all", ["agreed"], { isWrittenUp: true })).toEqual([]);
  });
});

test.each<[Code, string, string, string]>([
  ["not_agreed", "all_issues", "B", "SPCA"],
  ["agreed_all", "all_issues", "SA", "BPC"],
  ["agreed_all", "child_only", "SA", "BPC"],
  ["agreed_some", "all_issues", "PCBA", "S"],
  ["agreed_some", "child_only", "SBA", "PC"],
  ["agreed_some", "property_finance", "SBA", "PC"],
  ["agreed_not_written", "all_issues", "AB", "SPC"],
  ["settled_before", "all_issues", "", "SPCAB"],
  ["settled_themselves", "all_issues", "B", "SPCA"],
  ["reconciled", "child_only", "B", "SPCA"],
  ["agreed_all", "other", "", "SPCAB"],
  ["not_agreed", "other", "", "SPCAB"],
])("the agency's code: with %s in a case about %s may be one of %s, and none of %s", (code, scope, fits, others) => {
  const results = RESULTS[code];
  for (const laaCode of fits) expect(found(code, results, { laaCode, scope }), laaCode).toEqual([]);
  for (const laaCode of others) expect(found(code, results, { laaCode, scope }), laaCode).toEqual(["laaCode"]);
});

test.each<[Code, string, Pair[], string | null]>([
  ["agreed_all", "all_issues", [["children", "agreed"]], "S"],
  ["agreed_all", "child_only", [["children", "agreed"]], "S"],
  ["agreed_some", "property_finance", [["property_finance", "partly"]], null],
  [
    "agreed_some",
    "property_finance",
    [
      ["property_finance", "agreed"],
      ["other", "not_agreed"],
    ],
    "S",
  ],
  [
    "agreed_some",
    "child_only",
    [
      ["children", "agreed"],
      ["children", "not_agreed"],
    ],
    null,
  ],
  [
    "agreed_some",
    "all_issues",
    [
      ["children", "agreed"],
      ["children", "partly"],
      ["property_finance", "not_agreed"],
    ],
    null,
  ],
  [
    "agreed_some",
    "all_issues",
    [
      ["children", "agreed"],
      ["property_finance", "not_agreed"],
    ],
    "C",
  ],
  [
    "agreed_some",
    "all_issues",
    [
      ["children", "not_agreed"],
      ["property_finance", "agreed"],
      ["other", "agreed"],
    ],
    "P",
  ],
  [
    "agreed_some",
    "all_issues",
    [
      ["children", "partly"],
      ["property_finance", "agreed"],
    ],
    null,
  ],
  ["agreed_some", "all_issues", [["other", "partly"]], null],
  [
    "agreed_some",
    "all_issues",
    [
      ["", "agreed"],
      ["children", "agreed"],
    ],
    null,
  ],
  [
    "agreed_some",
    "child_only",
    [
      ["children", "not_agreed"],
      ["other", "agreed"],
    ],
    null,
  ],
  ["agreed_not_written", "all_issues", [["children", "agreed"]], null],
  ["not_agreed", "all_issues", [], "B"],
  ["settled_themselves", "all_issues", [], "B"],
  ["reconciled", "child_only", [], "B"],
  ["settled_before", "all_issues", [], null],
  ["agreed_all", "other", [["other", "agreed"]], null],
  ["agreed_all", "child_only", [["other", "agreed"]], null],
  ["not_agreed", "other", [], null],
])("the agency's code: %s in a case about %s with %j speaks for %s, and for none without a session", (...row) => {
  const [code, issueScope, pairs, spoken] = row;
  const said = { code, issues: pairs.map(([kind, result]) => ({ kind, result })) };
  expect(legalAidCodeOf(said, { ...IN_ENGLAND, issueScope, hasSession: true })).toBe(spoken);
  expect(legalAidCodeOf(said, { ...IN_ENGLAND, issueScope, hasSession: false })).toBeNull();
});

test.each(OUTCOMES)("the agency's code: with %s and without a session there is none", (code) => {
  for (const laaCode of LEGAL_AID_OUTCOMES)
    expect(found(code, RESULTS[code], { laaCode, hasSession: false })).toEqual(["laaCode"]);
});

test.each<[string, Code, LegalAidCode, Pair[], string[]]>([
  ["all_issues", "agreed_all", "S", [["children", "agreed"]], ["issues"]],
  ["all_issues", "agreed_all", "S", [["property_finance", "agreed"]], ["issues"]],
  [
    "all_issues",
    "agreed_all",
    "S",
    [
      ["children", "agreed"],
      ["property_finance", "agreed"],
    ],
    [],
  ],
  ["all_issues", "agreed_all", "S", [["other", "agreed"]], ["issues"]],
  ["all_issues", "agreed_all", "", [["children", "agreed"]], []],
  ["all_issues", "agreed_all", "S", [["", "agreed"]], []],
  ["all_issues", "not_agreed", "B", [["children", "not_agreed"]], []],
  ["child_only", "agreed_all", "S", [["children", "agreed"]], []],
  ["child_only", "not_agreed", "B", [["property_finance", "not_agreed"]], ["issues"]],
  ["property_finance", "agreed_all", "S", [["children", "agreed"]], ["issues", "laaCode"]],
  ["property_finance", "agreed_all", "S", [["other", "agreed"]], ["laaCode"]],
  [
    "child_only",
    "agreed_some",
    "S",
    [
      ["property_finance", "agreed"],
      ["children", "not_agreed"],
    ],
    ["issues", "laaCode"],
  ],
  [
    "all_issues",
    "agreed_some",
    "P",
    [
      ["children", "agreed"],
      ["property_finance", "not_agreed"],
    ],
    ["laaCode"],
  ],
  [
    "child_only",
    "agreed_some",
    "S",
    [
      ["other", "agreed"],
      ["children", "not_agreed"],
    ],
    ["laaCode"],
  ],
])("the agency's code: a case about %s with %s, %s and %j says in its fields %j that they contradict", (...row) => {
  const [issueScope, code, laaCode, pairs, fields] = row;
  const issues = pairs.map(([kind, result]) => ({ kind, result }));
  const said = { code, laaCode, laaReason: "Because", isWrittenUp: isOfWriting(code, laaCode), documents: [], issues };
  expect(Object.keys(contradictionsIn(said, { ...IN_ENGLAND, issueScope, hasSession: true }))).toEqual(fields);
});

test.each<[Code, LegalAidCode, string[]]>([
  ["agreed_all", "S", ["isWrittenUp"]],
  ["agreed_all", "A", []],
  ["agreed_some", "P", ["isWrittenUp"]],
  ["agreed_some", "C", ["isWrittenUp"]],
  ["agreed_some", "B", []],
  ["agreed_not_written", "A", []],
  ["agreed_not_written", "S", ["laaCode"]],
])("the agency's code: %s with %s, where nothing was written up, contradicts in %j", (code, laaCode, fields) => {
  expect(found(code, RESULTS[code], { laaCode, isWrittenUp: false })).toEqual(fields);
});

test.each<[string, { concludedOn: string; heldOn: string; startedAt: string | null }, boolean]>([
  [
    "before the day on which mediation ended",
    { concludedOn: "2026-03-02", heldOn: "2026-03-01", startedAt: "2026-03-01T09:00:00Z" },
    true,
  ],
  [
    "after that day, recorded with the end",
    { concludedOn: "2026-03-02", heldOn: "2026-03-03", startedAt: "2026-03-03T09:00:00Z" },
    false,
  ],
  [
    "on the day of the end, before it was recorded",
    { concludedOn: "", heldOn: "2026-03-05", startedAt: "2026-03-05T09:00:00Z" },
    true,
  ],
  [
    "on that day, after it was recorded",
    { concludedOn: "2026-03-05", heldOn: "2026-03-05", startedAt: "2026-03-05T15:00:00Z" },
    false,
  ],
  ["on a day that is not known", { concludedOn: "", heldOn: "", startedAt: null }, false],
])(
  "a round that ended on 5 March: a session %s belongs to it: %j %s",
  (_when, { concludedOn, heldOn, startedAt }, isOfIt) => {
    const round = { concludedOn, endedAt: "2026-03-05T12:00:00Z" };
    expect(wasHeldIn(round, { heldOn, startedAt: startedAt === null ? null : new Date(startedAt) })).toBe(isOfIt);
  },
);

test("the agency's code: where it is another than the issues speak for, somebody says why", () => {
  const said = {
    code: "agreed_all" as const,
    laaCode: "A" as const,
    isWrittenUp: true,
    documents: [],
    issues: [{ kind: "children", result: "agreed" } as const, { kind: "property_finance", result: "agreed" } as const],
  };
  const of = { ...IN_ENGLAND, issueScope: "all_issues", hasSession: true };
  expect(Object.keys(contradictionsIn({ ...said, laaReason: "" }, of))).toEqual(["laaReason"]);
  expect(contradictionsIn({ ...said, laaReason: "Told so by the agency" }, of)).toEqual({});
  expect(contradictionsIn({ ...said, laaCode: "S", laaReason: "" }, of)).toEqual({});
});

test.each<[Code, SessionOutcomeCode, boolean]>([
  ["agreed_all", "agreed_all", true],
  ["agreed_all", "agreed_some", false],
  ["agreed_all", "not_agreed", false],
  ["agreed_some", "broken_off", false],
  ["not_agreed", "agreed_some", false],
  ["not_agreed", "not_agreed", true],
  ["agreed_not_written", "agreed_some", true],
  ["agreed_all", "continues", true],
  ["reconciled", "broken_off", true],
  ["settled_themselves", "agreed_some", true],
])("an outcome against the last session: %s after %s goes without a reason: %s", (code, last, isOfOneMind) => {
  expect(againstSession(code, { number: 3, code: last }) === null).toBe(isOfOneMind);
  expect(againstSession(code, null)).toBeNull();
});

test("the ends of mediation: each has its outcomes, and no other step has any", () => {
  expect(CASE_STATUSES.filter((to) => outcomesOf(to).length > 0)).toEqual(["concluded", "terminated"]);
  expect(outcomesOf("terminated")).toEqual(["agreed_some", "agreed_not_written", "not_agreed"]);
  expect(endingsOf("terminated")).not.toContain("reconciled");
  expect(endingsOf("not_proceeding")).toContain("reconciled");
  expect(endingsOf("not_proceeding")).not.toContain("broken_down");
});
