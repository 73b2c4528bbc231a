// What came of a case.
import { z } from "zod";
import { againstChildren, againstParenting } from "./case-children.ts";
import { type CasePlace, type CaseStatus, hasMiams } from "./case-states.ts";
import { SESSION_OUTCOME_NAMES, type SessionOutcomeCode } from "./session-states.ts";
import { CLOSING_DOCUMENTS, type ClosingDocument, closingDocumentSchema } from "./closing-documents.ts";
import { lineSchema } from "./text.ts";

export const ISSUES_MAX = 20;
export const NARRATIVE_MAX_LENGTH = 2000;
const LAA_REASON_MAX_LENGTH = 200;

/** The agency's codes of an outcome (submit a bulk claim, field OUTCOME_CODE); A as its older service has it. */
export const LEGAL_AID_OUTCOMES = ["S", "P", "C", "B", "A"] as const;

/** What an issue is about, as the agency divides them; asked in family cases. */
export const ISSUE_KINDS = ["property_finance", "children", "other"] as const;

export const OUTCOMES = [
  "agreed_all",
  "agreed_some",
  "agreed_not_written",
  "settled_before",
  "settled_themselves",
  "reconciled",
  "not_agreed",
] as const;

export const outcomeSchema = z.strictObject({
  code: z.enum(OUTCOMES),
  /** Chosen where legal aid pays for somebody and there is something to claim for, else empty. */
  laaCode: z.enum([...LEGAL_AID_OUTCOMES, ""]),
  /** Why it is another code than the issues speak for. */
  laaReason: lineSchema(LAA_REASON_MAX_LENGTH).default(""),
  issues: z
    .array(
      z.strictObject({
        label: lineSchema(100).min(1),
        /** Empty in cases that ended before this was asked, and where nobody divides them. */
        kind: z.enum([...ISSUE_KINDS, ""]).default(""),
        result: z.enum(["agreed", "partly", "not_agreed"]),
      }),
    )
    .max(ISSUES_MAX),
  isWrittenUp: z.boolean(),
  /** What was handed out at the end, and to whom; none in cases that ended before this was asked. */
  documents: z.array(closingDocumentSchema).max(CLOSING_DOCUMENTS.length).default([]),
  /** That nothing binds until it is made legal, and each should take advice of their own. */
  isAdviceTold: z.boolean().default(false),
  /** For the practice's own file. */
  narrative: z.string().trim().max(NARRATIVE_MAX_LENGTH),
});
export type Outcome = z.infer<typeof outcomeSchema>;

type Code = Outcome["code"];
type Kind = (typeof ISSUE_KINDS)[number];
type LegalAidCode = (typeof LEGAL_AID_OUTCOMES)[number];

const AGREEMENTS: readonly Code[] = ["agreed_all", "agreed_some", "agreed_not_written"];
/** Whether it says that something was agreed in mediation. */
export const isAgreement = (code: Code): boolean => AGREEMENTS.includes(code);

/** What a case is about, and in which law. */
interface Subject extends CasePlace {
  issueScope: string;
}

interface Mediated extends Subject {
  /** Whether a session of two sides was held: without one there is no mediation to claim for. */
  hasSession: boolean;
}

/**
 * The agency pays for family mediation in England and Wales, about children, about property and finance, or about both:
 * for no other case has it a fee code.
 */
export const isPaidFor = ({ issueScope, ...place }: Subject): boolean => hasMiams(place) && issueScope !== "other";

/** Whether the agency is told of it. */
export const takesLegalAidCode = (code: Code, of: Mediated): boolean =>
  isPaidFor(of) && of.hasSession && code !== "settled_before";

/** The outcomes with which mediation may end there; empty where a case does not end so, or mediation had not begun. */
export function outcomesOf(to: CaseStatus): readonly Code[] {
  if (to === "concluded") return OUTCOMES;
  return to === "terminated" ? ["agreed_some", "agreed_not_written", "not_agreed"] : [];
}

/** What people find between themselves, whatever a session found before. */
const OUTSIDE: readonly Code[] = ["settled_themselves", "reconciled"];
export const isOutside = (code: Code): boolean => OUTSIDE.includes(code);

