// The three calls of a mail gateway, and forms for the fallback service: for whoever is signed in.
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPCError } from "@trpc/server";
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import type { z } from "zod";
import type { Permission } from "@app/shared/access";
import { idSchema } from "@app/shared/ids";
import { imapFetchSchema, imapSendSchema, providerSendSchema, type SendDetails } from "@app/shared/mail-payload";
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { badField, tooManyRequests } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import type { Sending } from "../../core/once.ts";
import { describePause, type Limit, countAttempt } from "../../core/rate-limit.ts";
import { readBytes, readJson } from "../../core/read-body.ts";
import { type Actor, type Context, requirePermitted } from "../../core/trpc.ts";
import { fetchHere, fetchOfOther } from "../inbox/fetch.service.ts";
import { mailboxOf } from "../mailboxes/mailbox-access.service.ts";
import { sendDirectly } from "../outbox/direct-mail.service.ts";
import type { PassedMail } from "../mail/outgoing-gate.service.ts";
import { mailFromGateway, requireMailboxOf } from "./functions-message.ts";
import { relayForm } from "./send-form.ts";
import { aurinkoSender } from "../mail/senders/aurinko-sender.service.ts";
import { mailboxSender } from "../mail/senders/mailbox-sender.service.ts";
import { credentialsNotFound, SendError } from "../mail/senders/sender.service.ts";

type ContextFactory = (req: Request, res: Response) => Promise<Context>;
type Handler = (actor: Actor, req: Request, res: Response) => Promise<void>;

// A mail of 25 MB in base64, with room for its text.
const SEND_MAX_BYTES = 40 * 1024 * 1024;
const FETCH_MAX_BYTES = 1024 * 1024;
const FORM_MAX_BYTES = 2 * 1024 * 1024;
// More than a program needs that looks for new mail; after some quiet seconds it is forgotten.
const FETCHES: Limit = {
  tries: 100,
  pauseMs: 30 * SECOND_MS,
  longestPauseMs: 5 * MINUTE_MS,
  memoryMs: 20 * SECOND_MS,
};

/**
 * POST /functions/imap-send, /functions/imap-fetch and /functions/provider-send, with the payloads and the error
 * fields of the specification. Who calls is known before the body is read.
 */
export function mailFunctions(createContext: ContextFactory): Router {
  const routes = Router();
  const allowed = calledBy(createContext);
  routes.post("/imap-send", allowed("mail.send", json(SEND_MAX_BYTES), sendByMailbox));
  routes.post("/imap-fetch", allowed("mail.read", json(FETCH_MAX_BYTES), fetchFromMailbox));
  routes.post("/provider-send", allowed("mail.send", json(SEND_MAX_BYTES), sendByProvider));
  routes.use("/provider-send", answerIn("message"));
  routes.use(answerIn("error"));
  return routes;
}

/** POST /functions/send-form: the form data of a page, for the fallback service. */
export function formFunction(createContext: ContextFactory): Router {
  const routes = Router();
  const body: ReadBody = (req) => readBytes(req, FORM_MAX_BYTES);
  routes.post("/", calledBy(createContext)("mail.send", body, sendForm));
  routes.use(answerIn("error"));
  return routes;
}

type ReadBody = (req: Request, actor: Actor) => Promise<unknown>;

const json =
  (limitBytes: number): ReadBody =>
  (req, { scope }) =>
    readJson(req, limitBytes, ofPerson(scope));

const calledBy =
  (createContext: ContextFactory) =>
  (permission: Permission, readBody: ReadBody, handle: Handler): RequestHandler =>
  async (req, res) => {
    const { actor: caller } = await createContext(req, res);
    const actor = requirePermitted(caller, [permission]);
    req.body = await readBody(req, actor);
    await handle(actor, req, res);
  };

const sendByMailbox: Handler = async ({ scope }, req, res) => {
  const { userId, message } = read(imapSendSchema, req.body);
  await requireMailboxOf(scope, userId, "maySend");
  const mail = await mailFromGateway(scope, userId, message);
  const sending = sendingOf(req, "imap-send");
  const send = (passed: PassedMail) => mailboxSender.send(userId, passed);
  res.json(successOf(await sendDirectly(scope, { mail, send, sending })));
};

const sendByProvider: Handler = async ({ scope }, req, res) => {
  const { userId, message } = read(providerSendSchema, req.body);
  await requireMailboxOf(scope, userId, "maySend");
  const mail = await mailFromGateway(scope, userId, message);
  const sending = sendingOf(req, "provider-send");
  const send = (passed: PassedMail) => aurinkoSender.send(userId, passed);
  res.json(successOf(await sendDirectly(scope, { mail, send, sending })));
};

/** The payload is the specification's: what its sender calls a mail stands in a header, where they call it something. */
function sendingOf(req: Request, call: string): Sending | null {
  const id = keyOf(req);
  return id === null ? null : { id, what: `functions/${call}`, input: req.body };
}

function keyOf(req: Request): string | null {
  const key = req.headers["idempotency-key"];
  if (key === undefined) return null;
  const id = idSchema.safeParse(key);
  if (!id.success) throw badField("Idempotency-Key", "Idempotency-Key: use up to 64 letters, digits, - and _.");
  return id.data;
}

const fetchFromMailbox: Handler = async ({ scope }, req, res) => {
  const input = read(imapFetchSchema, req.body);
  await requireMailboxOf(scope, input.userId, "mayRead");
  const box = await mailboxOf(input.userId);
  if (!box) throw credentialsNotFound();
  const { isAllowed, pauseMs } = await countAttempt(`imap-fetch:${scope.userId}`, FETCHES);
  if (!isAllowed) throw tooManyRequests(`That was asked many times. Wait ${describePause(pauseMs)}, then try again.`);
  const isTheirs = input.userId === scope.userId;
  res.json({ emails: await (isTheirs ? fetchHere(input) : fetchOfOther(scope, box.email, input)) });
};

const sendForm: Handler = async ({ scope }, req, res) => {
  const body: unknown = req.body;
  await relayForm(scope, {
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    contentType: req.headers["content-type"] ?? "",
    isHeadless: req.headers["x-webdriver"] === "true" || /headless/i.test(req.headers["user-agent"] ?? ""),
    id: keyOf(req),
  });
  res.json({ success: true });
};

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") || "payload";
  throw badField(field, `${field}: ${issue?.message ?? "This cannot be used."}`);
}

const successOf = ({ messageId, rejected, warnings }: SendDetails) => ({
  success: true,
  messageId,
  ...(rejected ? { rejected } : {}),
  ...(warnings ? { warnings } : {}),
});

/** Failures in the one field where the specification has them; what nobody foresaw goes on to the log. */
function answerIn(field: "error" | "message"): ErrorRequestHandler {
  return function answerFailure(error, _req, res, next) {
    const failure = failureOf(error);
    if (!failure || res.headersSent) return next(error);
    const { status, code, message } = failure;
    res.status(status).json({ [field]: message, data: { code, httpStatus: status } });
  };
}

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
