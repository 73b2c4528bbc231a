// How every mail of a person leaves: by their own mailbox, else by the fallback, and never by both.
import type { SendDetails, SendResult } from "@app/shared/mail-payload";
import { outOfTurn } from "../../core/call-turns.ts";
import { MINUTE_MS } from "../../core/clock.ts";
import { isBusy } from "../../core/errors.ts";
import { countAttempt } from "../../core/rate-limit.ts";
import { mailboxOf } from "../mailboxes/mailbox-access.service.ts";
import { askForMailboxCheck } from "../mailboxes/mailbox-health.service.ts";
import { emailConnectionOf } from "../users/email-connection.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { hasGateway } from "./functions-client.service.ts";
import { judgeOne } from "./gate.service.ts";
import { wordsBeside } from "./gate-words.service.ts";
import type { GateProblem, PassedMail } from "./outgoing-gate.service.ts";
import { outgoingOf, type SendMail } from "./outgoing.service.ts";
import { AURINKO_FAILURE, aurinkoSender } from "./senders/aurinko-sender.service.ts";
import { emailJsSender, isEmailJsConfigured } from "./senders/emailjs-sender.service.ts";
import { gatewaySenders } from "./senders/gateway-sender.ts";
import { mailboxSender } from "./senders/mailbox-sender.service.ts";
import { type OnTaken, type SendError, type Sender, toSendError } from "./senders/sender.service.ts";
import { isInSent } from "./senders/sent-copy.ts";
import { isSystemServerConfigured, systemSender } from "./senders/system-sender.ts";

const ONE_CHECK = { tries: 1, pauseMs: 10 * MINUTE_MS, longestPauseMs: 10 * MINUTE_MS, memoryMs: 20 * MINUTE_MS };

interface SendOptions {
  /** How long the mail may wait for the fallback service, which takes one in a second only. */
  patienceMs?: number;
  /** Where its sender still has something to do that takes long. */
  onTaken?: OnTaken;
}

/** What became of a mail; where the gate refused it, why. */
export interface Sent extends SendResult {
  problems?: readonly GateProblem[];
}

/**
 * Sends a mail and says what became of it; only a mail that cannot be sent as it is throws (BAD_REQUEST), and
 * `busy` where nothing took it and the last way had no room for it yet. Where the person's own mailbox fails it goes by the fallback, unless the mailbox may have accepted it.
 */
export async function sendMail(input: SendMail, options: SendOptions = {}): Promise<Sent> {
  const { userId, isFallbackForced = false, about = ABOUT_NOBODY } = input;
  const user = await findIdentityUser(userId);
  const senderName = user ? `${user.first_name} ${user.last_name}` : "";
  const letter = { senderName, ...about, mail: await outgoingOf(input) };
  const verdict = await judgeOne({ ownerId: user?.owner_id ?? userId, userId }, letter);
  if (verdict.passes) return sendPassed(verdict.mail, { userId, isFallbackForced, ...options });
  const { problems } = verdict;
  const error = wordsBeside(problems, about.clientId);
  return { success: false, method: "fallback", error, fallbackUsed: false, problems };
}

const ABOUT_NOBODY = { clientId: null, party: null, answers: [] };

interface Sending extends SendOptions {
  userId: string;
  isFallbackForced?: boolean;
}

/** The same for a mail that passed the gate. */
export async function sendPassed(
  mail: PassedMail,
  { userId, isFallbackForced = false, patienceMs = 0, onTaken }: Sending,
): Promise<SendResult> {
  const own = await mailboxOn({ userId, isFallbackForced });
  const fallback = fallbackSender(patienceMs);
  if (!own) return resultOf(await tried(fallback, userId, mail), { fallbackUsed: false });
  const first = await tried(own, userId, mail, onTaken);
  if (!first.error || first.error.isUncertain) return resultOf(first, { fallbackUsed: false });
  await lookSoon(userId);
  const second = await tried(fallback, userId, mail);
  return second.error
    ? bothFailed(first.sender, first.error, fallback, second.error)
    : rescued(first.error, own, second);
}

/** By the person's own mailbox, and by no other way. */
export async function sendByOwn(mail: PassedMail, userId: string): Promise<SendResult> {
  const own = await ownSenderOf(userId);
  if (own) return resultOf(await tried(own, userId, mail), { fallbackUsed: false });
  return { success: false, method: "IMAP", error: "The mailbox is not connected any more.", fallbackUsed: false };
}

/** The mailbox failed: whether it still works, and what its owner can do, is found out in a moment. */
async function lookSoon(userId: string): Promise<void> {
  if ((await countAttempt(`mailbox-check:${userId}`, ONE_CHECK)).isAllowed) await askForMailboxCheck(userId);
}

