// As whom a mailing is sent: whoever started it, with what they may do at the moment when a mail leaves.
import { can, type Permission } from "@app/shared/access";
import { SECOND_MS } from "../../core/clock.ts";
import { forbidden, wrongState } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { scopeNow } from "../access/standing.service.ts";
import { visibleClientIds } from "../clients/clients.service.ts";
import { knowsNames, type Names, NO_NAMES } from "../mail/gate-words.service.ts";
import { type MailFrom, mailboxFor } from "../mail/mail-from.service.ts";
import { type MailingDoc, type MailingItemDoc, MailingItemModel } from "./mailings.model.ts";

const REMEMBERED_MS = 2 * SECOND_MS;

const NOT_ALLOWED = "It stopped, because whoever started it may not send it any more. Somebody else may go on with it.";
const ANOTHER_MAILBOX =
  "It stopped, because the mailbox that it was sent from is not the one to send from any more. Whoever goes on with it sends the rest from theirs.";

export const NO_MAILBOX =
  "A mailing leaves by a connected mailbox only. Connect one under Email, or ask a colleague to share theirs for sending. Then send it.";

/** Whoever started it may not send it any more, or not from this mailbox; the message is for a person. */
export class NotAllowedError extends Error {}

export interface Sender {
  userName: string;
  /** Somebody who sees only their own cases writes to nobody else. */
  mayWriteTo(item: Pick<MailingItemDoc, "clientId">): boolean;
  /** Whose name they may know; null for everybody's. */
  named: Names | null;
}

/** As whom it is sent, and by whose mailbox: not whoever wrote it, who may not even work here any more. */
export const writerOf = ({
  ownerId,
  startedBy,
  createdBy,
}: Pick<MailingDoc, "ownerId" | "startedBy" | "createdBy">) => ({
  ownerId,
  userId: startedBy ?? createdBy,
});

/** Everybody on a list is of nobody, and everybody else is a client: so one of them tells. */
async function permissionsFor({ ownerId, _id: mailingId }: Pick<MailingDoc, "ownerId" | "_id">): Promise<Permission[]> {
  const one = await MailingItemModel.findOne({ ownerId, mailingId }, { clientId: 1 }).lean();
  return one?.clientId ? ["mail.send", "clients.read"] : ["mail.send"];
}

/** Throws where this person may not send it, or has no mailbox to send it from. */
export async function assertMaySend(scope: Scope, mailing: Pick<MailingDoc, "ownerId" | "_id">): Promise<void> {
  const needed = await permissionsFor(mailing);
  if (!needed.every((permission) => can(scope, permission)))
    throw forbidden("You may not see clients, so you cannot send to them. Ask the owner of the practice.");
  if (!(await mailboxFor(scope))) throw wrongState(NO_MAILBOX);
}

/** Asks anew every other second: a thousand mails leave in one. */
export function senderOf(mailing: MailingDoc, from: MailFrom, log: Logger): () => Promise<Sender> {
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

async function askSender(mailing: MailingDoc, from: MailFrom, log: Logger): Promise<Sender> {
  const writer = writerOf(mailing);
  const scope = await scopeNow(writer, await permissionsFor(mailing), log);
  if (!scope) throw new NotAllowedError(NOT_ALLOWED);
  await assertMailbox(mailing, from);
  const seen = scope.isAssignedOnly ? new Set(await visibleClientIds(scope)) : null;
  const named: Names =
    seen && can(scope, "clients.read") ? ({ kind, id }) => kind === "client" && seen.has(id) : NO_NAMES;
  return {
    userName: scope.userName,
    mayWriteTo: ({ clientId }) => !seen || clientId === null || seen.has(clientId),
    named: knowsNames(scope) ? null : named,
  };
}

/** Throws where this is not the mailbox to send from any more. */
export async function assertMailbox(mailing: MailingDoc, from: MailFrom): Promise<void> {
  if (!isSame(from, await mailboxFor(writerOf(mailing)))) throw new NotAllowedError(ANOTHER_MAILBOX);
}

const isSame = (before: MailFrom, after: MailFrom | null): boolean =>
  after?.userId === before.userId && after.address === before.address && after.isMailbox === before.isMailbox;
