// What came of a case.
import { z } from "zod";
import type { CaseStatus } from "./case-states.ts";
import { idSchema } from "./ids.ts";
import { SESSION_OUTCOME_NAMES, type SessionOutcomeCode } from "./session-states.ts";
import { lineSchema } from "./text.ts";
import { PARTIES_MAX } from "./visibility.ts";

export const ISSUES_MAX = 20;
export const NARRATIVE_MAX_LENGTH = 2000;

/** The agency's codes of an outcome (submit a bulk claim, field OUTCOME_CODE); A as its older service has it. */
export const LEGAL_AID_OUTCOMES = ["S", "P", "C", "B", "A"] as const;

/** What a mediation may leave in the hands of those who were in it. */
export const CLOSING_DOCUMENTS = ["financial_statement", "memorandum", "parenting_plan"] as const;

export const OUTCOMES = ["agreed_all", "agreed_some", "agreed_not_written", "settled_before", "not_agreed"] as const;

export const outcomeSchema = z.strictObject({
  code: z.enum(OUTCOMES),
  /** Chosen where legal aid pays for somebody and there is something to claim for, else empty. */
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
type Code = Outcome["code"];

const AGREEMENTS: readonly Code[] = ["agreed_all", "agreed_some", "agreed_not_written"];
/** Whether it says that something was agreed in mediation. */
export const isAgreement = (code: Code): boolean => AGREEMENTS.includes(code);

/** Whether the agency is told of it: without a session there is no mediation to claim for. */
export const takesLegalAidCode = (code: Code): boolean => code !== "settled_before";

/** The outcomes with which mediation may end there; empty where a case does not end so, or mediation had not begun. */
export function outcomesOf(to: CaseStatus): readonly Code[] {
  if (to === "concluded") return OUTCOMES;
  return to === "terminated" ? ["agreed_some", "settled_before", "not_agreed"] : [];
}

/** Which outcomes of a case go with what its last session found. */
const AFTER: Record<SessionOutcomeCode, readonly Code[]> = {
  continues: OUTCOMES,
  agreed_all: ["agreed_all", "agreed_not_written"],
  agreed_some: ["agreed_some", "agreed_not_written"],
  not_agreed: ["not_agreed"],
  broken_off: ["not_agreed"],
};

export interface LastSession {
  number: number;
  code: SessionOutcomeCode;
}

/** What the last session says against this outcome, so that somebody says why; null where they are of one mind. */
export const againstSession = (code: Code, last: LastSession | null): string | null =>
  last === null || AFTER[last.code].includes(code)
    ? null
    : `Session ${last.number} says “${SESSION_OUTCOME_NAMES[last.code]}”. Say why the case ends otherwise.`;

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
  if (isAgreement(code) && issues.length === 0) return "Name each issue, and what came of it.";
  const isEach = (result: "agreed" | "not_agreed") =>
    issues.length > 0 && issues.every((issue) => issue.result === result);
  switch (code) {
    case "agreed_all":
      return isEach("agreed")
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
    case "settled_before":
      return null;
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
  if (!takesLegalAidCode(code))
    return "It was settled before a session, so there is no mediation to claim for, and no code.";
  if (code === "agreed_not_written" && laaCode !== "A" && laaCode !== "B")
    return "It was not written up, so there is no proposal that the agency pays for. Choose A or B.";
  if (code === "agreed_all" && laaCode === "B") return "All was agreed, so the code is not B.";
  const isOfPart = laaCode === "P" || laaCode === "C";
  if (isOfPart && issueScope !== "all_issues") return "This code is for cases about all issues. Choose S or B.";
  if (isOfPart && code === "agreed_all") return "All was agreed, so the code is not one for a part of it.";
  if (laaCode === "S" && code === "agreed_some" && issueScope === "all_issues")
    return "Some was agreed, so the code is not the one for all issues.";
  return null;
}
