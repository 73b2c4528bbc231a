// As whom a mailing is sent: whoever started it, with what they may do at the moment when a mail leaves.
import { SECOND_MS } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { scopeNow } from "../auth/standing.service.ts";
import { visibleClientIds } from "../clients/clients.service.ts";
import type { MailingDoc, MailingItemDoc } from "./mailings.model.ts";

const REMEMBERED_MS = 2 * SECOND_MS;

/** Whoever started it may not send it any more. */
export class NotAllowedError extends Error {}

export interface Sender {
  /** Somebody who sees only their own cases writes to nobody else. */
  mayWriteTo(item: Pick<MailingItemDoc, "clientId">): boolean;
}

/** Asks anew every other second: a thousand mails leave in one. */
export function senderOf(mailing: MailingDoc, log: Logger): () => Promise<Sender> {
  let askedAt = -Infinity;
  let answer = Promise.reject<Sender>(new NotAllowedError());
  answer.catch(() => undefined);
  return () => {
    if (performance.now() - askedAt > REMEMBERED_MS) {
      askedAt = performance.now();
      answer = askSender(mailing, log);
    }
    return answer;
  };
}

async function askSender({ ownerId, startedBy, createdBy }: MailingDoc, log: Logger): Promise<Sender> {
  const scope = await scopeNow({ ownerId, userId: startedBy ?? createdBy }, ["mail.send"], log);
  if (!scope) throw new NotAllowedError();
  const seen = scope.isAssignedOnly ? new Set(await visibleClientIds(scope)) : null;
  return { mayWriteTo: ({ clientId }) => !seen || clientId === null || seen.has(clientId) };
}
