// What a party's calendar answered to an invitation, and who says so.
import mongoose from "mongoose";
import type { z } from "zod";
import { samePerson } from "@app/shared/email-address";
import { INVITATION_REPLY_NAMES, type InvitationReply } from "@app/shared/meeting-states";
import type { Meeting, settleReplySchema } from "@app/shared/meetings";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/errors.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { getMeeting } from "./meetings.service.ts";
import { type MeetingDoc, MeetingModel, type PartyReply } from "./meetings.model.ts";

export interface CalendarReply {
  /** As the invitation gave it: that party's own. */
  uid: string;
  sequence: number;
  /** Who answers, as the mail says. */
  address: string;
  reply: InvitationReply;
}

/**
 * Notes it at the meeting: as that party's answer where it is proved that they wrote it, else as what somebody says.
 * False where it is no answer to an invitation as it stands now, or not from that party.
 */
export async function noteCalendarReply(ownerId: string, answer: CalendarReply, isProved: boolean): Promise<boolean> {
  const { uid, sequence, reply } = answer;
  const meeting = await MeetingModel.findOne({ ownerId, "uids.uid": uid, icsSequence: sequence }).lean();
  const partyId = meeting?.uids.find((one) => one.uid === uid)?.partyId ?? "";
  if (!meeting?.caseId || !meeting.partyIds.includes(partyId)) return false;
  const scope = systemScope(ownerId);
  const { parties } = await getCase(scope, meeting.caseId);
  const party = parties.find((one) => one.partyId === partyId);
  if (!party) return false;
  const { email } = await getClient(scope, party.clientId);
  if (!samePerson(email, answer.address)) return false;
  return isProved ? noteReply(meeting, { partyId, reply, sequence }) : noteClaim(meeting, { partyId, reply, sequence });
}

const ofOthers = (replies: PartyReply[] = [], partyId: string) => replies.filter((one) => one.partyId !== partyId);

const noteReply = (meeting: MeetingDoc, reply: PartyReply): Promise<boolean> =>
  change(meeting, {
    replies: [...ofOthers(meeting.replies, reply.partyId), reply],
    claims: ofOthers(meeting.claims, reply.partyId),
  });

/** What says only what is known already needs nobody to confirm it. */
function noteClaim(meeting: MeetingDoc, claim: PartyReply): Promise<boolean> | true {
  const { partyId, reply, sequence } = claim;
  const isKnown = meeting.replies?.some(
    (one) => one.partyId === partyId && one.reply === reply && one.sequence === sequence,
  );
  return isKnown || change(meeting, { claims: [...ofOthers(meeting.claims, partyId), claim] });
}

async function change(
  { ownerId, _id, icsSequence }: MeetingDoc,
  set: Partial<Pick<MeetingDoc, "replies" | "claims">>,
): Promise<boolean> {
  // The meeting itself is as it was.
  const options = { timestamps: false };
  const { matchedCount } = await MeetingModel.updateOne({ ownerId, _id, icsSequence }, { $set: set }, options);
  return matchedCount === 1;
}

/** Somebody of the practice says whether an answer that nothing proves was that party's own. */
export async function settleReply(
  scope: Scope,
  { id, partyId, reply, isTheirs }: z.output<typeof settleReplySchema>,
): Promise<Meeting> {
  const { caseId, people } = await getMeeting(scope, id);
  await inTransaction(async () => {
    const before = await MeetingModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id, claims: mongoose.trusted({ $elemMatch: { partyId, reply } }) },
      { $pull: { claims: { partyId } } },
      { lean: true, timestamps: false },
    );
    const claim = before?.claims.find((one) => one.partyId === partyId && one.sequence === before.icsSequence);
    if (!before || !claim)
      throw wrongState("Somebody else decided this, or the answer changed meanwhile. Look at the meeting again.");
    const person = people.find((one) => one.partyId === partyId);
    const said = INVITATION_REPLY_NAMES[reply].toLowerCase();
    const isOrNot = isTheirs ? "is theirs" : "is not theirs";
    await recordEvent(scope, {
      kind: "meeting",
      caseId,
      clientIds: person ? [person.clientId] : [],
      text: `An unconfirmed answer to an invitation (${said}) ${isOrNot}`,
      visibility: PRACTICE_ONLY,
    });
    if (isTheirs) await change(before, { replies: [...ofOthers(before.replies, partyId), claim] });
  });
  return getMeeting(scope, id);
}
