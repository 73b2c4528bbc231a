import type { Case } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import type { GuardedItem } from "../visibility/visibility.ts";
import { clientBriefs } from "../clients/clients.service.ts";
import { type ForParty, joinFor, mapFor, partyOf } from "../visibility/for-party.ts";
import { MeetingModel } from "./meetings.model.ts";
import { meetingFor, type PartyMeeting } from "./meetings.visibility.ts";

const PREVIEW_MAX = 100;

/** The meetings of a case as this party knows them, the newest first. */
export async function partyMeetings(
  scope: Scope,
  theCase: Case,
  partyId: string,
): Promise<ForParty<readonly GuardedItem[]>> {
  const to = { theCase, partyId };
  const docs = await MeetingModel.find({ ownerId: scope.ownerId, caseId: theCase.id })
    .sort({ startsAt: -1, _id: -1 })
    .limit(PREVIEW_MAX)
    .lean();
  const { clientId } = partyOf(to);
  const isNeutral = (await clientBriefs(scope, [clientId])).get(clientId)?.isRestricted ?? true;
  const known = docs.flatMap((doc) => {
    const own = meetingFor(doc, to, isNeutral);
    return own ? [mapFor(own, (meeting) => [itemOf(meeting, doc.createdAt)])] : [];
  });
  return joinFor(to, known);
}

const itemOf = ({ id, title, location, change, startsAt, visibility }: PartyMeeting, since: Date): GuardedItem => ({
  kind: "meeting",
  id,
  title,
  detail: [location, change].filter(Boolean).join(". "),
  at: startsAt.toISOString(),
  since,
  changedAt: since,
  visibility,
});
