// What carries a mailing: the connected mailbox of whoever started it, over a few lasting connections or one by one. Never
// the installation's own sender: mail about access comes from there, and its name is everybody's.
import type { SendDetails } from "@app/shared/mail-payload";
import type { ItemState } from "@app/shared/mailing-states";
import { type MailFrom, mailboxFor } from "../mail/mail-from.service.ts";
import { hasGateway } from "../mail/functions-client.service.ts";
import { sendByOwn } from "../mail/mail.service.ts";
import { mailOf, type PassedMail } from "../mail/outgoing-gate.service.ts";
import { composeSmallMail } from "../mail/senders/small-mail.service.ts";
import { type SendError, toSendError } from "../mail/senders/sender.service.ts";
import { noteHandover, submit } from "../mail/senders/submission.service.ts";
import { type Mailbox, mailboxOf, openSmtp, SMTP_CONNECTIONS } from "../mailboxes/mailbox-access.service.ts";
import { NO_MAILBOX, NotAllowedError, writerOf } from "./mailing-sender.ts";
import type { MailingDoc } from "./mailings.model.ts";

/** What became of one mail: `waiting` where a later try may help, `put back` where none was made. */
export interface Outcome {
  state: Extract<ItemState, "sent" | "failed" | "skipped" | "uncertain" | "waiting"> | "put back";
  /** For a person; empty where nothing is to be said. */
  reason: string;
  /** It was sent again after a process died that had it on its way. */
  isPerhapsTwice?: boolean;
  /** The mail server did not answer. */
  isUnanswered?: boolean;
}

export interface Carrier {
  /** The connected mailbox by which it leaves. */
  from: MailFrom;
  /** Its server took a mail of this carrier, or did not answer one. */
  has: { taken: boolean; notAnswered: boolean };
  /** How many mails may be on their way at once: none of them waits for another, as it would not be asked again. */
  lanes: number;
  send(letter: PassedMail): Promise<Outcome>;
  close(): void;
}

/** The mailbox of whoever sends it. Throws where there is none any more. */
export async function mailboxOfSender(mailing: MailingDoc): Promise<MailFrom> {
  const from = await mailboxFor(writerOf(mailing));
  if (!from) throw new NotAllowedError(`It stopped. ${NO_MAILBOX}`);
  return from;
}

export async function openCarrier(from: MailFrom): Promise<Carrier> {
  const mailbox = from.isMailbox && !hasGateway() ? await mailboxOf(from.userId) : null;
  const way = mailbox ? await pooled(mailbox) : oneByOne(from.userId);
  const has = { taken: false, notAnswered: false };
  const send = async (letter: PassedMail) => {
    const outcome = await way.send(letter);
    if (outcome.isUnanswered) has.notAnswered = true;
    else if (outcome.state === "sent") has.taken = true;
    return outcome;
  };
  return { ...way, from, has, send };
}

type Way = Omit<Carrier, "from" | "has">;

/** Over the person's own mail server. */
async function pooled(mailbox: Mailbox): Promise<Way> {
  const transport = noteHandover(await openSmtp(mailbox, { isPooled: true }));
  return {
    lanes: SMTP_CONNECTIONS,
    async send(letter) {
      try {
        const mail = mailOf(letter);
        await submit(transport, composeSmallMail({ name: mail.fromName, address: mailbox.email }, mail));
        return { state: "sent", reason: "" };
      } catch (error) {
        return afterFailure(toSendError(error));
      }
    },
    close: () => transport.close(),
  };
}

const afterFailure = ({ isUncertain, isTemporary, isUnanswered, message }: Failure): Outcome => ({
  state: isUncertain ? "uncertain" : isTemporary ? "waiting" : "failed",
  reason: message,
  ...(isUnanswered ? { isUnanswered } : {}),
});

type Failure = Pick<SendError, "message"> & Pick<SendDetails, "isUncertain" | "isTemporary" | "isUnanswered">;

const oneByOne = (userId: string): Way => ({
  lanes: 1,
  async send(letter) {
    const { success, error = "", details = {} } = await sendByOwn(letter, userId);
    if (success) return { state: "sent", reason: (details.warnings ?? []).join(" ") };
    return afterFailure({ ...details, message: error });
  },
  close: () => undefined,
});
