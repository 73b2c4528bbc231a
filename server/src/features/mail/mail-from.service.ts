// By whose mailbox somebody's mail leaves: their own, else that of the practice's owner.
import type { Scope } from "../../core/trpc.ts";
import { emailConnectionOf } from "../users/email-connection.service.ts";
import { senderAddress } from "./system-mail.service.ts";

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
  for (const id of userId === ownerId ? [userId] : [userId, ownerId]) {
    const connection = await emailConnectionOf(id);
    if (!connection?.connected || !connection.active) continue;
    const { email: address, serviceType } = connection;
    return { userId: id, address, isOwn: id === userId, isMailbox: serviceType === "IMAP" };
  }
  return null;
}

/** The address that answers come to. An invitation must name it, or mail programs offer no way to answer (RFC 5546). */
export const fromAddressOf = async (writer: Writer): Promise<string> =>
  (await mailboxFor(writer))?.address || senderAddress();
