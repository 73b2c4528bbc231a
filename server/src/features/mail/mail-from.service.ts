// By whose mailbox mail leaves: its writer's own, else one that the practice may send from, the owner's first.
import { mailboxesToSendFrom, mayBeUsed } from "../users/email-connection.service.ts";
import { senderAddress } from "./sender-address.service.ts";

interface Writer {
  /** Null where the product writes: it acts for nobody, so nobody's mailbox is its own. */
  userId: string | null;
  ownerId: string;
}

export interface MailFrom {
  userId: string;
  address: string;
  isOwn: boolean;
  /** Rather than an account at the other provider. */
  isMailbox: boolean;
  /** When its servers were last named. */
  connectedAt: Date | null;
}

/** The connected mailbox by which this person's mail leaves; null where there is none. */
export async function mailboxFor(writer: Writer): Promise<MailFrom | null> {
  const [first] = await mailboxesToSendFrom(writer);
  if (!first) return null;
  const { userId, email: address, serviceType, connectedAt } = first;
  return { userId, address, isOwn: userId === writer.userId, isMailbox: serviceType === "IMAP", connectedAt };
}

export interface Carrier {
  ownerId: string;
  /** In whose name: whose mailbox it is, else the writer; the owner for whoever does not work here any more. */
  userId: string;
  /** An invitation must name it, or mail programs offer no way to answer (RFC 5546). */
  address: string;
  /** No mailbox carries it, not even one of whom it is sent in the name of: the installation does. */
  isFallbackForced: boolean;
  /** Since when it is what it is: a mailbox that was connected anew is another one. */
  since: Date | null;
}

/** By whom a mail leaves, and so where answers to it come. */
export async function carrierOf(writer: Writer & { userId: string }): Promise<Carrier> {
  const { ownerId } = writer;
  const mailbox = await mailboxFor(writer);
  if (mailbox) return carrierBy(ownerId, mailbox);
  const userId = (await mayBeUsed(writer.userId)) ? writer.userId : writer.ownerId;
  return { ownerId, userId, address: senderAddress(), isFallbackForced: true, since: null };
}

/** The carrier that a connected mailbox is. */
export const carrierBy = (ownerId: string, { userId, address, connectedAt: since }: MailFrom): Carrier => ({
  ownerId,
  userId,
  address: address || senderAddress(),
  isFallbackForced: false,
  since,
});

/** What one carrier is told from others by: a person's mailbox, or the installation for one practice: no other's wait for it. */
export const carrierName = ({ ownerId, userId, address, isFallbackForced, since }: Carrier): string =>
  isFallbackForced ? `installation ${ownerId}` : `${userId} ${address} ${since?.getTime() ?? ""}`;