/** Which outcomes of a case go with what its last session found. */
const AFTER: Record<SessionOutcomeCode, readonly Code[]> = {
  continues: OUTCOMES,
  agreed_all: ["agreed_all", "agreed_not_written", ...OUTSIDE],
  agreed_some: ["agreed_some", "agreed_not_written", ...OUTSIDE],
  not_agreed: ["not_agreed", ...OUTSIDE],
  broken_off: ["not_agreed", ...OUTSIDE],
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

interface Said extends Pick<Outcome, "code" | "laaCode" | "laaReason" | "isWrittenUp" | "documents"> {
  issues: readonly Pick<Outcome["issues"][number], "kind" | "result">[];
}

/** The code that an outcome and the kinds of its issues speak for; null where whoever knows has to say. */
export function legalAidCodeOf({ code, issues }: Pick<Said, "code" | "issues">, of: Mediated): LegalAidCode | null {
  if (!takesLegalAidCode(code, of)) return null;
  switch (code) {
    case "agreed_all":
      return isOwnAgreed(issues, of.issueScope) ? "S" : null;
    case "agreed_some":
      return partAgreed(issues, of.issueScope);
    case "not_agreed":
    case "settled_themselves":
    case "reconciled":
      return "B";
    case "settled_before":
    case "agreed_not_written":
      return null;
  }
}

const agreedKinds = (issues: Said["issues"]) =>
  new Set(issues.filter(({ result }) => result !== "not_agreed").map(({ kind }) => kind));

/**
 * Of a case about all issues there is a code where all of one kind was agreed and nothing of the other; of another, where
 * all of its own kind was. Whether less than that is enough the agency does not say.
 */
function partAgreed(issues: Said["issues"], issueScope: string): LegalAidCode | null {
  const agreed = agreedKinds(issues);
  if (agreed.has("")) return null;
  const isWhole = (kind: Kind) =>
    agreed.has(kind) && issues.every((issue) => issue.kind !== kind || issue.result === "agreed");
  if (issueScope !== "all_issues") {
    const own = KIND_OF_SCOPE.get(issueScope);
    return own !== undefined && isWhole(own) ? "S" : null;
  }
  if (agreed.has("property_finance") === agreed.has("children")) return null;
  if (isWhole("children")) return "C";
  return isWhole("property_finance") ? "P" : null;
}

/** The one kind of issue that the agency pays for in such a case; null where it is more than one, or nobody divides them. */
const KIND_OF_SCOPE = new Map<string, Kind>([
  ["child_only", "children"],
  ["property_finance", "property_finance"],
]);

/** Whether something was agreed of what a case about one kind of issue is about, as far as kinds were said. */
function isOwnAgreed(issues: Said["issues"], issueScope: string): boolean {
  const own = KIND_OF_SCOPE.get(issueScope);
  const agreed = agreedKinds(issues);
  return own === undefined || agreed.has("") || agreed.has(own);
}

const CORRECT_SCOPE = "Correct under “Edit” what the case is about, or the issues here: the code depends on it.";

/** What the kinds of the issues say against what the case is about, where a code is told to the agency. */
function againstScope({ code, laaCode, issues }: Said, issueScope: string): string | null {
  const kinds = new Set(issues.map(({ kind }) => kind));
  if (laaCode === "" || kinds.has("")) return null;
  const [hasChildren, hasProperty] = [kinds.has("children"), kinds.has("property_finance")];
  if (issueScope === "child_only" && hasProperty)
    return `The case is about children only, and an issue here is about property or money. ${CORRECT_SCOPE}`;
  if (issueScope === "property_finance" && hasChildren)
    return `The case is about property and money only, and an issue here is about children. ${CORRECT_SCOPE}`;
  // What breaks down may do so before every issue was named.
  if (issueScope !== "all_issues" || !isAgreement(code) || (hasChildren && hasProperty)) return null;
  if (!hasChildren && !hasProperty)
    return `The case is about all issues, and none here is about children, property or money. ${CORRECT_SCOPE}`;
  return `The case is about all issues, and those here are about ${hasChildren ? "children" : "property and money"} only. ${CORRECT_SCOPE}`;
}

/** What one part of an outcome says against another, by field; empty where it is all of a piece. */
export function contradictionsIn(
  said: Said,
  of: Mediated,
): { issues?: string; isWrittenUp?: string; documents?: string; laaCode?: string; laaReason?: string } {
  const issues = againstIssues(said) ?? againstScope(said, of.issueScope) ?? againstChildren(said, of);
  const documents = againstParenting(said, of);
  const laaCode = againstCode(said, of);
  const isUnexplained = laaCode === null && isOtherCode(said, of) && said.laaReason === "";
  const isWrittenUp = againstWriting(said);
  return {
    ...(issues === null ? {} : { issues }),
    ...(isWrittenUp === null ? {} : { isWrittenUp }),
    ...(documents === null ? {} : { documents }),
    ...(laaCode === null ? {} : { laaCode }),
    ...(isUnexplained ? { laaReason: "Say why it is another code than the issues speak for." } : {}),
  };
}

const WRITTEN: readonly ClosingDocument[] = ["memorandum", "parenting_plan"];
/** Whether what was found together was handed out in writing. */
export const hasWriting = ({ documents }: Pick<Said, "documents">): boolean =>
  documents.some(({ kind }) => WRITTEN.includes(kind));

/** What the agency pays for is what was proposed in writing. */
const OF_PROPOSALS: readonly Outcome["laaCode"][] = ["S", "P", "C"];

function againstWriting(said: Said): string | null {
  if (said.code === "agreed_not_written" && said.isWrittenUp)
    return "The outcome says that it was not written up. Change one of the two.";
  if (said.code !== "agreed_not_written" && !said.isWrittenUp && OF_PROPOSALS.includes(said.laaCode))
    return "With this code the agency pays for what was written up. Write it up first, or choose another outcome or code.";
  return hasWriting(said) && !said.isWrittenUp
    ? "A memorandum or parenting plan was handed out, so it was written up. Change one of the two."
    : null;
}

/** Whether somebody chose another code than the issues speak for, or one that is paid for where they speak for none. */
export function isOtherCode(said: Pick<Said, "code" | "laaCode" | "issues">, of: Mediated): boolean {
  const spoken = legalAidCodeOf(said, of);
  if (spoken !== null) return said.laaCode !== "" && said.laaCode !== spoken;
  return said.code === "agreed_some" && OF_PROPOSALS.includes(said.laaCode) && !agreedKinds(said.issues).has("");
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
    case "settled_themselves":
    case "reconciled":
      return null;
    case "agreed_not_written":
      return isEach("not_agreed")
        ? "No issue here was agreed, and the outcome says that there was an agreement. Change one of the two."
        : null;
  }
}

