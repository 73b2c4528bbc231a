import { setMaxListeners } from "node:events";
import {
  type AnyTRPCRouter,
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
} from "@trpc/server";
import { createExpressMiddleware } from "@trpc/server/adapters/express";
import type { Request, RequestHandler, Response } from "express";
import { askerOf, followAnswer, inCallTurn } from "./call-turns.ts";
import { callerGone, whileReading } from "./caller.ts";
import { busy, isBusy } from "./errors.ts";
import { ofPerson } from "./fair-turns.ts";
import { RETRY_SECONDS } from "./http-security.ts";
import { isBearable } from "./json-bounds.ts";
import { readJson } from "./read-body.ts";
import { holdStream } from "./streams.ts";
import { anonymousCallMaxBytes, ofNetwork } from "./anonymous.ts";
import { type Context, isSignedIn } from "./trpc.ts";

export const BATCH_MAX = 10;
const BODY_MAX_BYTES = 1024 * 1024;

interface Options {
  router: AnyTRPCRouter;
  createContext: (req: Request, res: Response) => Promise<Context>;
}

interface Answer {
  status: number;
  json: string;
  isBusy?: boolean;
}

/**
 * Serves tRPC over HTTP. tRPC's own Express adapter turns every request into a Fetch one and takes two thirds of the
 * time of a small call, so it serves only subscriptions here; queries and mutations go straight to the procedures,
 * with tRPC's public wire format: GET for queries (batched by commas), POST with one JSON input for mutations. A body is
 * read when a procedure asks for its input: whoever may not call it is refused before.
 */
export function trpcHandler({ router, createContext }: Options): RequestHandler {
  const calls = callsOf(router);
  const streamHandler = (ctx: Context) =>
    createExpressMiddleware({
      router,
      createContext: () => ctx,
      maxBatchSize: 1,
      // An event stream's own header would let it be stored.
      responseMeta: () => ({ headers: new Headers({ "cache-control": "no-store" }) }),
    });

  return async function serveProcedures(req, res, next) {
    const path = req.path.slice(1);
    const ctx = await createContext(req, res);
    if (res.headersSent) return;
    if (calls.typeOf(path) === "subscription") {
      // It is opened in its turn, and rests without one.
      await inCallTurn(askerOf(ctx), async () => undefined);
      if (res.destroyed) return;
      if (isSignedIn(ctx.actor)) holdStream(ctx.actor.scope.userId, res);
      return streamHandler(ctx)(req, res, next);
    }
    const isBatch = req.query["batch"] === "1";
    const paths = isBatch ? path.split(",", BATCH_MAX + 1) : [path];
    const answers = refused(calls, req, ctx, paths) ?? (await answerAll(calls, { req, res, ctx }, paths));
    if (!res.destroyed && !res.headersSent) send(res, ctx, answers, isBatch);
  };
}

interface Call {
  path: string;
  type: "query" | "mutation";
  read: () => Promise<unknown>;
  ctx: Context;
  /** Of the request as a whole. */
  signal: AbortSignal | undefined;
  /** Nobody takes the answer any more. */
  unread: AbortSignal;
  index: number;
}

type Calls = ReturnType<typeof callsOf>;

/** The calls of a router: each with the answer that leaves, also where it fails. */
function callsOf(router: AnyTRPCRouter) {
  const procedures: Record<string, { _def: { type: string } }> = router._def.procedures;
  const typeOf = (path: string) => (Object.hasOwn(procedures, path) ? procedures[path]?._def.type : undefined);

  async function answer({ path, type, read, ctx, signal, unread, index }: Call): Promise<Answer> {
    try {
      const actual = typeOf(path);
      if (!actual) throw new TRPCError({ code: "NOT_FOUND", message: "There is no such call." });
      if (actual !== type) throw new TRPCError({ code: "METHOD_NOT_SUPPORTED", message: `This is a ${actual}.` });
      const called = { router, path, type, ctx, getRawInput: read, signal, batchIndex: index };
      return await inCallTurn(askerOf(ctx), async () => {
        const run = () => callTRPCProcedure(called);
        const data: unknown = await (type === "query" ? whileReading(unread, run) : run());
        return { status: 200, json: JSON.stringify({ result: data === undefined ? {} : { data } }) };
      });
    } catch (error) {
      return failed(getTRPCErrorFromUnknown(error), ctx, path);
    }
  }

  function failed(error: TRPCError, ctx: Context, path: string | undefined): Answer {
    const shape: { data: { httpStatus: number } } = getTRPCErrorShape({
      config: router._def._config,
      error,
      type: "unknown",
      path,
      input: undefined,
      ctx,
    });
    return { status: shape.data.httpStatus, json: JSON.stringify({ error: shape }), isBusy: isBusy(error) };
  }

  return { typeOf, answer, failed };
}

