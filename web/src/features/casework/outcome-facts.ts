// What is shown of how a mediation ended.
import type { Outcome } from "@app/shared/case-outcomes";
import { CASE_STATUS_NAMES, caseStatusName, ENDING_NAMES, isResolved } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import {
  CLOSING_DOCUMENT_NAMES,
  ISSUE_KIND_NAMES,
  ISSUE_RESULT_NAMES,
  LEGAL_AID_OUTCOME_NAMES,
  OUTCOME_NAMES,
} from "../cases/case-words.ts";

interface Fact {
  label: string;
  value: string;
}

interface Days {
  day: (at: string) => string;
  calendarDay: (day: string) => string;
}

/** How it ended before each time that it came back. */
export const roundFacts = ({ rounds }: Case, { day, calendarDay }: Days): Fact[] =>
  rounds.map(({ status, ending, outcome, reason, endedAt, concludedOn }, index) => ({
    label: `Round ${index + 1}`,
    value: [
      `${caseStatusName({ status, outcome })}, on ${concludedOn ? calendarDay(concludedOn) : day(endedAt)}`,
      outcome && OUTCOME_NAMES[outcome.code] !== CASE_STATUS_NAMES[status] && OUTCOME_NAMES[outcome.code],
      ...(outcome ? issueFacts(outcome).map(({ value }) => value) : []),
      ending && ending !== outcome?.code && ENDING_NAMES[ending],
      outcome?.laaCode && `legal aid ${LEGAL_AID_OUTCOME_NAMES[outcome.laaCode]}`,
      outcome?.narrative,
      reason,
    ]
      .filter(Boolean)
      .join("; "),
  }));

export const outcomeFacts = ({ outcome, parties, concludedOn }: Case, { calendarDay }: Days): Fact[] =>
  outcome === null
    ? []
    : [
        { label: "Outcome", value: OUTCOME_NAMES[outcome.code] },
        ...(concludedOn ? [{ label: "Ended on", value: calendarDay(concludedOn) }] : []),
        ...issueFacts(outcome),
        { label: "Written up", value: outcome.isWrittenUp ? "Yes" : "No" },
        ...outcome.documents.map(({ kind, partyIds, fileId, isMadeOutside }) => ({
          label: CLOSING_DOCUMENT_NAMES[kind],
          value: `To ${parties
            .filter(({ partyId }) => partyIds.includes(partyId))
            .map(({ name }) => name)
            .join(" and ")}${fileId === "" ? "" : ", as on file"}${isMadeOutside ? ", made outside" : ""}`,
        })),
        { label: "Legal advice", value: outcome.isAdviceTold ? "Told to take it" : "Not noted" },
        ...(outcome.laaCode === "" ? [] : [{ label: "Legal aid", value: LEGAL_AID_OUTCOME_NAMES[outcome.laaCode] }]),
        ...(outcome.laaReason === "" ? [] : [{ label: "Why that code", value: outcome.laaReason }]),
        ...(outcome.narrative === "" ? [] : [{ label: "Summary", value: outcome.narrative }]),
      ];

/** Why a case ended before its conclusion; that people are at one again is no breakdown, and stands as what came of it. */
export const endingFacts = ({ ending, outcome, concludedOn }: Case, { calendarDay }: Days): Fact[] => {
  const on = outcome === null && concludedOn ? [{ label: "Ended on", value: calendarDay(concludedOn) }] : [];
  if (ending === null || ending === outcome?.code) return on;
  return [...on, { label: isResolved(ending) ? "Outcome" : "Ended", value: ENDING_NAMES[ending] }];
};

/** Two issues may have the same name, and each fact has its own. */
const issueFacts = ({ issues }: Outcome): Fact[] =>
  issues.map(({ label, kind, result }, index) => ({
    label: `Issue ${index + 1}`,
    value: `${label}${kind === "" ? "" : ` (${ISSUE_KIND_NAMES[kind].toLowerCase()})`}: ${ISSUE_RESULT_NAMES[result].toLowerCase()}`,
  }));
