import {
  againstSession,
  contradictionsIn,
  LEGAL_AID_OUTCOMES,
  type Outcome,
  outcomesOf,
} from "@app/shared/case-outcomes";
import { CASE_STATUSES } from "@app/shared/case-states";
import type { SessionOutcomeCode } from "@app/shared/session-states";
import { describe, expect, test } from "vitest";

type Code = Outcome["code"];
type Result = Outcome["issues"][number]["result"];

/** Results that go with it. */
const RESULTS: Record<Code, Result[]> = {
  agreed_all: ["agreed"],
  agreed_some: ["partly"],
  agreed_not_written: ["agreed"],
  settled_before: [],
  not_agreed: [],
};

interface Further {
  laaCode?: string;
  scope?: string;
  isWrittenUp?: boolean;
}

const found = (
  code: Code,
  results: Result[],
  { laaCode = "", scope = "all_issues", isWrittenUp = false }: Further = {},
) =>
  Object.keys(
    contradictionsIn(
      {
        code,
        laaCode: LEGAL_AID_OUTCOMES.find((one) => one === laaCode) ?? "",
        isWrittenUp,
        issues: results.map((result) => ({ result })),
      },
      scope,
    ),
  );

describe("an outcome against the result of each issue", () => {
  test.each<[Code, Result[], boolean]>([
    ["agreed_all", [], false],
    ["agreed_some", [], false],
    ["agreed_not_written", [], false],
    ["settled_before", [], true],
    ["settled_before", ["agreed"], true],
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
])("the agency's code: with %s in a case about %s may be one of %s, and none of %s", (code, scope, fits, others) => {
  const results = RESULTS[code];
  for (const laaCode of fits) expect(found(code, results, { laaCode, scope }), laaCode).toEqual([]);
  for (const laaCode of others) expect(found(code, results, { laaCode, scope }), laaCode).toEqual(["laaCode"]);
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
])("an outcome against the last session: %s after %s goes without a reason: %s", (code, last, isOfOneMind) => {
  expect(againstSession(code, { number: 3, code: last }) === null).toBe(isOfOneMind);
  expect(againstSession(code, null)).toBeNull();
});

test("the ends of mediation: each has its outcomes, and no other step has any", () => {
  expect(CASE_STATUSES.filter((to) => outcomesOf(to).length > 0)).toEqual(["concluded", "terminated"]);
  expect(outcomesOf("terminated")).not.toContain("agreed_all");
});