const typeOfRequest = ({ method }: Request): Call["type"] => (method === "GET" ? "query" : "mutation");

/** What is wrong with a request as a whole; null where its calls can be looked at. */
function refused({ failed }: Calls, req: Request, ctx: Context, paths: readonly string[]): Answer[] | null {
  const refuse = (code: TRPCError["code"], message: string) => [
    failed(new TRPCError({ code, message }), ctx, undefined),
  ];
  if (paths.length > BATCH_MAX) return refuse("BAD_REQUEST", `At most ${BATCH_MAX} calls fit in one request.`);
  if (req.method !== "GET" && req.method !== "POST") return refuse("METHOD_NOT_SUPPORTED", "Use GET or POST.");
  const isChange = typeOfRequest(req) === "mutation";
  return isChange && paths.length > 1 ? refuse("BAD_REQUEST", "Send one change per request.") : null;
}

interface Asked {
  req: Request;
  res: Response;
  ctx: Context;
}

async function answerAll({ answer, failed }: Calls, { req, res, ctx }: Asked, paths: string[]): Promise<Answer[]> {
  const inputs = inputsOf(req, ctx);
  if (!inputs)
    return [failed(new TRPCError({ code: "BAD_REQUEST", message: "The input is not JSON." }), ctx, undefined)];
  const reading = new AbortController();
  setMaxListeners(0, reading.signal);
  let isAnswered = false;
  res.once("close", () => {
    // They have left, or were told that it takes too long.
    if (!isAnswered) reading.abort(busy());
  });
  const signal = callerGone();
  const type = typeOfRequest(req);
  const unread = reading.signal;
  const answers = await Promise.all(
    paths.map((path, index) => answer({ path, type, read: inputs(index), ctx, signal, unread, index })),
  );
  isAnswered = true;
  return answers;
}

function send(res: Response, ctx: Context, answers: Answer[], isBatch: boolean): void {
  const statuses = new Set(answers.map(({ status }) => status));
  const [first] = answers;
  // One after the other: ten long answers are not copied into a longer one before they leave.
  const pieces = isBatch
    ? ["[", ...answers.flatMap(({ json }, at) => (at ? [",", json] : [json])), "]"]
    : [first?.json];
  const bytes = pieces.reduce((sum, piece = "") => sum + Buffer.byteLength(piece), 0);
  followAnswer(askerOf(ctx), res, bytes);
  if (answers.some(({ isBusy }) => isBusy)) res.set("Retry-After", String(RETRY_SECONDS));
  const status = statuses.size === 1 && first ? first.status : 207;
  // Express would look at its query, its type and its tag for what is never stored anywhere.
  res.writeHead(status, { "content-type": "application/json; charset=utf-8", "content-length": bytes });
  const last = pieces.pop();
  for (const piece of pieces) res.write(piece);
  res.end(last);
}

/** What reads the input of each call, undefined where it has none; null where the query is not JSON. */
function inputsOf(req: Request, { actor, ip }: Context): ((index: number) => () => Promise<unknown>) | null {
  if (req.method === "POST")
    return () => () =>
      isSignedIn(actor)
        ? readJson(req, BODY_MAX_BYTES, ofPerson(actor.scope))
        : readJson(req, anonymousCallMaxBytes(req.path.slice(1)), ofNetwork(ip));
  const text = req.query["input"];
  if (text === undefined) return () => () => Promise.resolve(undefined);
  if (typeof text !== "string" || !isBearable(Buffer.from(text))) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (req.query["batch"] !== "1") return () => () => Promise.resolve(parsed);
    if (typeof parsed !== "object" || parsed === null) return null;
    const inputs = new Map(Object.entries(parsed));
    return (index) => () => Promise.resolve(inputs.get(String(index)));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
