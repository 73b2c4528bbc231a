// What a party's calendar answered to an invitation.
import { samePerson } from "@app/shared/email-address";
import type { InvitationReply } from "@app/shared/meeting-states";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { MeetingModel } from "./meetings.model.ts";

export interface CalendarReply {
  /** As the invitation gave it: the meeting's own, and the label of the party. */
  uid: string;
  sequence: number;
  /** Who answers. */
  address: string;
  reply: InvitationReply;
}

/** Notes it at the meeting. False where it is no answer to an invitation as it stands now, or not from that party. */
export async function noteCalendarReply(ownerId: string, answer: CalendarReply): Promise<boolean> {
  const [, icsUid = "", label = ""] = /^(.+)-(p\d+)$/i.exec(answer.uid) ?? [];
  const meeting = await MeetingModel.findOne({ ownerId, icsUid, icsSequence: answer.sequence }).lean();
  if (!meeting?.caseId) return false;
  const scope = systemScope(ownerId);
  const { parties } = await getCase(scope, meeting.caseId);
  const party = parties.find((one) => one.label.toLowerCase() === label.toLowerCase());
  if (!party || !meeting.partyIds.includes(party.partyId)) return false;
  const { email } = await getClient(scope, party.clientId);
  if (!samePerson(email, answer.address)) return false;
  const { partyId } = party;
  const { reply, sequence } = answer;
  const others = (meeting.replies ?? []).filter((one) => one.partyId !== partyId);
  const replies = [...others, { partyId, reply, sequence }];
  const { matchedCount } = await MeetingModel.updateOne(
    { ownerId, _id: meeting._id, icsSequence: answer.sequence },
    { $set: { replies } },
  );
  return matchedCount === 1;
}
