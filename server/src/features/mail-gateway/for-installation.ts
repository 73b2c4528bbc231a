// The same calls for another installation that uses this one as its mail gateway. It has asked who may send, and keeps
// the record of the mail; this one knows the mailbox, and judges the mail once more.
import { imapFetchSchema, type imapSendSchema, type providerSendSchema } from "@app/shared/mail-payload";
import { outOfTurn } from "../../core/call-turns.ts";
import { conflict, forbidden } from "../../core/errors.ts";
import { INSTALLATION } from "../../core/fair-turns.ts";
import type { Logger } from "../../core/logger.ts";
import type { Asked } from "../../core/raw-route.ts";
import { readJson, readJsonWithFiles } from "../../core/read-body.ts";
import type { Scope } from "../../core/trpc.ts";
import { scopeNow } from "../access/standing.service.ts";
import { fetchHere } from "../inbox/fetch.service.ts";
import { noteSeen } from "../inbox/seen-mails.service.ts";
import { judgeOne } from "../mail/gate.service.ts";
import { wordsFor } from "../mail/gate-words.service.ts";
import type { Sender } from "../mail/senders/sender.service.ts";
import { mailboxOf } from "../mailboxes/mailbox-access.service.ts";
import { credentialsNotFound } from "../mail/senders/sender.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { FETCH_MAX_BYTES, read, SEND_MAX_BYTES, successOf } from "./functions-payload.ts";
import { answeredBy, mailFromGateway } from "./functions-message.ts";

/** Whose mailbox it is, as things stand: they work here, and their practice has a subscription. */
async function holderOf(userId: string, log: Logger): Promise<Scope> {
  const user = await findIdentityUser(userId);
  const scope = user && (await scopeNow({ userId, ownerId: user.owner_id ?? user._id }, [], log));
  if (!scope) throw forbidden("userId: nobody of this id may use a mailbox here.");
  return scope;
}

/** By itself, so that nothing keeps the payload while a slow server takes the mail. */
async function letterOf({ req, log }: Pick<Asked, "req" | "log">, schema: SendSchema) {
  const { json, fileOf } = await readJsonWithFiles(req, SEND_MAX_BYTES, INSTALLATION);
  const sent = read(schema, json);
  const scope = await holderOf(sent.userId, log);
  return { ...sent, scope, mail: await mailFromGateway(scope, sent, fileOf) };
}

type SendSchema = typeof imapSendSchema | typeof providerSendSchema;

export async function sendForInstallation(sender: Sender, { req, res, log }: Asked, schema: SendSchema): Promise<void> {
  const { scope, mail, userId, message } = await letterOf({ req, log }, schema);
  const answers = await answeredBy(scope, userId, message);
  const letter = { mail, clientId: null, party: null, answers, senderName: scope.userName };
  const verdict = await judgeOne(scope, letter);
  if (!verdict.passes) throw conflict(await wordsFor(scope, verdict.problems));
  const details = await outOfTurn(() => sender.send(userId, verdict.mail));
  log.info({ event: "mail sent for another installation", userId, messageId: details.messageId }, "audit");
  res.json(successOf(details));
}

export async function fetchForInstallation({ req, res, log }: Asked): Promise<void> {
  const input = read(imapFetchSchema, await readJson(req, FETCH_MAX_BYTES, INSTALLATION));
  const { ownerId } = await holderOf(input.userId, log);
  if (!(await mailboxOf(input.userId))) throw credentialsNotFound();
  res.json({ emails: await fetchHere(input, (mails) => noteSeen(ownerId, mails)) });
}