/** What a code for a part is paid for. */
const KIND_OF_CODE = new Map<string, Kind>([
  ["P", "property_finance"],
  ["C", "children"],
]);

/** Of the agency's codes only S and B go with cases about one kind of issue (its fee codes, mediation). */
function againstCode({ code, laaCode, issues }: Said, of: Mediated): string | null {
  const { issueScope } = of;
  if (laaCode === "") return null;
  if (!isPaidFor(of)) return "The Legal Aid Agency pays for no case like this, so there is no code.";
  if (!takesLegalAidCode(code, of))
    return "No session of two sides was held, so there is no mediation to claim for, and no code.";
  if (code === "not_agreed") return laaCode === "B" ? null : "Nothing was agreed, so the code is B.";
  if (isOutside(code)) return laaCode === "B" ? null : "It was not agreed in mediation, so the code is B.";
  if (code === "agreed_not_written" && laaCode !== "A" && laaCode !== "B")
    return "It was not written up, so there is no proposal that the agency pays for. Choose A or B.";
  if (code === "agreed_all" && laaCode === "B") return "All was agreed, so the code is not B.";
  const isOfPart = laaCode === "P" || laaCode === "C";
  if (isOfPart && issueScope !== "all_issues") return "This code is for cases about all issues. Choose S or B.";
  if (isOfPart && code === "agreed_all") return "All was agreed, so the code is not one for a part of it.";
  const agreed = agreedKinds(issues);
  const paidKind = KIND_OF_CODE.get(laaCode);
  if (paidKind !== undefined && agreed.size > 0 && !agreed.has("") && !agreed.has(paidKind))
    return "Nothing was agreed of what this code is paid for. Choose another code, or correct the issues.";
  if (laaCode === "S" && code === "agreed_some" && issueScope === "all_issues")
    return "Some was agreed, so the code is not the one for all issues.";
  if (laaCode === "S" && !isOwnAgreed(issues, issueScope))
    return "Nothing was agreed of what the case is about, so the code is not S. Correct the issues or what the case is about, or choose another code.";
  return null;
}
