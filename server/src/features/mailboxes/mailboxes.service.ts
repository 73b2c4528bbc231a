import {
  type connectMailboxSchema,
  type ConnectedMailbox,
  type ConnectResult,
  type FoundServers,
  MAIL_SIGN_INS,
  type MailboxSharing,
  type MailboxView,
  type MailServer,
} from "@app/shared/mailboxes";
import type { z } from "zod";
import { outOfTurn } from "../../core/call-turns.ts";
import { HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { encrypt } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { tooManyRequests, wrongState } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { describePause, countAttempt, type Limit } from "../../core/rate-limit.ts";
import { emptyAside, listUnfit } from "../../core/set-aside.ts";
import { type Actor, requirePermitted, type Scope } from "../../core/trpc.ts";
import {
  emailConnectionOf,
  mailboxSharingOf,
  removeEmailConnection,
  setEmailConnection,
  setMailboxSharing,
} from "../users/email-connection.service.ts";
import { isAurinkoConfigured, removeAccount } from "./aurinko.ts";
import { findServers } from "./discovery.ts";
import { providerOfServer } from "./mail-providers.service.ts";
import { mailNetwork } from "./mail-network.ts";
import {
  imapPlace,
  isConnectedByColleague,
  loginsOf,
  providerAccountOf,
  type SameHost,
  sameHostFor,
  smtpPlace,
  UNREAD_MAILS,
} from "./mailbox-access.service.ts";
import { checkMailbox } from "./mailbox-health.service.ts";
import { tryMailbox } from "./mailbox-trial.ts";
import { assertNoColleagues, assertOwnMailbox } from "./own-mailbox.ts";
import { EmailCredentialsModel, type EmailCredentialsDoc, EmailTokenModel } from "./mailboxes.model.ts";

// Ten mistypings are plenty; a program that tries passwords, or hosts, gets nowhere.
const TRIALS: Limit = { tries: 10, pauseMs: 5 * MINUTE_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const UNREAD_SHOWN = 10;
const LOOK_UPS: Limit = { ...TRIALS, tries: 30 };

/** The mailbox of whoever asks, without anything secret of it. */
export async function getMailbox({ userId }: Scope): Promise<MailboxView> {
  const connection = await emailConnectionOf(userId);
  const own = await EmailCredentialsModel.findById(userId, { "imap.secret_enc": 0, "smtp.secret_enc": 0 }).lean();
  const token = own ? null : await EmailTokenModel.findById(userId, { access_enc: 0 }).lean();
  const signIns = isAurinkoConfigured() ? [...MAIL_SIGN_INS] : [];
  const stored = own ?? token;
  if (!stored || !connection) return { connected: null, signIns };
  return {
    signIns,
    connected: {
      email: stored.email,
      kind: own ? "own" : "provider",
      providerName: own ? (providerOfServer(own.imap.host)?.name ?? own.imap.host) : (token?.service_type ?? ""),
      isActive: connection.active,
      servers: own && { imap: toServer(own.imap), smtp: toServer(own.smtp) },
      ca: own?.ca ?? "",
      checkedAt: stored.checked_at?.toISOString() ?? null,
      lastError: stored.last_error,
      sharing: await mailboxSharingOf(userId),
      unread: await unreadMails(userId),
    },
  };
}

/** Mails in which an answer or a report could not be taken in; the newest of them by name. */
async function unreadMails(userId: string): Promise<ConnectedMailbox["unread"]> {
  const found = await listUnfit(UNREAD_MAILS, userId);
  const mails = found.slice(0, UNREAD_SHOWN).map(({ name, at }) => ({ from: name, at: at.toISOString() }));
  return { count: found.length, mails };
}

/** Says what colleagues may do with one's own mailbox. Whoever may not send mail any more can only take back. */
export async function shareMailbox(actor: Actor, sharing: MailboxSharing): Promise<MailboxView> {
  const { scope } = actor;
  const { connected } = await getMailbox(scope);
  if (!connected) throw wrongState("No mailbox is connected. Connect yours first, then choose who may use it.");
  const { maySend, mayRead } = connected.sharing;
  if ((sharing.maySend && !maySend) || (sharing.mayRead && !mayRead)) requirePermitted(actor, ["mail.send"]);
  await setMailboxSharing(scope.userId, sharing);
  return getMailbox(scope);
}

const toServer = ({ host, port, secure, user }: Omit<EmailCredentialsDoc["imap"], "secret_enc">): MailServer => ({
  host,
  port,
  secure,
  user,
});

/** What is known of the servers of an address, asking the network where nobody here knows. */
export async function lookUpServers(scope: Scope, email: string): Promise<FoundServers> {
  await count(`mailbox-look-up:${scope.userId}`, LOOK_UPS);
  return outOfTurn(() => findServers(email, mailNetwork, ofPerson(scope)));
}

/** Saves the mailbox only where reading and sending both work; otherwise says what does not, and changes nothing. */
export async function connectMailbox(
  scope: Scope,
  input: z.output<typeof connectMailboxSchema>,
): Promise<ConnectResult> {
  const { userId } = scope;
  await count(`mailbox-trial:${userId}`, TRIALS);
  const { email, password, servers, ca } = input;
  // Before anybody waits for the servers; and again below, after they answered.
  await inTransaction(() => assertOwnMailbox(scope, { email, imap: null, smtp: null }));
  const problems = await tryMailbox({
    userId,
    imap: { ...servers.imap, password },
    smtp: { ...servers.smtp, password },
    ca: ca || undefined,
  });
  if (problems.length > 0) return { problems: problems.map(({ isLasting: _kept, ...problem }) => problem) };
  const claim = { email, ...servers };
  const isOneHost = remembering(sameHostFor(userId));
  // So that no transaction waits for the servers' names.
  await isConnectedByColleague(scope, claim, isOneHost);
  const before = await providerAccountOf(userId);
  const at = now();
  await inTransaction(async () => {
    // Only now, because whoever can sign in there may know that a colleague did, and whose the login is.
    await assertNoColleagues(scope, claim, { isOneHost });
    await assertOwnMailbox(scope, claim);
    await EmailCredentialsModel.replaceOne(
      { _id: userId },
      {
        _id: userId,
        email,
        imap: { ...servers.imap, secret_enc: encrypt(password, imapPlace(userId)) },
        smtp: { ...servers.smtp, secret_enc: encrypt(password, smtpPlace(userId)) },
        saves_sent: providerOfServer(servers.smtp.host)?.savesSent ?? false,
        ...(ca ? { ca } : {}),
        verified_at: at,
        checked_at: at,
        last_error: "",
      },
      { upsert: true },
    );
    await EmailTokenModel.deleteOne({ _id: userId });
    await emptyAside(UNREAD_MAILS, userId);
    await setEmailConnection(userId, { serviceType: "IMAP", email, logins: loginsOf(claim) });
  });
  if (before) await removeAtProvider(before.accessToken);
  return { problems: [] };
}

/** Looks each two hosts up once. */
function remembering(look: SameHost): SameHost {
  const known = new Map<string, Promise<boolean>>();
  return (one, other) => {
    const key = `${one} ${other}`;
    const answer = known.get(key) ?? look(one, other);
    known.set(key, answer);
    return answer;
  };
}

/** Tries the connected mailbox now. */
export async function checkOwnMailbox(scope: Scope): Promise<MailboxView> {
  await count(`mailbox-trial:${scope.userId}`, TRIALS);
  await checkMailbox(scope.userId);
  return getMailbox(scope);
}

/** Forgets the mailbox and everything secret of it, also where the provider does not answer. */
export async function disconnectMailbox(scope: Scope): Promise<MailboxView> {
  const { userId } = scope;
  const account = await providerAccountOf(userId);
  await inTransaction(async () => {
    await EmailCredentialsModel.deleteOne({ _id: userId });
    await EmailTokenModel.deleteOne({ _id: userId });
    await emptyAside(UNREAD_MAILS, userId);
    await removeEmailConnection(userId);
  });
  if (account) await removeAtProvider(account.accessToken);
  return getMailbox(scope);
}

/** The token is gone here already; an account that stays behind there can do nothing without it. */
async function removeAtProvider(accessToken: string): Promise<void> {
  await removeAccount(accessToken).catch(() => undefined);
}

async function count(key: string, limit: Limit): Promise<void> {
  const { isAllowed, pauseMs } = await countAttempt(key, limit);
  if (!isAllowed) throw tooManyRequests(`That was tried many times. Wait ${describePause(pauseMs)}, then try again.`);
}
