// What came of a case.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { PARTIES_MAX } from "./visibility.ts";

export const ISSUES_MAX = 20;
export const NARRATIVE_MAX_LENGTH = 2000;

/** The agency's codes of an outcome (submit a bulk claim, field OUTCOME_CODE); A as its older service has it. */
export const LEGAL_AID_OUTCOMES = ["S", "P", "C", "B", "A"] as const;

/** What a mediation may leave in the hands of those who were in it. */
export const CLOSING_DOCUMENTS = ["financial_statement", "memorandum", "parenting_plan"] as const;

export const outcomeSchema = z.strictObject({
  code: z.enum(["agreed_all", "agreed_some", "agreed_not_written", "not_agreed"]),
  /** Chosen where legal aid pays for somebody; empty where it does not. */
  laaCode: z.enum([...LEGAL_AID_OUTCOMES, ""]),
  issues: z
    .array(z.strictObject({ label: lineSchema(100).min(1), result: z.enum(["agreed", "partly", "not_agreed"]) }))
    .max(ISSUES_MAX),
  isWrittenUp: z.boolean(),
  /** What was handed out at the end, and to whom; none in cases that ended before this was asked. */
  documents: z
    .array(z.strictObject({ kind: z.enum(CLOSING_DOCUMENTS), partyIds: z.array(idSchema).min(1).max(PARTIES_MAX) }))
    .max(CLOSING_DOCUMENTS.length)
    .default([]),
  /** That nothing binds until it is made legal, and each should take advice of their own. */
  isAdviceTold: z.boolean().default(false),
  /** For the practice's own file. */
  narrative: z.string().trim().max(NARRATIVE_MAX_LENGTH),
});
export type Outcome = z.infer<typeof outcomeSchema>;

interface Said extends Pick<Outcome, "code" | "laaCode" | "isWrittenUp"> {
  issues: readonly Pick<Outcome["issues"][number], "result">[];
}

/** What one part of an outcome says against another, by field; empty where it is all of a piece. */
export function contradictionsIn(
  said: Said,
  issueScope: string,
): { issues?: string; isWrittenUp?: string; laaCode?: string } {
  const issues = againstIssues(said);
  const laaCode = againstCode(said, issueScope);
  const isUnwritten = said.code === "agreed_not_written" && said.isWrittenUp;
  return {
    ...(issues === null ? {} : { issues }),
    ...(isUnwritten ? { isWrittenUp: "The outcome says that it was not written up. Change one of the two." } : {}),
    ...(laaCode === null ? {} : { laaCode }),
  };
}

function againstIssues({ code, issues }: Said): string | null {
  const isEach = (result: "agreed" | "not_agreed") =>
    issues.length > 0 && issues.every((issue) => issue.result === result);
  switch (code) {
    case "agreed_all":
      return issues.length === 0 || isEach("agreed")
        ? null
        : "The outcome says that all was agreed, and an issue here was not. Change one of the two.";
    case "not_agreed":
      return issues.length === 0 || isEach("not_agreed")
        ? null
        : "The outcome says that nothing was agreed, and an issue here was. Change one of the two.";
    case "agreed_some":
      if (isEach("agreed"))
        return "All issues here were agreed, and the outcome says that some were. Change one of the two.";
      return isEach("not_agreed")
        ? "No issue here was agreed, and the outcome says that some were. Change one of the two."
        : null;
    case "agreed_not_written":
      return isEach("not_agreed")
        ? "No issue here was agreed, and the outcome says that there was an agreement. Change one of the two."
        : null;
  }
}

/** Of the agency's codes only S and B go with cases about one kind of issue (its fee codes, mediation). */
function againstCode({ code, laaCode }: Said, issueScope: string): string | null {
  if (laaCode === "") return null;
  if (code === "not_agreed") return laaCode === "B" ? null : "Nothing was agreed, so the code is B.";
  if (code === "agreed_all" && laaCode === "B") return "All was agreed, so the code is not B.";
  const isOfPart = laaCode === "P" || laaCode === "C";
  if (isOfPart && issueScope !== "all_issues") return "This code is for cases about all issues. Choose S or B.";
  if (isOfPart && code === "agreed_all") return "All was agreed, so the code is not one for a part of it.";
  if (laaCode === "S" && code === "agreed_some" && issueScope === "all_issues")
    return "Some was agreed, so the code is not the one for all issues.";
  return null;
}
