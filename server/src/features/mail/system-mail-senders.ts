// By which ways a mail of the product itself may leave: the owner's mailbox, else the mail server, else the fallback.
import type { MailState } from "@app/shared/auth";
import type { SendDetails } from "@app/shared/mail-payload";
import { countOwnersWithMailbox } from "../users/email-connection.service.ts";
import { ownSenderOf } from "./mail.service.ts";
import { emailJsSender, isEmailJsConfigured } from "./senders/emailjs-sender.ts";
import { type OutgoingMail, SendError, type Sender, toSendError } from "./senders/sender.ts";
import { isSystemServerConfigured, systemSender } from "./senders/system-sender.ts";
import { isMailConfigured } from "./system-mail.service.ts";

// Whoever waits for such a mail waits for seconds.
const PATIENCE_MS = 5000;

async function sendersFor(ownerId: string | null): Promise<Sender[]> {
  const own = ownerId === null ? null : await ownSenderOf(ownerId);
  return [
    ...(own ? [own] : []),
    ...(isSystemServerConfigured() ? [systemSender()] : []),
    ...(isEmailJsConfigured() ? [emailJsSender({ patienceMs: PATIENCE_MS })] : []),
  ];
}

/** Whether there is any way; without one a mail stays in the owner's outbox. */
export const canLeave = async (ownerId: string | null): Promise<boolean> => (await sendersFor(ownerId)).length > 0;

/**
 * For whom a mail of the product leaves: everybody where the installation has a way of its own, otherwise the practices
 * whose owner has a mailbox. For whoever may not learn which practice, if any, an address belongs to.
 */
export async function forWhomMailLeaves(): Promise<MailState["mailLeavesFor"]> {
  if (isMailConfigured()) return "everybody";
  const { owners, connected } = await countOwnersWithMailbox();
  if (connected === 0) return "nobody";
  return connected < owners ? "some" : "everybody";
}

/** Tries one way after the other until one takes it, or may have. Throws SendError with what each of them said. */
export async function sendSystemMailBy(ownerId: string | null, mail: OutgoingMail): Promise<SendDetails> {
  const failures: string[] = [];
  let isTemporary = false;
  for (const sender of await sendersFor(ownerId)) {
    try {
      return await sender.send(ownerId ?? "", mail);
    } catch (error) {
      const failure = toSendError(error);
      if (failure.isUncertain) throw failure;
      isTemporary ||= failure.isTemporary;
      failures.push(`${sender.name}: ${failure.message}`);
    }
  }
  throw new SendError(failures.join(" ") || "There is no way for mail to leave.", { isTemporary });
}
