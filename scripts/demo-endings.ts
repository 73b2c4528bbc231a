// How cases of the invented practice ended that were over when it was taken over.
import type { CaseStatus } from "@app/shared/case-states";
import type { Outcome } from "@app/shared/case-outcomes";
import type { End } from "@app/server/features/cases/case-parties.service";

const OUTCOMES = ["agreed_all", "agreed_some", "not_agreed"] as const;

/** How a case in this state ended; nothing for one that goes on. */
export function endOf(status: CaseStatus, number: number, concludedOn: string): { end?: End } {
  const none = { ending: null, outcome: null, concludedOn: "" };
  if (status === "not_proceeding") return { end: { ...none, ending: "refused" } };
  if (status === "terminated") return { end: { ending: "broken_down", outcome: outcomeOf("not_agreed"), concludedOn } };
  if (status !== "concluded" && status !== "closed") return {};
  return { end: { ...none, outcome: outcomeOf(OUTCOMES[number % OUTCOMES.length] ?? "not_agreed"), concludedOn } };
}

const RESULTS = {
  agreed_all: ["agreed", "agreed"],
  agreed_some: ["agreed", "not_agreed"],
  not_agreed: ["not_agreed", "not_agreed"],
} as const;

const outcomeOf = (code: (typeof OUTCOMES)[number]): Outcome => ({
  code,
  laaCode: "",
  laaReason: "",
  issues: [
    { label: "Holidays", kind: "children", result: RESULTS[code][0] },
    { label: "The house", kind: "property_finance", result: RESULTS[code][1] },
  ],
  isWrittenUp: code !== "not_agreed",
  documents: [],
  isAdviceTold: true,
  narrative: "",
});
