// What carries a mailing: the connected mailbox of whoever started it, over a few lasting connections or one by one. Never
// the installation's own sender: mail about access comes from there, and its name is everybody's.
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
}

export interface Carrier {
  /** The connected mailbox by which it leaves. */
  from: MailFrom;
  /** How many mails may be on their way at once: none of them waits for another, as it would not be asked again. */
  lanes: number;
  send(letter: PassedMail): Promise<Outcome>;
  close(): void;
}

export async function openCarrier(mailing: MailingDoc): Promise<Carrier> {
  const writer = writerOf(mailing);
  const from = await mailboxFor(writer);
  if (!from) throw new NotAllowedError(`It stopped. ${NO_MAILBOX}`);
  const mailbox = from.isMailbox && !hasGateway() ? await mailboxOf(from.userId) : null;
  return { from, ...(mailbox ? await pooled(mailbox) : oneByOne(from.userId)) };
}

type Way = Omit<Carrier, "from">;

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

const afterFailure = ({ isUncertain, isTemporary, message }: SendError): Outcome =>
  isUncertain
    ? { state: "uncertain", reason: message }
    : { state: isTemporary ? "waiting" : "failed", reason: message };

const oneByOne = (userId: string): Way => ({
  lanes: 1,
  async send(letter) {
    const { success, error = "", details } = await sendByOwn(letter, userId);
    if (success) return { state: "sent", reason: (details?.warnings ?? []).join(" ") };
    if (details?.isUncertain) return { state: "uncertain", reason: error };
    return { state: details?.isTemporary ? "waiting" : "failed", reason: error };
  },
  close: () => undefined,
});
