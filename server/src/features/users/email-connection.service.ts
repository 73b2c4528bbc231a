// The mailbox connection as the user document holds it: `emailConnection {connected, active, serviceType, email, logins}`.
import mongoose from "mongoose";
import { can, type Permission, ROLES } from "@app/shared/access";
import { permissionSchema, roleSchema } from "@app/shared/users";
import { canonicalEmail, mailboxKey, samePerson } from "@app/shared/email-address";
import type { MailboxSharing } from "@app/shared/mailboxes";
import { takeAddressTurns, takeColleaguesTurn } from "../../core/turns.ts";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import { type UserDoc, UserModel } from "./users.model.ts";

export interface EmailConnection {
  connected: boolean;
  active: boolean;
  /** "IMAP" for a mailbox of one's own; anything else is the other provider's. */
  serviceType: string;
  email: string;
}

/** Who works here now: whoever was suspended or has left sends nothing, and their mailbox is used for nothing. */
const AT_WORK = { status: "active" as const };

/** Whether this person's mailbox may be used at all, for sending, reading or looking after it. */
export const mayBeUsed = async (userId: string): Promise<boolean> =>
  (await UserModel.exists({ _id: userId, ...AT_WORK })) !== null;

/** Everybody whose mailbox may be used, and who connected one. */
export async function mailboxHolders(): Promise<{ userId: string; ownerId: string }[]> {
  const users = await UserModel.find({ "emailConnection.connected": true, ...AT_WORK }, { owner_id: 1 }).lean();
  return users.map(({ _id, owner_id }) => ({ userId: _id, ownerId: owner_id ?? _id }));
}

/** Everybody of a practice, whether they work there now or not. */
export const userIdsIn = (ownerId: string): Promise<string[]> =>
  UserModel.distinct("_id", { $or: [{ _id: ownerId }, { owner_id: ownerId }] });

/** Whether and how this person's mailbox is connected; null where it never was, or may not be used. */
export async function emailConnectionOf(userId: string): Promise<EmailConnection | null> {
  const user = await UserModel.findOne({ _id: userId, ...AT_WORK }, { emailConnection: 1 }).lean();
  const found = user?.emailConnection;
  if (!found) return null;
  return {
    connected: found.connected ?? false,
    active: found.active ?? false,
    serviceType: found.serviceType ?? "",
    email: found.email ?? "",
  };
}

/** By what a mailbox is known. */
export interface KnownAs {
  email: string;
  /** The names that somebody signs in with at its servers; none for an account at the other provider. */
  logins: readonly string[];
}

/** Every address that is a connected mailbox's: the one that it is connected as, and its logins that are addresses. */
export const addressesOfMailbox = ({ email, logins }: KnownAs): string[] => [
  ...new Set([email, ...logins.map((login) => canonicalEmail(login) ?? "")].filter(Boolean)),
];

/** A login that is no address is known to its server alone, but another one is still another mailbox. */
const namesOf = ({ email, logins }: KnownAs): Set<string> =>
  new Set([email, ...logins].map((name) => (canonicalEmail(name) ? mailboxKey(name) : name.toLowerCase())));

/** What colleagues may do with a mailbox was said of that one: another address or login begins with the defaults. */
export async function setEmailConnection(
  userId: string,
  connection: KnownAs & Pick<EmailConnection, "serviceType">,
): Promise<void> {
  const { emailConnection } = (await UserModel.findById(userId, { emailConnection: 1 }).lean()) ?? {};
  const before = namesOf({ email: emailConnection?.email ?? "", logins: emailConnection?.logins ?? [] });
  const names = namesOf(connection);
  const isSame = names.size === before.size && [...names].every((name) => before.has(name));
  const $set = { emailConnection: { ...connection, connected: true, active: true, connectedAt: now() } };
  await UserModel.updateOne({ _id: userId }, isSame ? { $set } : { $set, $unset: { mailbox_sharing: 1 } });
}

