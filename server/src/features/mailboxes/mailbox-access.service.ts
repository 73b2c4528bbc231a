// How mail and inbox come to a person's mailbox: its credentials, and connections made with them.
import { samePerson } from "@app/shared/email-address";
import mongoose from "mongoose";
import { createTransport } from "nodemailer";
import { decrypt } from "../../core/crypto.ts";
import { ofUser } from "../../core/fair-turns.ts";
import { type Destination, isSameHost, mailDestination, OUTBOUND_TLS } from "../../core/outbound.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import { connectImap, type ImapClient } from "../../core/imap-client.ts";
import { wrongState } from "../../core/errors.ts";
import { createLogger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { addressesOfMailbox, mailboxHolders, mayBeUsed, userIdsIn } from "../users/email-connection.service.ts";
import { userChanges } from "../users/users.service.ts";
import { EmailCredentialsModel, type EmailCredentialsDoc, EmailTokenModel } from "./mailboxes.model.ts";
import { normalForm } from "@app/shared/normal-form";

const NOT_IN_USE = "This mailbox is not used any more: whoever it belongs to does not work here now.";
const log = createLogger("warn");
const CONNECT_LIMIT_MS = 10_000;
const SOCKET_LIMIT_MS = 60_000;
// How much of one answer is taken in: of all of them see imap-account.ts, and how much of them is read, imap-shape.ts.
const LITERAL_MAX_BYTES = 16 * 1024 * 1024;
const LINE_MAX_BYTES = 16 * 1024 * 1024;
const ANSWER_MAX_BYTES = 24 * 1024 * 1024;

/** The queue of mails in which a mail program says what could not be taken in, each person's apart. */
export const UNREAD_MAILS = "mail signs";

export interface MailServer {
  host: string;
  port: number;
  secure: boolean;
  user: string;
  password: string;
}

export interface Mailbox {
  /** Who connected it. */
  userId: string;
  email: string;
  imap: MailServer;
  smtp: MailServer;
  savesSent: boolean;
  ca: string | undefined;
}

export interface ProviderAccount {
  accountId: string;
  accessToken: string;
  serviceType: string;
  email: string;
}

export const imapPlace = (userId: string) => `email_credentials:${userId}:imap`;
export const smtpPlace = (userId: string) => `email_credentials:${userId}:smtp`;
export const tokenPlace = (userId: string) => `email_tokens:${userId}:access`;
defineSealedField({ collection: "email_credentials", path: "imap.secret_enc", placeOf: ({ _id }) => imapPlace(_id) });
defineSealedField({ collection: "email_credentials", path: "smtp.secret_enc", placeOf: ({ _id }) => smtpPlace(_id) });
defineSealedField({ collection: "email_tokens", path: "access_enc", placeOf: ({ _id }) => tokenPlace(_id) });

/** The mailbox that this person connected; null for none, and for one that may not be used. */
export async function mailboxOf(userId: string): Promise<Mailbox | null> {
  const doc = await EmailCredentialsModel.findById(userId).lean();
  if (!doc || !(await mayBeUsed(userId))) return null;
  return {
    userId,
    email: doc.email,
    imap: toServer(doc.imap, imapPlace(userId)),
    smtp: toServer(doc.smtp, smtpPlace(userId)),
    savesSent: doc.saves_sent,
    ca: doc.ca ?? undefined,
  };
}

/** Whether somebody signs in at a server with this address, or with the part of it before the @. */
const isLoginOf = (user: string, address: string): boolean =>
  user.includes("@") ? samePerson(user, address) : user.toLowerCase() === address.split("@", 1)[0];

/**
 * Whether the mailbox that this person connected is that of this very address, and no colleague connected it too: what
 * it holds is read by them alone. What other practices connected says nothing, because an address is never proved:
 * whoever really holds the same mailbox there reads at its own server what comes to it, whatever is sent from here.
 */
export async function isMailboxOnlyOf({ userId, ownerId }: Holder, address: string): Promise<boolean> {
  const own = await EmailCredentialsModel.findById(userId).lean();
  const email = own?.email ?? (await EmailTokenModel.findById(userId).lean())?.email;
  if (!email || !samePerson(email, address)) return false;
  if (own && !(isLoginOf(own.imap.user, address) && isLoginOf(own.smtp.user, address))) return false;
  return !(await isConnectedByColleague({ userId, ownerId }, own ?? { email, imap: null, smtp: null }));
}

type Holder = Pick<Scope, "userId" | "ownerId">;
type Login = Pick<MailServer, "host" | "user">;

/** A mailbox as somebody wants to connect it, or did. */
export interface Claim {
  email: string;
  /** Null for an account at the other provider. */
  imap: Login | null;
  smtp: Login | null;
}

export const loginsOf = ({ imap, smtp }: Pick<Claim, "imap" | "smtp">): string[] =>
  [imap, smtp].flatMap((login) => login?.user ?? []);

/** Every address that is this mailbox's. */
export const addressesOf = (claim: Claim): string[] =>
  addressesOfMailbox({ email: claim.email, logins: loginsOf(claim) });

/** The same without the name that it sends by: several mailboxes may send through one account of a relay. */
export const readAs = (claim: Claim): string[] => addressesOf({ ...claim, smtp: null });

/** Whether two names lead to one server. */
export type SameHost = (one: string, other: string) => Promise<boolean>;
export const sameHostFor =
  (userId: string): SameHost =>
  (one, other) =>
    isSameHost(one, other, { asker: ofUser(userId) });

/** All by which two claims of one mailbox could meet: for a turn that both take. */
export const claimed = (claim: Claim): string[] => [
  ...addressesOf(claim),
  ...(claim.imap ? [namePart(claim.imap.user)] : []),
];

/**
 * Whether a colleague connected this mailbox, under whatever address and by whatever name of its server. Nobody asks
 * other practices: a stranger may claim any address with servers of their own, and keeps nobody from it by that.
 */
export async function isConnectedByColleague(
  { userId, ownerId }: Holder,
  claim: Claim,
  isOneHost: SameHost = sameHostFor(userId),
): Promise<boolean> {
  const colleagues = (await userIdsIn(ownerId)).filter((id) => id !== userId);
  const theirs = { _id: mongoose.trusted({ $in: colleagues }) };
  const { imap } = claim;
  const addresses = readAs(claim);
  const isOf = (address: string) => addresses.some((own) => samePerson(own, address));
  const tokens = await EmailTokenModel.find(theirs, { email: 1 }).lean();
  if (tokens.some((token) => isOf(token.email))) return true;
  const mailboxes = await EmailCredentialsModel.find(theirs, { "imap.secret_enc": 0, "smtp.secret_enc": 0 }).lean();
  for (const mailbox of mailboxes) {
    if (readAs(mailbox).some(isOf)) return true;
    if (imap && isOneName(imap, mailbox.imap) && (await isOneHost(imap.host, mailbox.imap.host))) return true;
  }
  return false;
}

/** A login without a domain is one of its server's own. */
const isOneName = (one: Login, other: Login): boolean =>
  namePart(one.user) === namePart(other.user) && !(one.user.includes("@") && other.user.includes("@"));

const namePart = (user: string): string => normalForm(user.split("@", 1)[0] ?? "", "NFKC").toLowerCase();

/** Everybody who connected a mailbox of their own that may be used. */
export async function usableMailboxes(): Promise<{ userId: string; ownerId: string }[]> {
  const holders = await mailboxHolders();
  const isUsable = { _id: mongoose.trusted({ $in: holders.map(({ userId }) => userId) }) };
  const connected = new Set(await EmailCredentialsModel.distinct("_id", isUsable));
  return holders.filter(({ userId }) => connected.has(userId));
}

function toServer(stored: EmailCredentialsDoc["imap"], place: string): MailServer {
  const { host, port, secure, user, secret_enc } = stored;
  return { host, port, secure, user, password: decrypt(secret_enc, place) };
}

/** The account at the other provider that this person connected; null for none, and for one that may not be used. */
export async function providerAccountOf(userId: string): Promise<ProviderAccount | null> {
  const doc = await EmailTokenModel.findById(userId).lean();
  if (!doc || !(await mayBeUsed(userId))) return null;
  return {
    accountId: doc.account_id,
    accessToken: decrypt(doc.access_enc, tokenPlace(userId)),
    serviceType: doc.service_type,
    email: doc.email,
  };
}

const tlsOf = ({ servername }: Destination, ca: string | undefined) => ({
  ...OUTBOUND_TLS,
  ...(servername ? { servername } : {}),
  ...(ca ? { ca } : {}),
});

interface Options {
  /** Until when somebody waits for it. */
  gone?: AbortSignal;
}
interface SmtpOptions extends Options {
  /** Several mails over the same connections. */
  isPooled?: boolean;
}

/** Side by side, where several mails leave. */
export const SMTP_CONNECTIONS = 5;

/** Opens submission at a mailbox's server; close it when done. Nothing is said in clear text, save on this machine. */
export async function openSmtp(
  { userId, smtp, ca }: Pick<Mailbox, "userId" | "smtp" | "ca">,
  { isPooled = false, ...waits }: SmtpOptions = {},
) {
  const destination = await mailDestination(smtp.host, smtp.port, { asker: ofUser(userId), ...waits });
  return createTransport({
    host: destination.address,
    port: destination.port,
    secure: smtp.secure,
    requireTLS: !smtp.secure && !destination.isLoopback,
    auth: { user: smtp.user, pass: smtp.password },
    tls: tlsOf(destination, ca),
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: SOCKET_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(isPooled ? { pool: true as const, maxConnections: SMTP_CONNECTIONS, maxMessages: Infinity } : {}),
  });
}

/**
 * Connects to a mailbox's IMAP server and signs in; log out when done. One connection cannot be opened twice. Somebody's
 * mailbox is opened only as long as it may be used, and the connection ends with that.
 */
export async function openImap(
  { userId, imap, ca }: Pick<Mailbox, "userId" | "imap" | "ca">,
  waits: Options = {},
): Promise<ImapClient> {
  const destination = await mailDestination(imap.host, imap.port, { asker: ofUser(userId), ...waits });
  if (!(await mayBeUsed(userId))) throw wrongState(NOT_IN_USE);
  const options = {
    host: destination.address,
    port: destination.port,
    secure: imap.secure,
    ...(imap.secure || destination.isLoopback ? {} : { doSTARTTLS: true }),
    auth: { user: imap.user, pass: imap.password },
    tls: tlsOf(destination, ca),
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: SOCKET_LIMIT_MS,
    maxLineLength: LINE_MAX_BYTES,
    maxLiteralSize: LITERAL_MAX_BYTES,
    maxResponseSize: ANSWER_MAX_BYTES,
    logger: false as const,
  };
  const client = await connectImap(options, { of: userId });
  closeInTime(client, userId);
  return client;
}

/** In whichever process it was decided. */
function closeInTime(client: ImapClient, userId: string): void {
  const look = async () => {
    if (!(await mayBeUsed(userId).catch(() => false))) client.close();
  };
  const stop = userChanges.onChange(userId, log, () => void look());
  client.on("close", stop);
  void look();
}
