// The three calls of a mail gateway, with the payloads and the error fields of the specification, and forms for the
// fallback service. Who calls is known before the body is read.
import { createHash } from "node:crypto";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPCError } from "@trpc/server";
import type { ErrorRequestHandler, Request, RequestHandler } from "express";
import { idSchema } from "@app/shared/ids";
import { can } from "@app/shared/access";
import { imapFetchSchema, imapSendSchema, providerSendSchema } from "@app/shared/mail-payload";
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { badField, forbidden, tooManyRequests } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { isHeadless } from "../../core/headless.ts";
import type { Sending } from "../../core/once.ts";
import { describePause, type Limit, countAttempt } from "../../core/rate-limit.ts";
import type { AskedBy, RawRoute } from "../../core/raw-route.ts";
import { readBytes, readJson, readJsonWithFiles } from "../../core/read-body.ts";
import { inPieces } from "../../core/slices.ts";
import { fetchEmails, fetchOfOther } from "../inbox/fetch.service.ts";
import { noteSeen } from "../inbox/seen-mails.service.ts";
import { mailboxOf } from "../mailboxes/mailbox-access.service.ts";
import { fetchForInstallation, sendForInstallation } from "./for-installation.ts";
import { type DirectMail, sendDirectly } from "../outbox/direct-mail.service.ts";
import type { PassedMail } from "../mail/outgoing-gate.service.ts";
import { FETCH_MAX_BYTES, read, SEND_MAX_BYTES, successOf } from "./functions-payload.ts";
import { answeredBy, mailFromGateway, requireMailboxOf } from "./functions-message.ts";
import { relayForm } from "./send-form.ts";
import { aurinkoSender } from "../mail/senders/aurinko-sender.service.ts";
import { mailboxSender } from "../mail/senders/mailbox-sender.service.ts";
import { ownSenders } from "../mail/mail.service.ts";
import {
  credentialsNotFound,
  type OnTaken,
  type OutgoingMail,
  SendError,
  type Sender,
} from "../mail/senders/sender.service.ts";

const NOT_OTHERS = "You may not see clients, so you read no mailbox but your own.";
const FORM_MAX_BYTES = 2 * 1024 * 1024;
// More than a program needs that looks for new mail; after some quiet seconds it is forgotten.
const FETCHES: Limit = {
  tries: 100,
  pauseMs: 30 * SECOND_MS,
  longestPauseMs: 5 * MINUTE_MS,
  memoryMs: 20 * SECOND_MS,
};

// More than somebody fills in; what the service takes in a second is for everybody.
const FORMS: Limit = { tries: 20, pauseMs: MINUTE_MS, longestPauseMs: 10 * MINUTE_MS, memoryMs: 10 * MINUTE_MS };

/** POST /functions/imap-send: by somebody's own mailbox. */
export const imapSend: RawRoute = {
  access: "subscribed",
  permissions: ["mail.send"],
  answer: (asked) => sendBy(ownSenders().mailbox, asked, { schema: imapSendSchema, call: "imap-send" }),
  answerInstallation: (asked) => sendForInstallation(mailboxSender, asked, imapSendSchema),
};

/** POST /functions/provider-send: by another provider of mailboxes. */
export const providerSend: RawRoute = {
  access: "subscribed",
  permissions: ["mail.send"],
  answer: (asked) => sendBy(ownSenders().provider, asked, { schema: providerSendSchema, call: "provider-send" }),
  answerInstallation: (asked) => sendForInstallation(aurinkoSender, asked, providerSendSchema),
};

/** POST /functions/imap-fetch: the newest mails of a mailbox. */
export const imapFetch: RawRoute = {
  access: "subscribed",
  permissions: ["mail.read"],
  answer: fetchFromMailbox,
  answerInstallation: fetchForInstallation,
};

/** POST /functions/send-form: the form data of a page, for the fallback service. */
export const formSend: RawRoute = {
  access: "subscribed",
  permissions: ["mail.send"],
  takes: "multipart/form-data",
  answer: sendForm,
};

interface SendCall {
  schema: typeof imapSendSchema | typeof providerSendSchema;
  call: string;
}

async function sendBy(sender: Sender, asked: AskedBy, sendCall: SendCall): Promise<void> {
  const direct = await directMailOf(sender, asked, sendCall);
  asked.res.json(successOf(await sendDirectly(asked.scope, direct)));
}

