import type { SendDetails } from "@app/shared/mail-payload";
import { type Mailbox, mailboxOf, openSmtp } from "../../mailboxes/mailbox-access.service.ts";
import { mailOf, type PassedMail } from "../outgoing-gate.service.ts";
import { composeMail } from "./compose.ts";
import { credentialsNotFound, type OnTaken, type Sender, toSendError } from "./sender.service.ts";
import { keepInSent } from "./sent-copy.ts";
import { noteHandover, submit } from "./submission.service.ts";

/** The person's own mailbox: submitted to its server, with a copy in its Sent folder. */
export const mailboxSender: Sender = { method: "IMAP", name: "IMAP", send: sendByMailbox };

const NO_COPY = "The mail was sent, but no copy could be put into the Sent folder of the mailbox";
const ENDED = `${NO_COPY}: the server stopped.`;

async function sendByMailbox(userId: string, passed: PassedMail, onTaken?: OnTaken): Promise<SendDetails> {
  const mail = mailOf(passed);
  const mailbox = await mailboxOf(userId);
  if (!mailbox) throw credentialsNotFound();
  const raw = await composeMail({ name: mail.fromName, address: mailbox.email }, mail, { group: userId, one: userId });
  const transport = noteHandover(await opened(mailbox));
  const rejected = await submit(transport, raw).finally(() => transport.close());
  const details = { messageId: mail.messageId, ...(rejected.length > 0 ? { rejected } : {}) };
  // What cannot be noted now is noted at the end, and the mail has left.
  await onTaken?.({ ...details, warnings: [ENDED] }).catch(() => undefined);
  const warnings = await keepCopy(mailbox, mail.messageId, raw.bytes);
  return { ...details, ...(warnings.length > 0 ? { warnings } : {}) };
}

async function opened(mailbox: Mailbox) {
  try {
    return await openSmtp(mailbox);
  } catch (error) {
    throw toSendError(error);
  }
}

/** The mail has left, so a copy that fails is worth a word and no more: a second mail would be worse. */
async function keepCopy(mailbox: Mailbox, messageId: string, bytes: Buffer): Promise<string[]> {
  try {
    await keepInSent(mailbox, messageId, bytes);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`${NO_COPY}: ${reason}`];
  }
}
