// What is shown of how a mediation ended.
import type { Outcome } from "@app/shared/case-outcomes";
import type { Case } from "@app/shared/cases";
import {
  CLOSING_DOCUMENT_NAMES,
  ISSUE_RESULT_NAMES,
  LEGAL_AID_OUTCOME_NAMES,
  OUTCOME_NAMES,
} from "../cases/case-words.ts";

interface Fact {
  label: string;
  value: string;
}

export const outcomeFacts = ({ outcome, parties }: Case): Fact[] =>
  outcome === null
    ? []
    : [
        { label: "Outcome", value: OUTCOME_NAMES[outcome.code] },
        ...issueFacts(outcome),
        { label: "Written up", value: outcome.isWrittenUp ? "Yes" : "No" },
        ...outcome.documents.map(({ kind, partyIds }) => ({
          label: CLOSING_DOCUMENT_NAMES[kind],
          value: `To ${parties
            .filter(({ partyId }) => partyIds.includes(partyId))
            .map(({ name }) => name)
            .join(" and ")}`,
        })),
        { label: "Legal advice", value: outcome.isAdviceTold ? "Told to take it" : "Not noted" },
        ...(outcome.laaCode === "" ? [] : [{ label: "Legal aid", value: LEGAL_AID_OUTCOME_NAMES[outcome.laaCode] }]),
        ...(outcome.narrative === "" ? [] : [{ label: "Summary", value: outcome.narrative }]),
      ];

/** Two issues may have the same name, and each fact has its own. */
const issueFacts = ({ issues }: Outcome): Fact[] =>
  issues.map(({ label, result }, index) => ({
    label: `Issue ${index + 1}`,
    value: `${label}: ${ISSUE_RESULT_NAMES[result].toLowerCase()}`,
  }));
