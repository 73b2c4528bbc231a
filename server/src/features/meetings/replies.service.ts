// What a party's calendar answered to an invitation, and who says so.
import mongoose from "mongoose";
import type { z } from "zod";
import type { Party } from "@app/shared/cases";
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
import { practiceDates } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { entryOf } from "./meeting-uids.service.ts";
import { getMeeting } from "./meetings.service.ts";
import { claimAbout } from "./meeting-tasks.ts";
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
export const noteCalendarReply = (ownerId: string, answer: CalendarReply, isProved: boolean): Promise<boolean> =>
  // Both parties may answer at the same moment, and the second keeps what the first said.
  inTransaction(() => noteAnswer(ownerId, answer, isProved));

async function noteAnswer(ownerId: string, answer: CalendarReply, isProved: boolean): Promise<boolean> {
  const { uid, sequence, reply } = answer;
  const meeting = await MeetingModel.findOne({
    ownerId,
    uids: mongoose.trusted({ $elemMatch: { uid, sequence } }),
  }).lean();
  const partyId = meeting?.uids.find((one) => one.uid === uid)?.partyId ?? "";
  if (!meeting?.caseId || !meeting.partyIds.includes(partyId)) return false;
  const scope = systemScope(ownerId);
  const { parties } = await getCase(scope, meeting.caseId);
  const party = parties.find((one) => one.partyId === partyId);
  if (!party) return false;
  const { email } = await getClient(scope, party.clientId);
  if (!samePerson(email, answer.address)) return false;
  const said = { partyId, reply, sequence };
  if (isProved) return noteReply(meeting, said);
  const isNew = !isStated(meeting.replies, said) && !meeting.claims?.some(isOf(said));
  const isNoted = await noteClaim(meeting, said);
  if (isNoted && isNew) await askToConfirm(meeting, party);
  return isNoted;
}

const ofOthers = (replies: PartyReply[] = [], partyId: string) => replies.filter((one) => one.partyId !== partyId);

const noteReply = (meeting: MeetingDoc, reply: PartyReply): Promise<boolean> =>
  change(meeting, reply, {
    replies: [...ofOthers(meeting.replies, reply.partyId), reply],
    claims: ofOthers(meeting.claims, reply.partyId),
  });

/** What says only what is known already needs nobody to confirm it. */
const noteClaim = (meeting: MeetingDoc, claim: PartyReply): Promise<boolean> | true =>
  isStated(meeting.replies, claim) ||
  change(meeting, claim, { claims: [...ofOthers(meeting.claims, claim.partyId), claim] });

const isOf =
  ({ partyId, sequence }: Pick<PartyReply, "partyId" | "sequence">) =>
  (one: PartyReply) =>
    one.partyId === partyId && one.sequence === sequence;

const isStated = (replies: PartyReply[] = [], claim: PartyReply): boolean =>
  replies.some((one) => isOf(claim)(one) && one.reply === claim.reply);

/** Otherwise somebody would have to open the meeting to learn that an answer waits there. */
async function askToConfirm({ _id, ownerId, startsAt, createdBy, caseId }: MeetingDoc, party: Party) {
  const { longDay } = await practiceDates(ownerId);
  const title = `${party.label} may have answered the invitation for ${longDay(startsAt)}: open the meeting and say whether it was them`;
  const links = { caseId, clientId: party.clientId, about: claimAbout({ _id }, party.partyId) };
  await createTasks(systemScope(ownerId), [{ title, dueOn: null, assigneeId: createdBy, ...links }]);
}

async function change(
  { ownerId, _id }: MeetingDoc,
  { partyId, sequence }: PartyReply,
  set: Partial<Pick<MeetingDoc, "replies" | "claims">>,
): Promise<boolean> {
  // The meeting itself is as it was.
  const options = { timestamps: false };
  const isAsked = { ownerId, _id, uids: mongoose.trusted({ $elemMatch: { partyId, sequence } }) };
  const { matchedCount } = await MeetingModel.updateOne(isAsked, { $set: set }, options);
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
    const claim = before?.claims.find(isOf(entryOf(before, partyId)));
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
    await callOff({ ownerId: scope.ownerId, caseId, abouts: [claimAbout(before, partyId)] });
    if (isTheirs) await change(before, claim, { replies: [...ofOthers(before.replies, partyId), claim] });
  });
  return getMeeting(scope, id);
}
