// What carries a mailing: the mailbox of whoever started it over a few lasting connections, else the mail service, one by one.
import type { ItemState } from "@app/shared/mailing-states";
import { type MailFrom, mailboxFor } from "../mail/mail-from.service.ts";
import { hasGateway } from "../mail/functions-client.service.ts";
import { bothFailedText, isFallbackConfigured, sendPassed } from "../mail/mail.service.ts";
import { mailOf, type PassedMail } from "../mail/outgoing-gate.service.ts";
import { composeSmallMail } from "../mail/senders/small-mail.service.ts";
import { type SendError, toSendError } from "../mail/senders/sender.service.ts";
import { noteHandover, submit } from "../mail/senders/submission.service.ts";
import { type Mailbox, mailboxOf, openSmtp } from "../mailboxes/mailbox-access.service.ts";
import { writerOf } from "./mailing-sender.ts";
import type { MailingDoc } from "./mailings.model.ts";

// Four times as many as connections, so that the next are claimed and made while one is sent.
const LANES = 20;
/** A mailing waits for the fallback service, which takes one mail a second. */
const PATIENCE_MS = 60_000;

/** What became of one mail: `waiting` where a later try may help, `put back` where none was made. */
export interface Outcome {
  state: Extract<ItemState, "sent" | "failed" | "skipped" | "uncertain" | "waiting"> | "put back";
  /** For a person; empty where nothing is to be said. */
  reason: string;
}

export interface Carrier {
  /** The connected mailbox by which it leaves; null where it leaves by the mail service. */
  from: MailFrom | null;
  /** How many mails may be on their way at once. */
  lanes: number;
  send(letter: PassedMail): Promise<Outcome>;
  close(): void;
}

export async function openCarrier(mailing: MailingDoc): Promise<Carrier> {
  const writer = writerOf(mailing);
  const from = await mailboxFor(writer);
  const userId = from?.userId ?? writer.userId;
  const mailbox = from?.isMailbox && !hasGateway() ? await mailboxOf(userId) : null;
  return { from, ...(mailbox ? await pooled(userId, mailbox) : oneByOne(userId)) };
}

type Way = Omit<Carrier, "from">;

/** Over the person's own mail server; what it refuses goes by the fallback where there is one. */
async function pooled(userId: string, mailbox: Mailbox): Promise<Way> {
  const transport = noteHandover(await openSmtp(mailbox, { isPooled: true }));
  return {
    lanes: LANES,
    async send(letter) {
      try {
        const mail = mailOf(letter);
        await submit(transport, composeSmallMail({ name: mail.fromName, address: mailbox.email }, mail));
        return { state: "sent", reason: "" };
      } catch (error) {
        return afterFailure(userId, letter, toSendError(error));
      }
    },
    close: () => transport.close(),
  };
}

async function afterFailure(userId: string, letter: PassedMail, failure: SendError): Promise<Outcome> {
  if (failure.isUncertain) return { state: "uncertain", reason: failure.message };
  if (isFallbackConfigured()) {
    const outcome = await byService(userId, letter, { isFallbackForced: true });
    if (outcome.state === "sent") return outcome;
    return { ...outcome, reason: bothFailedText(failure.message, outcome.reason) };
  }
  return { state: failure.isTemporary ? "waiting" : "failed", reason: failure.message };
}

const oneByOne = (userId: string): Way => ({
  lanes: 1,
  send: (letter) => byService(userId, letter, { isFallbackForced: false }),
  close: () => undefined,
});

async function byService(
  userId: string,
  letter: PassedMail,
  { isFallbackForced }: { isFallbackForced: boolean },
): Promise<Outcome> {
  const {
    success,
    error = "",
    details,
  } = await sendPassed(letter, { userId, isFallbackForced, patienceMs: PATIENCE_MS });
  if (success) return { state: "sent", reason: (details?.warnings ?? []).join(" ") };
  if (details?.isUncertain) return { state: "uncertain", reason: error };
  return { state: details?.isTemporary ? "waiting" : "failed", reason: error };
}
