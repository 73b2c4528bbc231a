// What an answer to an invitation, or a report of an undelivered mail, changes here; only what is proved does so by itself.
import { z } from "zod";
import { MAIL_RECIPIENTS_MAX } from "@app/shared/mail-check";
import { INVITATION_REPLIES } from "@app/shared/meeting-states";
import { inTransaction } from "../../core/database.ts";
import type { Asker } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import type { Mailbox } from "../mailboxes/mailbox-access.service.ts";
import { providerOfServer } from "../mailboxes/mail-providers.service.ts";
import { noteBounce } from "../outbox/outbox-bounces.service.ts";
import { noteMailingBounce } from "../mailings/mailing-bounces.service.ts";
import { noteCalendarReply } from "../meetings/replies.service.ts";
import { type DeliveryReport, isFromOwnProvider, type AutomatedMail } from "./automated-mail-reading.ts";
import type { work } from "./automated-mails.foreign.ts";

const LIMIT_MS = 3000;
// Each of them may stand with two addresses.
const RECIPIENTS_MAX = 4 * MAIL_RECIPIENTS_MAX;

const contentsOf = defineForeign<typeof work>({
  file: new URL("./automated-mails.foreign.ts", import.meta.url),
  output: z.object({
    reply: z
      .object({ uid: z.string(), sequence: z.number(), address: z.string(), reply: z.enum(INVITATION_REPLIES) })
      .nullable(),
    bounces: z.array(
      z.object({ address: z.string(), reason: z.string(), isLasting: z.boolean(), isOfMailbox: z.boolean() }),
    ),
    envelopeId: z.string(),
  }),
  limitMs: LIMIT_MS,
  refuse: (_why, reason) => new Error(reason),
});

interface Box {
  ownerId: string;
  userId: string;
  mailbox: Mailbox;
}

/** Whoever writes to a mailbox takes the turns of nobody who works here. */
const ofMailbox = ({ ownerId, userId }: Box): Asker => ({ group: ownerId, one: `mailbox ${userId}` });

export async function takeAutomatedMail(box: Box, mail: AutomatedMail): Promise<void> {
  if (mail.calendar !== null) {
    const { reply } = await contentsOf(ofMailbox(box), { ics: mail.calendar, sender: mail.from, report: "" });
    if (reply) await noteCalendarReply(box.ownerId, reply, mail.isProved);
  }
  if (mail.report) await takeReport(box, mail, mail.report);
}

async function takeReport(box: Box, mail: AutomatedMail, report: DeliveryReport): Promise<void> {
  const { ownerId, mailbox } = box;
  const said = await contentsOf(ofMailbox(box), { ics: "", sender: "", report: report.status });
  const { messageId } = report;
  if (!messageId) return;
  const { envelopeId, bounces } = said;
  const reportsFrom = providerOfServer(mailbox.imap.host)?.reportsFrom ?? [];
  const isFromProvider = isFromOwnProvider(mail, mailbox, reportsFrom);
  // Whoever got a copy stands in it too, and may stand first. What may be proved is looked at before what is merely said.
  const byWorth = bounces.toSorted((a, b) => Number(b.isOfMailbox) - Number(a.isOfMailbox));
  for (const bounce of byWorth.slice(0, RECIPIENTS_MAX)) {
    const returned = { ...bounce, messageId, envelopeId, isFromOwnProvider: isFromProvider };
    const note = async () => (await noteBounce(ownerId, returned)) || noteMailingBounce(ownerId, returned);
    if (await inTransaction(note)) return;
  }
}
