// A practice whose mailbox lies on a real IMAP server, and a meeting that two parties were invited to.
import { createLogger } from "@app/server/core/logger";
import { readAutomatedMails } from "@app/server/features/inbox/automated-mails.service";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import type { Dovecot } from "./dovecot.ts";
import { layMails } from "./imap-mail.ts";
import { connectMailbox } from "./mailbox.ts";
import { aCase, aMeetingInput, aPractice, type TestPractice } from "../server/people.ts";
import { OWN_SERVER } from "./automated-mails.ts";
import type { TestApp } from "../server/test-app.ts";

const VOUCHED_HOST = "127.0.0.1";
/** For the app: its mailboxes lie on a server that vouches for senders under this name. */
export const SENDER_CHECKS = { MAIL_ALLOW_PRIVATE_HOSTS: "true", MAIL_SENDER_CHECKS: `${VOUCHED_HOST}=${OWN_SERVER}` };

const log = createLogger("silent");
let count = 0;

interface Options {
  /** Where the product finds the server, where that is not the server itself. */
  imapPort?: number;
  /** Whether whoever runs the installation vouches for its server. */
  isVouched?: boolean;
}

export async function aWatchedMailbox(app: TestApp, dovecot: Dovecot, { imapPort, isVouched = true }: Options = {}) {
  const practice = await aPractice(app);
  const email = `signs${(count += 1)}@practice.example.org`;
  const server = { port: imapPort ?? dovecot.port, ca: dovecot.ca };
  const host = isVouched ? VOUCHED_HOST : "localhost";
  await connectMailbox(practice.ownerId, { email, smtpPort: 1, imapPort: server.port, ca: server.ca, host });
  const look = () => readAutomatedMails(practice.ownerId, log);
  return {
    practice,
    email,
    look,
    async came(mails: string[]) {
      await layMails(dovecot, email, mails);
      await look();
    },
  };
}
export type WatchedMailbox = Awaited<ReturnType<typeof aWatchedMailbox>>;

/** A meeting of both parties of a case, with their invitations as they were sent. */
export async function anInvitedMeeting(practice: TestPractice) {
  const { theCase, first, second, p1, p2 } = await aCase(practice);
  const input = aMeetingInput(practice.ownerId, {
    caseId: theCase.id,
    partyIds: [p1.partyId, p2.partyId],
    isInvitationSent: true,
  });
  const meeting = await practice.api.meetings.create.mutate(input);
  const { ownerId } = practice;
  const stored = await MeetingModel.findOne({ ownerId, _id: meeting.id }).lean();
  const uidOf = (partyId: string) => stored?.uids.find((one) => one.partyId === partyId)?.uid ?? "";
  const read = () => practice.api.meetings.get.query({ id: meeting.id });
  return {
    theCase,
    meeting,
    first,
    second,
    p1,
    p2,
    read,
    uid1: uidOf(p1.partyId),
    uid2: uidOf(p2.partyId),
    replies: async () => (await read()).replies,
    claims: async () => (await read()).claims,
  };
}

/** The invitation of this client, as if it had left. */
export async function sentTo(practice: TestPractice, clientId: string) {
  const { ownerId } = practice;
  const mail = await OutboxModel.findOneAndUpdate({ ownerId, clientId }, { $set: { state: "sent" } }).lean();
  if (!mail) throw new Error("no invitation was written");
  const shown = async () => (await practice.api.outbox.list.query({ clientId, page: 1 })).items[0];
  return { id: mail._id, messageId: mail.messageId, shown };
}
