// What a screening means for where its party stands in the case.
import { type CaseStatus, ENDED_STATUSES, type PartyStatus } from "@app/shared/case-states";
import type { Suitability } from "@app/shared/screenings";
import { now } from "../../core/clock.ts";
import { type CaseDoc, type PartyDoc, partyIn, statusOf } from "../cases/case-parties.service.ts";

interface Found {
  suitable: Suitability;
  /** The day on which it counts. */
  on: string;
}

/**
 * Moves a party where their screening says. Until they attended their first meeting alone it changes nothing of where
 * they stand: it counts for every joint meeting all the same, and moves them once they attended. The reasons stay in the
 * screening, so that nobody reads them in the case.
 */
export function followScreening(draft: CaseDoc, partyId: string, { suitable, on }: Found): void {
  const party = partyIn(draft, partyId);
  const to = statusAfter(party, suitable, draft.status);
  if (to !== party.status) Object.assign(party, { ...statusOf(to, now(), party), reason: "", assessedOn: on });
}

const ASSESSED = {
  yes: "suitable",
  yes_with_measures: "suitable_with_measures",
  no: "not_suitable",
} as const satisfies Record<Suitability, PartyStatus>;
const UNDER_WAY: readonly CaseStatus[] = ["in_mediation", "paused"];

export function statusAfter(
  { status, agreementSignedOn }: Pick<PartyDoc, "status" | "agreementSignedOn">,
  suitable: Suitability,
  caseStatus: CaseStatus,
): PartyStatus {
  switch (status) {
    case "miam_attended":
    case "suitable":
    case "suitable_with_measures":
      return ASSESSED[suitable];
    case "agreement_signed":
    case "active":
      return suitable === "no" ? "not_suitable" : status;
    case "done":
      return suitable === "no" && !ENDED_STATUSES.includes(caseStatus) ? "not_suitable" : status;
    case "not_suitable":
      // What was signed before stays signed.
      if (suitable === "no" || agreementSignedOn === "") return ASSESSED[suitable];
      if (caseStatus === "concluded") return "done";
      return UNDER_WAY.includes(caseStatus) ? "active" : "agreement_signed";
    default:
      return status;
  }
}

/** Whether a screening can say that this party is to stand elsewhere. */
export const isMovedByScreening = (party: PartyDoc, caseStatus: CaseStatus): boolean =>
  (["yes", "no"] as const).some((suitable) => statusAfter(party, suitable, caseStatus) !== party.status);