/** Beside an address that was connected before logins were kept. */
export async function addLogins(userId: string, { email, logins }: KnownAs): Promise<void> {
  const isIt = { _id: userId, "emailConnection.email": email };
  await UserModel.updateOne(isIt, { $set: { "emailConnection.logins": [...logins] } }, { timestamps: false });
}

/** Whether that mailbox works; nothing where this person has connected another one meanwhile. */
export async function setConnectionActive(userId: string, email: string, isActive: boolean): Promise<void> {
  const isIt = { _id: userId, "emailConnection.email": email };
  await UserModel.updateOne(isIt, { $set: { "emailConnection.active": isActive } });
}

export async function removeEmailConnection(userId: string): Promise<void> {
  await UserModel.updateOne({ _id: userId }, { $unset: { emailConnection: 1, mailbox_sharing: 1 } });
}

const SHARING = {
  role: 1,
  owner_id: 1,
  status: 1,
  permissions: 1,
  emailConnection: 1,
  mailbox_sharing: 1,
} as const;
type Shared = Pick<UserDoc, "role" | "mailbox_sharing">;
type Holder = Pick<UserDoc, "role" | "permissions">;

/** Whoever may not send mail any more cannot look after a mailbox: it rests, and serves nobody else. */
const holdsMailRight = (holder: Holder): boolean => holds(holder, "mail.send");

const holds = ({ role, permissions }: Holder, permission: Permission): boolean =>
  can({ role: roleSchema.parse(role), permissions: permissionSchema.array().parse(permissions) }, permission);

/** An owner's mailbox is the practice's to send from; anybody else's is their own until they say otherwise. */
const sharingIn = ({ role, mailbox_sharing: chosen }: Shared): MailboxSharing => ({
  maySend: chosen?.may_send ?? role === ROLES.owner,
  mayRead: chosen?.may_read ?? false,
});

/** What colleagues may do with this person's mailbox. */
export async function mailboxSharingOf(userId: string): Promise<MailboxSharing> {
  const user = await UserModel.findById(userId, SHARING).lean();
  return user ? sharingIn(user) : { maySend: false, mayRead: false };
}

export async function setMailboxSharing(userId: string, { maySend, mayRead }: MailboxSharing): Promise<void> {
  const sharing = { may_send: maySend, may_read: mayRead };
  await UserModel.updateOne({ _id: userId }, { $set: { mailbox_sharing: sharing } });
}

/**
 * Whether somebody may use this person's mailbox so: their own, or a colleague's who shares it, and for sending may read
 * what others send by it.
 */
export async function mayUseMailbox(
  { userId, ownerId }: { userId: string; ownerId: string },
  mailboxUserId: string,
  use: keyof MailboxSharing,
): Promise<boolean> {
  if (userId === mailboxUserId) return true;
  const inPractice = { $or: [{ _id: ownerId }, { owner_id: ownerId }] };
  const user = await UserModel.findOne({ $and: [{ _id: mailboxUserId }, inPractice], ...AT_WORK }, SHARING).lean();
  return user !== null && holdsMailRight(user) && sharingIn(user)[use] && (use !== "maySend" || mayCarry(user));
}

/** Whose mailbox carries others' mail reads it in the Sent folder: only theirs who may read it all. */
const CARRIER_PERMISSIONS = ["mail.send", "mail.read", "clients.read"] as const;
const mayCarry = (holder: Holder): boolean =>
  CARRIER_PERMISSIONS.every((each) => holds(holder, each)) && !holds(holder, "assigned_only");

/**
 * The working mailboxes by which this person's mail may leave: their own, then those that the practice may send from, the
 * owner's first. Without a person, such as for what the product writes, only these.
 */
