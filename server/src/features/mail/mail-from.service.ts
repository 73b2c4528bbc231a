// By whose mailbox somebody's mail leaves: their own, else one that the practice may send from, the owner's first.
import type { Scope } from "../../core/trpc.ts";
import { emailConnectionOf, mailboxesToSendFrom, mayBeUsed } from "../users/email-connection.service.ts";
import { senderAddress } from "./sender-address.service.ts";

type Writer = Pick<Scope, "userId" | "ownerId">;

export interface MailFrom {
  userId: string;
  address: string;
  isOwn: boolean;
  /** Rather than an account at the other provider. */
  isMailbox: boolean;
}

/** The connected mailbox by which this person's mail leaves; null where there is none. */
export async function mailboxFor({ userId, ownerId }: Writer): Promise<MailFrom | null> {
  for (const id of new Set([userId, ...(await mailboxesToSendFrom(ownerId))])) {
    const connection = await emailConnectionOf(id);
    if (!connection?.connected || !connection.active) continue;
    const { email: address, serviceType } = connection;
    return { userId: id, address, isOwn: id === userId, isMailbox: serviceType === "IMAP" };
  }
  return null;
}

/**
 * In whose name this person's mail is sent: whose mailbox carries it, else their own. Whoever does not work here any more
 * is no sender, so the owner is.
 */
export async function carrierOf(writer: Writer): Promise<string> {
  const mailbox = await mailboxFor(writer);
  if (mailbox) return mailbox.userId;
  return (await mayBeUsed(writer.userId)) ? writer.userId : writer.ownerId;
}

/** The address that answers come to. An invitation must name it, or mail programs offer no way to answer (RFC 5546). */
export const fromAddressOf = async (writer: Writer): Promise<string> =>
  (await mailboxFor(writer))?.address || senderAddress();
