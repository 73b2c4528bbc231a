// The mailbox connection as the user document holds it: `emailConnection {connected, active, serviceType, email}`.
import { ROLES } from "@app/shared/access";
import { UserModel } from "./users.model.ts";

export interface EmailConnection {
  connected: boolean;
  active: boolean;
  /** "IMAP" for a mailbox of one's own; anything else is the other provider's. */
  serviceType: string;
  email: string;
}

/** Whether and how this person's mailbox is connected; null where it never was. */
export async function emailConnectionOf(userId: string): Promise<EmailConnection | null> {
  const user = await UserModel.findById(userId, { emailConnection: 1 }).lean();
  const found = user?.emailConnection;
  if (!found) return null;
  return {
    connected: found.connected ?? false,
    active: found.active ?? false,
    serviceType: found.serviceType ?? "",
    email: found.email ?? "",
  };
}

export async function setEmailConnection(userId: string, connection: EmailConnection): Promise<void> {
  await UserModel.updateOne({ _id: userId }, { $set: { emailConnection: connection } });
}

export async function removeEmailConnection(userId: string): Promise<void> {
  await UserModel.updateOne({ _id: userId }, { $unset: { emailConnection: 1 } });
}

/** How many practices there are, and how many of their owners have a mailbox that works; for the whole installation. */
export async function countOwnersWithMailbox(): Promise<{ owners: number; connected: number }> {
  const isOwner = { role: ROLES.owner };
  const works = { "emailConnection.connected": true, "emailConnection.active": true };
  const [owners, connected] = await Promise.all([
    UserModel.countDocuments(isOwner),
    UserModel.countDocuments({ ...isOwner, ...works }),
  ]);
  return { owners, connected };
}
