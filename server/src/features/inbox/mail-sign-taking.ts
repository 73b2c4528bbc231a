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
import { type DeliveryReport, isFromOwnProvider, type MailSign } from "./mail-sign-reading.ts";
import type { work } from "./mail-signs.foreign.ts";

const LIMIT_MS = 3000;
// Each of them may stand with two addresses.
const RECIPIENTS_MAX = 4 * MAIL_RECIPIENTS_MAX;

const signsIn = defineForeign<typeof work>({
  file: new URL("./mail-signs.foreign.ts", import.meta.url),
  output: z.object({
    reply: z
      .object({ uid: z.string(), sequence: z.number(), address: z.string(), reply: z.enum(INVITATION_REPLIES) })
      .nullable(),
    bounces: z.array(z.object({ address: z.string(), reason: z.string(), isLasting: z.boolean() })),
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

export async function takeIn(box: Box, sign: MailSign): Promise<void> {
  if (sign.calendar !== null) {
    const { reply } = await signsIn(ofMailbox(box), { ics: sign.calendar, sender: sign.from, report: "" });
    if (reply) await noteCalendarReply(box.ownerId, reply, sign.isProved);
  }
  if (sign.report) await takeReport(box, sign, sign.report);
}

async function takeReport(box: Box, sign: MailSign, report: DeliveryReport): Promise<void> {
  const { ownerId, mailbox } = box;
  const said = await signsIn(ofMailbox(box), { ics: "", sender: "", report: report.status });
  const { messageId } = report;
  if (!messageId) return;
  const { envelopeId, bounces } = said;
  const reportsFrom = providerOfServer(mailbox.imap.host)?.reportsFrom ?? [];
  const isFromProvider = isFromOwnProvider(sign, mailbox, reportsFrom);
  // Whoever got a copy stands in it too, and may stand first.
  for (const bounce of bounces.slice(0, RECIPIENTS_MAX)) {
    const returned = { ...bounce, messageId, envelopeId, isFromOwnProvider: isFromProvider };
    const note = async () => (await noteBounce(ownerId, returned)) || noteMailingBounce(ownerId, returned);
    if (await inTransaction(note)) return;
  }
}