export async function mailboxesToSendFrom({
  userId,
  ownerId,
}: {
  userId: string | null;
  ownerId: string;
}): Promise<{ userId: string; email: string; serviceType: string; connectedAt: Date | null }[]> {
  const works = { "emailConnection.connected": true, "emailConnection.active": true, ...AT_WORK };
  const users = await UserModel.find({ $or: [{ _id: ownerId }, { owner_id: ownerId }], ...works }, SHARING)
    .sort({ role: 1, created_at: 1 })
    .lean();
  const own = users.filter((user) => user._id === userId && holdsMailRight(user));
  const shared = users.filter((user) => user._id !== userId && sharingIn(user).maySend && mayCarry(user));
  return [...own, ...shared].map(({ _id, emailConnection }) => ({
    userId: _id,
    email: emailConnection?.email ?? "",
    serviceType: emailConnection?.serviceType ?? "",
    connectedAt: emailConnection?.connectedAt ?? null,
  }));
}

/** Whose mailboxes some colleague may read: those that are shared for it, and the owner's (`readableMailbox`). */
export async function mailboxesToRead(ownerId: string): Promise<string[]> {
  const users = await UserModel.find({ $or: [{ _id: ownerId }, { owner_id: ownerId }], ...AT_WORK }, SHARING)
    .sort({ role: 1, created_at: 1 })
    .lean();
  return users.filter((user) => user._id === ownerId || sharingIn(user).mayRead).map(({ _id }) => _id);
}

/**
 * Every mailbox of somebody of the practice, or of somebody whose invitation is open, as whoever it belongs to is
 * compared: the address that they sign in with, and those of the mailbox that they connected.
 */
export async function ownMailboxes(ownerId: string, exceptUserId = ""): Promise<Set<string>> {
  const found = await UserModel.find(
    { $or: [{ _id: ownerId }, { owner_id: ownerId }] },
    { email_address: 1, emailConnection: 1, invitation: 1 },
  ).lean();
  const isOver = (invitation: { expires_at: Date } | null | undefined) => invitation && invitation.expires_at <= now();
  const users = found.filter(({ _id, invitation }) => _id !== exceptUserId && !isOver(invitation));
  const addresses = users.flatMap(({ email_address, emailConnection }) => [
    email_address,
    ...addressesOfMailbox({ email: emailConnection?.email ?? "", logins: emailConnection?.logins ?? [] }),
  ]);
  return new Set(addresses.filter(Boolean).map(mailboxKey));
}

/**
 * Throws BAD_REQUEST where this is the address of somebody of the practice: as a client's or a contact's it would show
 * that person's own mail. For the transaction that writes the addresses.
 */
export async function assertNobodysMailbox(ownerId: string, addresses: readonly string[]): Promise<void> {
  const wanted = addresses.filter(Boolean);
  if (wanted.length === 0) return;
  await takeAddressTurns(ownerId, wanted);
  await assertNotAmong(ownerId, wanted);
}

/** The same for as many as an import brings. */
export async function assertNobodysMailboxes(ownerId: string, addresses: readonly string[]): Promise<void> {
  await takeColleaguesTurn(ownerId);
  await assertNotAmong(ownerId, addresses.filter(Boolean));
}

async function assertNotAmong(ownerId: string, addresses: readonly string[]): Promise<void> {
  const own = await ownMailboxes(ownerId);
  if (addresses.some((address) => own.has(mailboxKey(address))))
    throw badField("email", "This is the address of somebody who works here. Use the person’s own address.");
}

/** How many people there are, and how many have their own address connected, which nobody else reads. */
export async function countPrivateMailboxes(): Promise<{ people: number; withMailbox: number }> {
  const works = { "emailConnection.connected": true, "emailConnection.active": true };
  const isPrivate = { "mailbox_sharing.may_read": mongoose.trusted({ $ne: true }) };
  const people = await UserModel.countDocuments(AT_WORK);
  const connected = await UserModel.find(
    { ...AT_WORK, ...works, ...isPrivate },
    { email_address: 1, emailConnection: 1 },
  ).lean();
  const own = connected.filter((user) => samePerson(user.email_address, user.emailConnection?.email ?? ""));
  return { people, withMailbox: own.length };
}
