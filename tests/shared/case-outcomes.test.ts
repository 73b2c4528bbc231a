import { contradictionsIn, LEGAL_AID_OUTCOMES, type Outcome } from "@app/shared/case-outcomes";
import { describe, expect, test } from "vitest";

type Code = Outcome["code"];
type Result = Outcome["issues"][number]["result"];

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
    ["agreed_all", [], true],
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
    expect(found("agreed_not_written", [], { isWrittenUp: true })).toEqual(["isWrittenUp"]);
    expect(found("agreed_all", [], { isWrittenUp: true })).toEqual([]);
  });
});

test.each<[Code, string, string, string]>([
  ["not_agreed", "all_issues", "B", "SPCA"],
  ["agreed_all", "all_issues", "SA", "BPC"],
  ["agreed_all", "child_only", "SA", "BPC"],
  ["agreed_some", "all_issues", "PCBA", "S"],
  ["agreed_some", "child_only", "SBA", "PC"],
  ["agreed_some", "property_finance", "SBA", "PC"],
])("the agency's code: with %s in a case about %s may be one of %s, and none of %s", (code, scope, fits, others) => {
  for (const laaCode of fits) expect(found(code, [], { laaCode, scope }), laaCode).toEqual([]);
  for (const laaCode of others) expect(found(code, [], { laaCode, scope }), laaCode).toEqual(["laaCode"]);
});
