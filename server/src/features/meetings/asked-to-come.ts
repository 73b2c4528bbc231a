// Whether anybody is asked to come to a meeting as things stand now, by whatever way they would be.
import { isTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import { measuresFor } from "../screenings/screening-gates.service.ts";
import { isOffByEnd, isOneSided } from "./ended-cases.ts";
import { unexplainedIn } from "./meeting-measures.service.ts";
import { type Obstacle, whoComes, whyNotBooked } from "./meeting-safety.ts";
import type { MeetingDoc } from "./meetings.model.ts";

type WhyUnsure = Obstacle["why"];
export type WhyNotAsked = "ended" | "one-sided" | WhyUnsure;

/** What happened since it was booked that keeps everybody from being asked; null where they are. */
export async function whyNotAsked(scope: Scope, theCase: Case, meeting: MeetingDoc): Promise<WhyNotAsked | null> {
  if (isOffByEnd(theCase, meeting)) return "ended";
  const unsure = await whyUnsure(scope, theCase, meeting);
  return unsure ?? (isOneSided(theCase, meeting) ? "one-sided" : null);
}

/** What would keep it from being booked now as it is, and with invitations as then; null where nothing would. */
export async function whyUnsure(scope: Scope, theCase: Case, meeting: MeetingDoc): Promise<WhyUnsure | null> {
  const obstacle = await whyNotBooked(scope, theCase, meeting, { isAskedNow: true, isTold: true });
  if (obstacle) return obstacle.why;
  return (await isAgainstMeasures(scope, theCase, meeting)) ? "screening" : null;
}

/** Whether it goes without measures that were asked for since, and nobody said why. */
async function isAgainstMeasures(scope: Scope, theCase: Case, meeting: MeetingDoc): Promise<boolean> {
  const takingPart = theCase.parties.filter(isTakingPart).map(({ partyId }) => partyId);
  const partyIds = whoComes(theCase, meeting).filter((id) => takingPart.includes(id));
  if (partyIds.length < 2) return false;
  const measures = await measuresFor(scope, theCase.id, partyIds);
  return unexplainedIn(meeting, { measures, partyIds }).length > 0;
}
