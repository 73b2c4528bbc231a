// What a screening means for where its party stands in the case.
import { type CaseStatus, ENDED_STATUSES, type PartyStatus } from "@app/shared/case-states";
import { followedTo, hasFirstMeeting } from "@app/shared/case-transitions";
import type { Suitability } from "@app/shared/screenings";
import { now } from "../../core/clock.ts";
import { type CaseDoc, type PartyDoc, partyIn, statusOf } from "../cases/case-parties.service.ts";
import { enterParty, isSignedStill, lastStepOf, takePartyBack } from "../cases/case-steps.service.ts";

interface Found {
  suitable: Suitability;
  /** The day on which it counts. */
  on: string;
}

/**
 * Moves a party where their screening says. Whoever is found not safe is out at once, wherever they stood, and is back
 * there once they are found safe; until they attended their first meeting alone, or in kinds of cases without one did their
 * intake, that they are suitable changes nothing of where they stand. The reasons stay in the screening, so that nobody reads them in the case.
 */
export function followScreening(draft: CaseDoc, partyId: string, { suitable, on }: Found): void {
  const party = partyIn(draft, partyId);
  const to = statusAfter(party, suitable, draft);
  if (to === party.status) return;
  // That somebody is suitable is no step of its own.
  if (UNASSESSED.includes(party.status) && to === "not_suitable") return enterParty(party, to, { on, reason: "" });
  const last = lastStepOf(party);
  // Who was out without a step of their own, because they had attended, goes back to no earlier one.
  if (last?.to === "not_suitable" && UNASSESSED.includes(last.from)) {
    takePartyBack(party);
    if (party.status === to) return;
    attendedMeanwhile(party);
  }
  Object.assign(party, { ...statusOf(to, now(), party), reason: "", assessedOn: isFound(to) ? on : party.assessedOn });
}

interface Struck {
  struck: { suitable: Suitability; completedAt: Date };
  /** The screening that counts instead; undefined where there is none. */
  instead: { suitable: Suitability; completedAt: Date } | undefined;
  on: string;
}

/** Takes back where a screening led its party that is struck, and moves them where the one says that counts instead. */
export function unfollowScreening(draft: CaseDoc, partyId: string, { struck, instead, on }: Struck): void {
  const party = partyIn(draft, partyId);
  if (party.status === "not_suitable") {
    const last = party.steps.at(-1);
    const decided = last?.to === "not_suitable" ? last : undefined;
    // Whoever was found not suitable by a decision, and not by this screening, stays so.
    if (struck.suitable !== "no" || (decided && decided.at < struck.completedAt)) return;
    if (decided) takePartyBack(party);
    if (UNASSESSED.includes(party.status)) attendedMeanwhile(party);
  }
  if (instead) return followScreening(draft, partyId, { suitable: instead.suitable, on });
  if (party.status === "not_suitable") {
    const to = statusOnceSafe(party, "yes", draft);
    Object.assign(party, { ...statusOf(to, now(), party), reason: "" });
  }
  if (!isFound(party.status)) return;
  // Nothing is found of them any more.
  if (lastStepOf(party)?.to === party.status) takePartyBack(party);
  else {
    const to = followedTo(draft.domain, "miam_attended", party);
    Object.assign(party, { ...statusOf(to, now(), party), assessedOn: "" });
  }
}

/** Whoever attended while they were out takes that step before the one that follows from it. */
function attendedMeanwhile(party: PartyDoc): void {
  const { miamOn: on } = party;
  if (on === "" || party.steps.some(({ to }) => to === "miam_attended")) return;
  party.miamOn = "";
  enterParty(party, "miam_attended", { on, reason: "" });
}

export const ASSESSED = {
  yes: "suitable",
  yes_with_measures: "suitable_with_measures",
  no: "not_suitable",
} as const satisfies Record<Suitability, PartyStatus>;
const isFound = (status: PartyStatus): boolean => Object.values<PartyStatus>(ASSESSED).includes(status);
const UNDER_WAY: readonly CaseStatus[] = ["in_mediation", "paused"];
const UNASSESSED: readonly PartyStatus[] = [
  "to_invite",
  "invited",
  "no_response",
  "refused",
  "responded",
  "intake_done",
  "miam_booked",
  "miam_missed",
];

type OfCase = Pick<CaseDoc, "status" | "domain" | "steps">;

export function statusAfter(party: PartyDoc, suitable: Suitability, theCase: OfCase): PartyStatus {
  const { status } = party;
  switch (status) {
    case "intake_done":
      return suitable === "no" || !hasFirstMeeting(theCase.domain) ? ASSESSED[suitable] : status;
    case "miam_attended":
    case "suitable":
    case "suitable_with_measures":
      return ASSESSED[suitable];
    case "done":
      return suitable === "no" && !ENDED_STATUSES.includes(theCase.status) ? "not_suitable" : status;
    case "not_suitable":
      return suitable === "no" ? status : statusOnceSafe(party, suitable, theCase);
    case "withdrawn":
    case "died":
      return status;
    default:
      return suitable === "no" ? "not_suitable" : status;
  }
}

/** Where somebody stands again who was out. */
function statusOnceSafe(party: PartyDoc, suitable: Suitability, theCase: OfCase): PartyStatus {
  const { status, domain } = theCase;
  const { miamOn, intakeDoneOn } = party;
  const last = lastStepOf(party);
  const stood = last?.to === "not_suitable" ? last.from : "miam_attended";
  // That somebody is safe does not make them willing again.
  if (isSignedStill(theCase, party) && stood !== "refused") {
    // What was signed before stays signed.
    if (status === "concluded") return "done";
    return UNDER_WAY.includes(status) ? "active" : "agreement_signed";
  }
  const hasAttended = miamOn !== "" && stood !== "refused";
  if (stood === "intake_done" && !hasFirstMeeting(domain)) return ASSESSED[suitable];
  if (UNASSESSED.includes(stood) && !hasAttended) return stood;
  // In family cases nobody is suitable who did not attend a MIAM.
  if (domain === "family" && !hasAttended) return intakeDoneOn === "" ? "responded" : "intake_done";
  return ASSESSED[suitable];
}

/** Whether a screening can say that this party is to stand elsewhere. */
export const isMovedByScreening = (party: PartyDoc, theCase: OfCase): boolean =>
  (["yes", "no"] as const).some((suitable) => statusAfter(party, suitable, theCase) !== party.status);
