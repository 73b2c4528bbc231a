// What an answer to an invitation, or a report of an undelivered mail, changes here; only what is proved does so by itself.
import { inTransaction } from "../../core/database.ts";
import type { Mailbox } from "../mailboxes/mailbox-access.service.ts";
import { providerOfServer } from "../mailboxes/mail-providers.ts";
import { noteBounce } from "../mail/outbox-bounces.service.ts";
import { noteMailingBounce } from "../mailings/mailing-bounces.service.ts";
import { noteCalendarReply } from "../meetings/replies.service.ts";
import { type DeliveryReport, isFromOwnProvider, type MailSign } from "./mail-sign-reading.ts";
import { bouncesIn, envelopeIdIn, replyIn } from "./mail-signs.ts";

interface Box {
  ownerId: string;
  mailbox: Mailbox;
}

export async function takeIn(box: Box, sign: MailSign): Promise<void> {
  const answer = sign.calendar === null ? null : replyIn(sign.calendar, sign.from);
  if (answer) await noteCalendarReply(box.ownerId, answer, sign.isProved);
  if (sign.report) await takeReport(box, sign, sign.report);
}

async function takeReport({ ownerId, mailbox }: Box, sign: MailSign, report: DeliveryReport): Promise<void> {
  const [bounce] = bouncesIn(report.status);
  if (!report.messageId || !bounce) return;
  const reportsFrom = providerOfServer(mailbox.imap.host)?.reportsFrom ?? [];
  const returned = {
    ...bounce,
    messageId: report.messageId,
    envelopeId: envelopeIdIn(report.status),
    isFromOwnProvider: isFromOwnProvider(sign, mailbox, reportsFrom),
  };
  await inTransaction(async () => (await noteBounce(ownerId, returned)) || noteMailingBounce(ownerId, returned));
}
