// As whom a mailing is sent: whoever started it, with what they may do at the moment when a mail leaves.
import { SECOND_MS } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { scopeNow } from "../access/standing.service.ts";
import { visibleClientIds } from "../clients/clients.service.ts";
import { type MailFrom, mailboxFor } from "../mail/mail-from.service.ts";
import type { MailingDoc, MailingItemDoc } from "./mailings.model.ts";

const REMEMBERED_MS = 2 * SECOND_MS;

const NOT_ALLOWED =
  "It stopped, because whoever started it may not send mail any more. Somebody else may go on with it.";
const ANOTHER_MAILBOX =
  "It stopped, because the mailbox that it was sent from is not the one to send from any more. Whoever goes on with it sends the rest from theirs.";

/** Whoever started it may not send it any more, or not from this mailbox; the message is for a person. */
export class NotAllowedError extends Error {}

export interface Sender {
  /** Somebody who sees only their own cases writes to nobody else. */
  mayWriteTo(item: Pick<MailingItemDoc, "clientId">): boolean;
}

/** As whom it is sent, and by whose mailbox: not whoever wrote it, who may not even work here any more. */
export const writerOf = ({ ownerId, startedBy, createdBy }: MailingDoc) => ({
  ownerId,
  userId: startedBy ?? createdBy,
});

/** Asks anew every other second: a thousand mails leave in one. */
export function senderOf(mailing: MailingDoc, from: MailFrom | null, log: Logger): () => Promise<Sender> {
  let askedAt = -Infinity;
  let answer = Promise.reject<Sender>(new NotAllowedError(NOT_ALLOWED));
  answer.catch(() => undefined);
  return () => {
    if (performance.now() - askedAt > REMEMBERED_MS) {
      askedAt = performance.now();
      answer = askSender(mailing, from, log);
    }
    return answer;
  };
}

async function askSender(mailing: MailingDoc, from: MailFrom | null, log: Logger): Promise<Sender> {
  const writer = writerOf(mailing);
  const scope = await scopeNow(writer, ["mail.send"], log);
  if (!scope) throw new NotAllowedError(NOT_ALLOWED);
  if (from && !isSame(from, await mailboxFor(writer))) throw new NotAllowedError(ANOTHER_MAILBOX);
  const seen = scope.isAssignedOnly ? new Set(await visibleClientIds(scope)) : null;
  return { mayWriteTo: ({ clientId }) => !seen || clientId === null || seen.has(clientId) };
}

const isSame = (before: MailFrom, after: MailFrom | null): boolean =>
  after?.userId === before.userId && after.address === before.address && after.isMailbox === before.isMailbox;