/** By whom a mail is to leave. */
type Way = Pick<Sending, "userId" | "isFallbackForced">;

/** Whether there is any way at all by which such mail could leave. */
export const canSend = async (way: Way): Promise<boolean> => isFallbackConfigured() || (await mailboxOn(way)) !== null;

/**
 * Whether a mail stands in the Sent folder of the mailbox that carries such mail: "no" also where there is no such
 * folder to look into, and "unknown" where it cannot be read for now.
 */
export async function wasSentByMailbox({ userId, ...way }: Way, messageId: string): Promise<"yes" | "no" | "unknown"> {
  if (hasGateway() || (await mailboxOn({ userId, ...way })) !== mailboxSender) return "no";
  const mailbox = await mailboxOf(userId);
  if (!mailbox) return "no";
  try {
    return (await isInSent(mailbox, messageId)) ? "yes" : "no";
  } catch {
    return "unknown";
  }
}

/** Whether a second copy would show by its Message-ID that it is one; not every service lets us name it. */
export async function keepsMessageId(way: Way): Promise<boolean> {
  const own = await mailboxOn(way);
  return own ? own === mailboxSender : !isEmailJsConfigured() && isSystemServerConfigured();
}

const mailboxOn = async ({ userId, isFallbackForced = false }: Way): Promise<Sender | null> =>
  isFallbackForced ? null : ownSenderOf(userId);

export const isFallbackConfigured = (): boolean => isEmailJsConfigured() || isSystemServerConfigured();

/** The person's connected mailbox; null where there is none, or where it was switched off. */
export async function ownSenderOf(userId: string): Promise<Sender | null> {
  const connection = await emailConnectionOf(userId);
  if (!connection?.connected || !connection.active) return null;
  return ownSenders()[connection.serviceType === "IMAP" ? "mailbox" : "provider"];
}

/** What reaches the mailboxes of people: this process or, where MAIL_FUNCTIONS_URL is set, that gateway. */
export const ownSenders = (): { mailbox: Sender; provider: Sender } =>
  hasGateway() ? gatewaySenders : { mailbox: mailboxSender, provider: aurinkoSender };

const fallbackSender = (patienceMs: number): Sender =>
  !isEmailJsConfigured() && isSystemServerConfigured() ? systemSender() : emailJsSender({ patienceMs });

interface Tried {
  sender: Sender;
  details?: SendDetails;
  error?: SendError;
}

async function tried(sender: Sender, userId: string, mail: PassedMail, onTaken?: OnTaken): Promise<Tried> {
  try {
    return { sender, details: await outOfTurn(() => sender.send(userId, mail, onTaken)) };
  } catch (error) {
    // It is no failure of the mailbox, and another way has no more room.
    if (isBusy(error)) throw error;
    return { sender, error: toSendError(error) };
  }
}

function resultOf({ sender, details, error }: Tried, { fallbackUsed }: { fallbackUsed: boolean }): SendResult {
  const { method } = sender;
  if (!error) return { success: true, method, details: details ?? {}, fallbackUsed };
  return { success: false, method, error: error.message, details: failureDetails(error), fallbackUsed };
}

type Failure = Pick<SendError, "isUncertain" | "isTemporary" | "isUnanswered">;

const failureDetails = ({ isUncertain, isTemporary, isUnanswered }: Failure): SendDetails => ({
  ...(isUncertain ? { isUncertain } : {}),
  ...(isTemporary ? { isTemporary } : {}),
  ...(isUnanswered ? { isUnanswered } : {}),
});

function rescued(error: SendError, own: Sender, { sender, details }: Tried): SendResult {
  const said = own.method === "Aurinko" ? AURINKO_FAILURE : "The mailbox did not take the mail";
  const why = error.message === said ? said : `${said}: ${error.message}`;
  const warnings = [why, ...(details?.warnings ?? [])];
  return { success: true, method: sender.method, details: { ...details, warnings }, fallbackUsed: true };
}

function bothFailed(own: Sender, first: SendError, fallback: Sender, second: SendError): SendResult {
  return {
    success: false,
    method: "fallback",
    // In the words of the specification's section 4.
    error: `${own.name} failed: ${first.message} ${fallback.name} fallback also failed: ${second.message}`,
    details: failureDetails({
      isUncertain: second.isUncertain,
      isTemporary: first.isTemporary || second.isTemporary,
      // Of the mailbox, which is asked first each time.
      isUnanswered: first.isUnanswered,
    }),
    fallbackUsed: true,
  };
}
