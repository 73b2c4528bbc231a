// What the screenings of those who meet ask of meetings that were arranged somewhere else.
import { isHolding } from "@app/shared/meeting-states";
import { unkeptMeasures } from "@app/shared/meeting-safety";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type CaseOfClients, casesOfClients } from "../cases/cases-import.service.ts";
import { takeSafetyTurn } from "../screenings/safety-turns.service.ts";
import { measuresFor, screeningBlockers } from "../screenings/screening-gates.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";

/** The same words whatever was found and whoever imports: the report is read by others too, and later. */
export const IMPORT_HAS_TO_WAIT =
  "This has to wait for the safety screening. Whoever may read screenings sees why in the case, and can book it there.";

type Arranged = Pick<MeetingDoc, "type" | "location" | "status" | "endsAt" | "caseId" | "clientIds">;

interface Joint<Meeting> {
  meeting: Meeting;
  caseId: string;
  /** Those who would meet. */
  parties: CaseOfClients["parties"];
}

/** Those of these still to come in which parties of one case meet, also where the meeting names no case. */
async function jointAmong<Meeting extends Arranged>(
  { ownerId }: Scope,
  meetings: readonly Meeting[],
): Promise<Joint<Meeting>[]> {
  const coming = meetings.filter(
    ({ status, endsAt, clientIds }) => isHolding(status) && endsAt > now() && clientIds.length > 1,
  );
  if (coming.length === 0) return [];
  const cases = await casesOfClients(
    ownerId,
    coming.flatMap(({ clientIds }) => clientIds),
  );
  return coming.flatMap((meeting) =>
    cases
      .filter(({ _id }) => meeting.caseId === null || meeting.caseId === _id)
      .map(({ _id, parties }) => ({
        meeting,
        caseId: _id,
        parties: parties.filter(({ clientId }) => meeting.clientIds.includes(clientId)),
      }))
      .filter(({ parties }) => parties.length > 1),
  );
}

async function isUnsafe(scope: Scope, { meeting, caseId, parties }: Joint<Arranged>): Promise<boolean> {
  const blockers = await screeningBlockers(scope, { caseId, parties });
  if (blockers.length > 0) return true;
  const partyIds = parties.map(({ partyId }) => partyId);
  const measures = await measuresFor(scope, caseId, partyIds);
  return unkeptMeasures(measures, { ...meeting, partyIds, arrivals: [], arrangements: [] }).length > 0;
}

/** Those of these that must not be booked as they are; what is over is taken over as it was. */
export async function unsafeAmong<Meeting extends Arranged>(
  scope: Scope,
  meetings: readonly Meeting[],
): Promise<Set<Meeting>> {
  const unsafe = new Set<Meeting>();
  for (const joint of await jointAmong(scope, meetings))
    if (!unsafe.has(joint.meeting) && (await isUnsafe(scope, joint))) unsafe.add(joint.meeting);
  return unsafe;
}

/** In the transaction that stores them: PRECONDITION_FAILED where one of them must not be booked as it is. */
export async function assertNoneUnsafe(scope: Scope, meetings: readonly Arranged[]): Promise<void> {
  const joint = await jointAmong(scope, meetings);
  for (const caseId of new Set(joint.map((one) => one.caseId))) await takeSafetyTurn(scope.ownerId, caseId);
  for (const one of joint) if (await isUnsafe(scope, one)) throw wrongState(IMPORT_HAS_TO_WAIT);
}
