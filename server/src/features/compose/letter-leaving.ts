// A letter is judged again when it leaves: the meeting whose entry it carries, what its fields say, and
// whose mails it answers.
import { MERGE_FIELDS, MERGE_PATHS, type MergeField } from "@app/shared/merge-fields";
import { systemScope } from "../../core/system-scope.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { whyInvitationIsOff } from "../ladders/attempts.service.ts";
import { carrierOf } from "../mail/mail-from.service.ts";
import { invitationOf, stillComing } from "../meetings/meeting-invitations.service.ts";
import { whyLetterStays } from "../outbox/leaving-letters.service.ts";
import type { Delivering, Leaving, Staying } from "../outbox/outbox-delivery.service.ts";
import type { MailContent } from "../outbox/outbox.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { openFor } from "../visibility/for-party.service.ts";
import { sayableOf } from "./compose-context.ts";
import { quotedBy } from "../inbox/quoted-mail.service.ts";

const HAS_CHANGED = "The appointment has changed since this was written. Look at the calendar, and write again.";
const NOBODY_CAN_TELL = "The mailbox does not answer, so nobody can tell whose message this answers.";

type Mail = Parameters<Delivering["leavingNow"]>[0];

/** A letter with its calendar entry and what it answers as they are now, or why it cannot leave. */
export async function letterNow(mail: Mail, content: MailContent): Promise<Leaving | Staying> {
  const staying = await whyLetterStays({ ownerId: mail.ownerId, mailId: mail._id, to: content.to });
  if (staying) return staying;
  const entry = content.meeting && (await entryNow(mail, content, content.meeting));
  if (content.meeting && !entry) return { stays: "failed", reason: HAS_CHANGED };
  const off = await whyInvitationIsOff(systemScope(mail.ownerId), mail._id);
  if (off) return { stays: "failed", reason: off };
  const changed = await changedSince(mail, content);
  if (changed) return { stays: "failed", reason: changed };
  const { ownerId, createdBy: userId } = mail;
  const { answers, isComplete } = await quotedBy({ ownerId, userId }, content);
  if (!isComplete) return { stays: "unknown", reason: NOBODY_CAN_TELL };
  return {
    content: entry ? { ...content, attachments: [entry] } : content,
    // A mail that was found then may be gone by now, and is quoted all the same.
    answers: [...content.answers, ...answers],
  };
}

/** What these say is whoever writes and when, and until when to answer; it was true, and stays so. */
const OF_ITS_WRITING: readonly MergeField[] = ["sender.name", "mediator.name", "today", "invitation.replyBy"];

/** Why what its fields said then is not what they would say now; null where it still is. */
async function changedSince({ ownerId, clientId, caseId }: Mail, { said }: MailContent): Promise<string | null> {
  const fields = MERGE_PATHS.filter((field) => said[field] !== undefined && !OF_ITS_WRITING.includes(field));
  if (fields.length === 0) return null;
  if (!clientId) return HAS_CHANGED;
  const { values } = await sayableOf(systemScope(ownerId), { clientId, caseId });
  const changed = fields.filter((field) => values[field] !== said[field]);
  if (changed.length === 0) return null;
  if (changed.some((field) => field.startsWith("meeting."))) return HAS_CHANGED;
  const names = changed.map((field) => MERGE_FIELDS[field].toLowerCase()).join(", ");
  return `What this letter says has changed since it was written: ${names}. Write it again.`;
}

/** Whoever carries the letter now is who is answered. */
async function entryNow(
  { ownerId, caseId, partyId, createdBy }: Mail,
  { to }: MailContent,
  meeting: { id: string; sequence: number },
) {
  const scope = systemScope(ownerId);
  const [theCase] = caseId ? await findVisibleCases(scope, [caseId]) : [];
  const party = theCase?.parties.find((one) => one.partyId === partyId);
  const coming = theCase && party && (await stillComing(scope, meeting, { theCase, partyId: party.partyId }));
  if (!theCase || !party || !coming) return null;
  const practiceName = await practiceNameOf(ownerId);
  const { address: organiserEmail } = await carrierOf({ ownerId, userId: createdBy });
  const entry = invitationOf(coming, { party, practiceName, email: to, organiserEmail });
  return openFor(entry, { caseId: theCase.id, partyId: party.partyId });
}
