// What is entered of how a mediation ended, and what is still missing of it.
import { isAided } from "@app/shared/aided";
import { unusualIn } from "@app/shared/case-closing";
import {
  contradictionsIn,
  isOtherCode,
  legalAidCodeOf,
  type Outcome,
  takesLegalAidCode,
} from "@app/shared/case-outcomes";
import type { Region } from "@app/shared/regions";
import type { Case } from "@app/shared/cases";

type Result = Outcome["issues"][number]["result"];

export interface OutcomeValues {
  code: Outcome["code"] | "";
  /** Empty for what the issues speak for. */
  laaCode: Outcome["laaCode"];
  laaReason: string;
  issues: { key: string; label: string; kind: Outcome["issues"][number]["kind"]; result: Result | "" }[];
  isWrittenUp: boolean;
  documents: Outcome["documents"];
  isAdviceTold: boolean;
  narrative: string;
}

export const NO_OUTCOME: OutcomeValues = {
  code: "",
  laaCode: "",
  laaReason: "",
  issues: [],
  isWrittenUp: false,
  documents: [],
  isAdviceTold: false,
  narrative: "",
};

/** A case that ends, whether a session of two sides was held in it, and who came to one. */
export interface Ending {
  theCase: Case;
  region: Region;
  hasSession: boolean;
  mediatedIds: readonly string[];
}

const ofCase = ({ theCase: { domain, issueScope }, region, hasSession }: Ending) => ({
  domain,
  region,
  issueScope,
  hasSession,
});

/** Before an outcome is chosen, whether one that is may take a code. */
export const asksForCode = (ending: Ending, { code }: Pick<OutcomeValues, "code">): boolean =>
  isAided(ending.theCase.parties, ending.mediatedIds) && takesLegalAidCode(code || "not_agreed", ofCase(ending));

/** The code that is said: the one that was chosen, or else what the issues speak for. */
export function codeOf(ending: Ending, { code, laaCode, issues }: OutcomeValues): Outcome["laaCode"] {
  if (code === "" || !asksForCode(ending, { code })) return "";
  return laaCode || (legalAidCodeOf({ code, issues: entered(issues) }, ofCase(ending)) ?? "");
}

/** Whether it is another than the issues speak for, so that somebody says why. */
export const isCodeOther = (ending: Ending, { code, laaCode, issues }: OutcomeValues): boolean =>
  code !== "" &&
  asksForCode(ending, { code }) &&
  isOtherCode({ code, laaCode, issues: entered(issues) }, ofCase(ending));

/** What still has to be chosen, by field. */
export function outcomeProblems(ending: Ending, values: OutcomeValues): Record<string, string> {
  const { code, issues } = values;
  const outcome = outcomeOf(ending, values);
  const isOpen = ({ label, kind, result }: OutcomeValues["issues"][number]) =>
    label.trim() === "" || result === "" || (hasKinds(ending.theCase) && kind === "");
  return {
    ...(outcome ? contradictionsIn(outcome, ofCase(ending)) : {}),
    ...(code === "" ? { code: "Choose how it ended" } : {}),
    ...(asksForCode(ending, values) && codeOf(ending, values) === ""
      ? { laaCode: "Choose the code for the Legal Aid Agency" }
      : {}),
    ...(values.documents.some(({ fileId, isMadeOutside }) => fileId === "" && !isMadeOutside)
      ? { documents: "Choose of each document which paper it is." }
      : {}),
    ...(issues.some(isOpen) ? { issues: "Fill in each issue, or take it out." } : {}),
  };
}

/** Whether it is asked what each issue is about. */
export const hasKinds = ({ domain }: Pick<Case, "domain">): boolean => domain === "family";

/** What has to be explained, because it is unusual or the last session says otherwise; null where nothing has. */
export const contradictedBy = (
  { theCase }: Pick<Ending, "theCase">,
  { code, ...values }: OutcomeValues,
  when: Parameters<typeof unusualIn>[2],
): string | null => (code === "" ? null : unusualIn({ ...values, code }, theCase, when));

export function outcomeOf(ending: Ending, values: OutcomeValues): Outcome | null {
  const { code, laaReason, issues, ...rest } = values;
  if (code === "") return null;
  const laaCode = codeOf(ending, values);
  return {
    ...rest,
    code,
    laaCode,
    laaReason: isCodeOther(ending, values) ? laaReason.trim() : "",
    issues: entered(issues),
  };
}

const entered = (issues: OutcomeValues["issues"]): Outcome["issues"] =>
  issues.flatMap(({ label, kind, result }) => (result === "" ? [] : [{ label: label.trim(), kind, result }]));