/** By itself, so that nothing keeps the payload while a slow server takes the mail. */
async function directMailOf(sender: Sender, { req, scope }: AskedBy, { schema, call }: SendCall): Promise<DirectMail> {
  const { json, fileOf } = await readJsonWithFiles(req, SEND_MAX_BYTES, ofPerson(scope));
  const sent = read(schema, json);
  const { userId, message } = sent;
  await requireMailboxOf(scope, userId, "maySend");
  const mail = await mailFromGateway(scope, sent, fileOf);
  const id = keyOf(req);
  const input = id === null ? null : { userId, message: { ...message, attachments: await digestsOf(mail) } };
  const sending: Sending | null = id === null ? null : { id, what: `functions/${call}`, input };
  const send = (passed: PassedMail, onTaken: OnTaken) => sender.send(userId, passed, onTaken);
  const answers = await answeredBy(scope, userId, message);
  return { mail, answers, send, sending };
}

/** What its files hold, in few letters: a mail that is sent once is compared with the same that comes again. */
async function digestsOf({ attachments }: OutgoingMail) {
  const digests: { name: string; mime: string; digest: string }[] = [];
  for (const { name, mime, content } of attachments) {
    const hash = createHash("sha256");
    for await (const piece of inPieces(content)) hash.update(piece);
    digests.push({ name, mime, digest: hash.digest("hex") });
  }
  return digests;
}

/** The payload is the specification's: what its sender calls a mail stands in a header, where they call it something. */
function keyOf(req: Request): string | null {
  const key = req.headers["idempotency-key"];
  if (key === undefined) return null;
  const id = idSchema.safeParse(key);
  if (!id.success) throw badField("Idempotency-Key", "Idempotency-Key: use up to 64 letters, digits, - and _.");
  return id.data;
}

async function fetchFromMailbox({ req, res, scope }: AskedBy): Promise<void> {
  const input = read(imapFetchSchema, await readJson(req, FETCH_MAX_BYTES, ofPerson(scope)));
  await requireMailboxOf(scope, input.userId, "mayRead");
  const box = await mailboxOf(input.userId);
  if (!box) throw credentialsNotFound();
  await keepPace(`imap-fetch:${scope.userId}`, FETCHES);
  const isTheirs = input.userId === scope.userId;
  // What others' mail says of clients is read as their pages are.
  if (!isTheirs && !can(scope, "clients.read")) throw forbidden(NOT_OTHERS);
  const note = (mails: Parameters<typeof noteSeen>[1]) => noteSeen(scope.ownerId, mails);
  res.json({ emails: await (isTheirs ? fetchEmails(input, note) : fetchOfOther(scope, box.email, input, note)) });
}

async function keepPace(key: string, limit: Limit): Promise<void> {
  const { isAllowed, pauseMs } = await countAttempt(key, limit);
  if (!isAllowed) throw tooManyRequests(`That was asked many times. Wait ${describePause(pauseMs)}, then try again.`);
}

async function sendForm({ req, res, scope }: AskedBy): Promise<void> {
  await keepPace(`send-form:${scope.userId}`, FORMS);
  await relayForm(scope, {
    body: await readBytes(req, FORM_MAX_BYTES),
    contentType: req.headers["content-type"] ?? "",
    isHeadless: isHeadless(req),
    id: keyOf(req),
  });
  res.json({ success: true });
}

/** Answers whatever refused a call below /functions; what nobody foresaw goes on to the log. */
export const answerRefusedCall: ErrorRequestHandler = (error, req, res, next) => {
  const failure = failureOf(error);
  if (!failure || res.headersSent) return next(error);
  const { status, code, message } = failure;
  res.status(status).json(refusedCall(req, { code, httpStatus: status }, message));
};

/** A failure as text in the one field where the specification has it. */
export const refusedCall = ({ originalUrl }: Request, data: { code: string; httpStatus: number }, message: string) => ({
  [originalUrl.startsWith("/functions/provider-send") ? "message" : "error"]: message,
  data,
});

/** After all functions that there are. */
export const answerUnknownCall: RequestHandler = () => {
  const message = "There is no such function. Call imap-send, imap-fetch, provider-send or send-form, each by POST.";
  throw new TRPCError({ code: "NOT_FOUND", message });
};

interface Failure {
  status: number;
  code: string;
  message: string;
}

function failureOf(error: unknown): Failure | null {
  if (error instanceof SendError) return { ...statusOf(error), message: error.message };
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") {
    return { status: getHTTPStatusCodeFromError(error), code: error.code, message: error.message };
  }
  return null;
}

/** 504 says that nobody knows whether it was sent, so that whoever called does not send it by another way. */
function statusOf({ isUncertain, isTemporary, status }: SendError): Omit<Failure, "message"> {
  if (status) return { status, code: status === 404 ? "NOT_FOUND" : "REFUSED" };
  if (isUncertain) return { status: 504, code: "GATEWAY_TIMEOUT" };
  return isTemporary ? { status: 503, code: "SERVICE_UNAVAILABLE" } : { status: 502, code: "BAD_GATEWAY" };
}
