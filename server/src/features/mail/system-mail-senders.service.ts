// By which ways a mail of the product itself may leave: the mail server, else the fallback, and where there are none its
// addressee's own mailbox.
import type { MailState } from "@app/shared/auth";
import type { SendDetails } from "@app/shared/mail-payload";
import { SECOND_MS } from "../../core/clock.ts";
import { busy, isBusy } from "../../core/errors.ts";
import { isMailboxOnlyOf } from "../mailboxes/mailbox-access.service.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { countPrivateMailboxes, mailboxSharingOf } from "../users/email-connection.service.ts";
import { ownSenderOf } from "./mail.service.ts";
import { emailJsSender, isEmailJsConfigured } from "./senders/emailjs-sender.service.ts";
import { type OutgoingMail, SendError, type Sender, toSendError } from "./senders/sender.service.ts";
import { isSystemServerConfigured, systemSender } from "./senders/system-sender.ts";
import { passSystemMail } from "./outgoing-gate.service.ts";
import { mailboxFor } from "./mail-from.service.ts";
import { isMailConfigured, type SystemMail } from "./system-mail.service.ts";

// So long one of many waits for its turn; whoever asked for it does not wait as long.
const PATIENCE_MS = 30 * SECOND_MS;

interface Carrier {
  sender: Sender;
  /** By whose mailbox; nobody's where the installation itself sends it. */
  userId: string;
}

type Addressed = Pick<SystemMail, "ownerId" | "to" | "byMailboxOf" | "isOfForm">;

/**
 * Most of these mails let their reader in, or tell of access. Whose a mailbox is was never proved: whoever connects one
 * names its servers. So they go by the installation's own ways; only where it has none, by their addressee's own mailbox,
 * and by that one only where nobody else may read it. Others may name a practice, whose mailbox is tried first.
 */
async function carriersFor({ ownerId, to, byMailboxOf, isOfForm = false }: Addressed): Promise<Carrier[]> {
  const addressee = await findSignInUser({ email: to });
  const isPrivate =
    addressee !== null &&
    !isMailConfigured() &&
    !(await mailboxSharingOf(addressee.id)).mayRead &&
    (await isMailboxOnlyOf({ userId: addressee.id, ownerId: addressee.ownerId }, addressee.email));
  const own = isPrivate ? await ownSenderOf(addressee.id) : null;
  const practice = byMailboxOf === undefined ? null : await mailboxFor({ userId: null, ownerId: byMailboxOf });
  const theirs = practice && (await ownSenderOf(practice.userId));
  const turn = { patienceMs: PATIENCE_MS, productsFor: { group: ownerId ?? "", one: to } };
  return [
    ...(isOfForm && isEmailJsConfigured() ? [{ sender: emailJsSender({ ...turn, asForm: true }), userId: "" }] : []),
    ...(theirs && practice ? [{ sender: theirs, userId: practice.userId }] : []),
    ...(isSystemServerConfigured() ? [{ sender: systemSender(), userId: "" }] : []),
    ...(!isOfForm && isEmailJsConfigured() ? [{ sender: emailJsSender(turn), userId: "" }] : []),
    ...(own && addressee ? [{ sender: own, userId: addressee.id }] : []),
  ];
}

/** Whether there is any way; without one a mail stays in the owner's outbox. */
export const canLeave = async (mail: Addressed): Promise<boolean> => (await carriersFor(mail)).length > 0;

/**
 * For whom a mail that lets them in leaves: everybody where the installation has a way of its own, otherwise those who
 * have a mailbox that nobody else reads. For whoever may not learn which account, if any, an address belongs to.
 */
export async function forWhomMailLeaves(): Promise<MailState["mailLeavesFor"]> {
  if (isMailConfigured()) return "everybody";
  const { people, withMailbox } = await countPrivateMailboxes();
  if (withMailbox === 0) return "nobody";
  return withMailbox < people ? "some" : "everybody";
}

/**
 * Tries one way after the other until one takes it, or may have. Throws SendError with what each of them said, and
 * `busy` where one of them had no room yet.
 */
export async function sendSystemMailTo(whom: Addressed, mail: Omit<OutgoingMail, "to">): Promise<SendDetails> {
  const passed = passSystemMail({ ...mail, to: [whom.to] });
  const failures: string[] = [];
  let isTemporary = false;
  let hadNoRoom = false;
  for (const { sender, userId } of await carriersFor(whom)) {
    try {
      return await sender.send(userId, passed);
    } catch (error) {
      hadNoRoom ||= isBusy(error);
      const failure = toSendError(error);
      if (failure.isUncertain) throw failure;
      isTemporary ||= failure.isTemporary;
      failures.push(`${sender.name}: ${failure.message}`);
    }
  }
  if (hadNoRoom) throw busy();
  throw new SendError(failures.join(" ") || "There is no way for mail to leave.", { isTemporary });
}
