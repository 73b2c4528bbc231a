// Where cases of the invented practice stand, and how those ended that were over when it was taken over.
import { CASE_STATUSES, type CaseStatus, type PartyStatus } from "@app/shared/case-states";
import type { Outcome } from "@app/shared/case-outcomes";
import type { End } from "@app/server/features/cases/case-parties.service";

/** Where the case of this number stands in the end. */
export function demoStateOf(number: number): CaseStatus {
  const turn = number * 7 + Math.floor(number / CASE_STATUSES.length);
  return CASE_STATUSES[turn % CASE_STATUSES.length] ?? "enquiry";
}

/** Where the parties of a case in this state are. */
export const PARTY_STATES: Record<CaseStatus, [PartyStatus, PartyStatus][]> = {
  enquiry: [["to_invite", "to_invite"]],
  intake: [
    ["responded", "to_invite"],
    ["miam_booked", "to_invite"],
    ["intake_done", "to_invite"],
  ],
  awaiting_second_party: [
    ["suitable", "invited"],
    ["suitable", "no_response"],
    ["miam_attended", "invited"],
  ],
  assessing: [
    ["suitable", "intake_done"],
    ["suitable_with_measures", "miam_attended"],
    ["suitable", "miam_missed"],
  ],
  ready: [
    ["agreement_signed", "suitable"],
    ["agreement_signed", "agreement_signed"],
  ],
  in_mediation: [["active", "active"]],
  paused: [["active", "active"]],
  concluded: [["done", "done"]],
  closed: [["done", "done"]],
  not_proceeding: [["suitable", "refused"]],
  terminated: [["active", "withdrawn"]],
};

/** What people find between themselves: of what was found in sessions there would have to be sessions. */
const OUTSIDE = ["settled_themselves", "reconciled", "settled_before"] as const;

/** How a case in this state ended; nothing for one that goes on. */
export function endOf(status: CaseStatus, number: number, concludedOn: string): { end?: End } {
  const none = { ending: null, outcome: null, concludedOn: "" };
  if (status === "not_proceeding") return { end: { ...none, ending: "refused" } };
  if (status === "terminated") return { end: { ending: "withdrew", outcome: outcomeOf("not_agreed"), concludedOn } };
  if (status !== "concluded" && status !== "closed") return {};
  return { end: { ...none, outcome: outcomeOf(OUTSIDE[number % OUTSIDE.length] ?? "not_agreed"), concludedOn } };
}

const outcomeOf = (code: Outcome["code"]): Outcome => ({
  code,
  laaCode: "",
  laaReason: "",
  issues: [],
  isWrittenUp: false,
  documents: [],
  isAdviceTold: true,
  narrative: "",
});

export interface Standing {
  status: CaseStatus;
  /** Where its parties are, in their order; else as in any case of that state. */
  parties?: [PartyStatus, PartyStatus];
}

/** Where a case stood before it came to this end; one that goes on stands where it is. */
export function stateBefore(status: CaseStatus): Standing {
  switch (status) {
    case "not_proceeding":
      return { status: "awaiting_second_party", parties: ["suitable", "to_invite"] };
    case "terminated":
    case "concluded":
    case "closed":
      return { status: "in_mediation" };
    default:
      return { status };
  }
}
