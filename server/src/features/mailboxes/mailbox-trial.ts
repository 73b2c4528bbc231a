// Tries a mailbox both ways before it is believed: sends nothing, and reads no more than how many mails there are.
import { connect as connectTcp } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { outOfTurn } from "../../core/call-turns.ts";
import { againIfCutOff } from "../../core/imap-client.ts";
import { ofUser } from "../../core/fair-turns.ts";
import type { Asking } from "../../core/names.ts";
import { type Destination, mailDestination, OUTBOUND_TLS } from "../../core/outbound.ts";
import { diagnose } from "./diagnosis.service.ts";
import type { Attempt, Diagnosis, Found } from "./diagnosis-words.ts";
import { providerOfServer } from "./mail-providers.service.ts";
import { type Mailbox, type MailServer, openImap, openSmtp } from "./mailbox-access.service.ts";

// The whole answer has to be there before the request's own time limit.
const TRIAL_LIMIT_MS = 8000;
const LOOK_AFTER_MS = 3000;
const LOOK_LIMIT_MS = 2500;
const LOOK_GRACE_MS = 500;

class TooSlowError extends Error {
  code = "TOO_SLOW";
}

type Tried = Pick<Mailbox, "userId" | "imap" | "smtp" | "ca">;

/** Signs in at both servers at once. What does not work is told; nothing where all does. */
export async function tryMailbox(mailbox: Tried): Promise<Diagnosis[]> {
  const sides = () => [
    trySide("imap", mailbox, (gone) => readInbox(mailbox, gone)),
    trySide("smtp", mailbox, (gone) => verifySubmission(mailbox, gone)),
  ];
  const found = await outOfTurn(() => Promise.all(sides()));
  const problems = found.filter((problem) => problem !== null);
  const [first] = problems;
  // One password, refused twice, is one thing to put right.
  return first?.field === "password" && problems.every(({ field }) => field === "password") ? [first] : problems;
}

const readInbox = (mailbox: Tried, gone: AbortSignal): Promise<void> =>
  againIfCutOff(() => readInboxOnce(mailbox, gone));

async function readInboxOnce(mailbox: Tried, gone: AbortSignal): Promise<void> {
  const client = await openImap(mailbox, { gone });
  try {
    await client.status("INBOX");
    await client.logout();
  } finally {
    client.close();
  }
}

async function verifySubmission(mailbox: Tried, gone: AbortSignal): Promise<void> {
  const transport = await openSmtp(mailbox, { gone });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

async function trySide(
  side: Attempt["side"],
  mailbox: Tried,
  work: (gone: AbortSignal) => Promise<void>,
): Promise<Diagnosis | null> {
  const { host, port, secure } = mailbox[side];
  const attempt = { side, host, port, secure, provider: providerOfServer(host) };
  const isDone = new AbortController();
  const looking = lookLater(mailbox[side], { asker: ofUser(mailbox.userId), gone: isDone.signal });
  try {
    await Promise.race([work(isDone.signal), tooSlow(isDone.signal), otherThing(looking, attempt)]);
    return null;
  } catch (error) {
    isDone.abort();
    const found = await Promise.race([looking, sleep(LOOK_GRACE_MS, undefined, { ref: false })]);
    return diagnose(error, { ...attempt, found });
  } finally {
    isDone.abort();
  }
}

async function tooSlow(signal: AbortSignal): Promise<never> {
  await sleep(TRIAL_LIMIT_MS, undefined, { signal, ref: false });
  throw new TooSlowError("did not answer in time");
}

const GREETINGS = { imap: /^\* /, smtp: /^\d{3}[ -]/ };

/** Ends the wait as soon as it is plain that something else stands there. */
async function otherThing(looking: Promise<Found | undefined>, { side, secure }: Attempt): Promise<never> {
  const found = await looking;
  const isOther = found && (found.speaksTls || (found.greeting && !GREETINGS[side].test(found.greeting)));
  if (isOther && !secure) throw new TooSlowError("something else answers");
  return new Promise(() => undefined);
}

/** A server that keeps silent is looked at once more: it may wait for encryption, or be no mail server. */
async function lookLater({ host, port }: MailServer, asking: Asking): Promise<Found | undefined> {
  try {
    await sleep(LOOK_AFTER_MS, undefined, { ...(asking.gone ? { signal: asking.gone } : {}), ref: false });
    const destination = await mailDestination(host, port, asking);
    const [speaksTls, greeting] = await Promise.all([answersTls(destination), greetingOf(destination)]);
    return { speaksTls, greeting };
  } catch {
    // Nothing more is known then than what the attempt itself said.
    return undefined;
  }
}

const answersTls = ({ address, port, servername }: Destination): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectTls({
      host: address,
      port,
      ...OUTBOUND_TLS,
      ...(servername ? { servername } : {}),
    });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(LOOK_LIMIT_MS, () => end(false));
    socket.once("secureConnect", () => end(true));
    // Who shows a certificate that is not believed speaks TLS all the same.
    socket.once("error", (error) => end(/certificate|altnames/i.test(error.message)));
  });

const greetingOf = ({ address, port }: Destination): Promise<string> =>
  new Promise((resolve) => {
    const socket = connectTcp(port, address);
    const end = (answer: string) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(LOOK_LIMIT_MS, () => end(""));
    socket.once("data", (data) => end(data.toString("latin1").split(/\r?\n/)[0] ?? "")).once("error", () => end(""));
  });
