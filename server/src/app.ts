import { randomUUID } from "node:crypto";
import path from "node:path";
import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { appRouter } from "./app-router.ts";
import { withCaller } from "./core/caller.ts";
import { withDeadline } from "./core/deadline.ts";
import { describeFailure } from "./core/error-shape.ts";
import { isBusy, ReauthRequired } from "./core/errors.ts";
import { fairTurns, inTurn, ofUser } from "./core/fair-turns.ts";
import { refusal, RETRY_SECONDS, sameOrigin, securityHeaders } from "./core/http-security.ts";
import { isHeadless } from "./core/headless.ts";
import type { Logger } from "./core/logger.ts";
import { servePage } from "./core/page.ts";
import { framersOf } from "./features/submissions/embedding.service.ts";
import { mountRoutes } from "./core/raw-route.ts";
import { settings } from "./core/settings.ts";
import { ofNetwork } from "./core/anonymous.ts";
import type { Actor, Context } from "./core/trpc.ts";
import { trpcHandler } from "./core/trpc-http.ts";
import { authenticate, standingOf } from "./features/auth/authenticate.ts";
import { answerRefusedCall, answerUnknownCall, refusedCall } from "./features/mail-gateway/functions.http.ts";
import { RAW_ROUTES } from "./raw-routes.ts";

const REFERENCE_LENGTH = 8;
const WEB_DIST = path.resolve(import.meta.dirname, "../../web/dist");

/** Everything that answers over HTTP; it never listens by itself. */
export function createApp({ log }: { log: Logger }): Express {
  const createContext = contextFactory(log);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", settings().TRUSTED_PROXIES);
  app.set("query parser", "simple");
  app.use(withCaller, noStore, securityHeaders());
  mountRoutes(app, RAW_ROUTES, { createContext, log });
  app.use(sameOrigin("application/json"));
  app.use("/functions", answerUnknownCall);
  app.use("/trpc", withDeadline, trpcHandler({ router: appRouter, createContext }));
  app.use(servePage(WEB_DIST, framersOf));
  app.use(answerNothingHere);
  app.use("/functions", answerRefusedCall, answerError(log, refusedCall));
  app.use(answerError(log, (_req, { code, httpStatus }, message) => refusal(code, httpStatus, message)));
  return app;
}

const answerNothingHere: RequestHandler = (_req, res) =>
  void res.status(404).json(refusal("NOT_FOUND", 404, "There is nothing here."));

/** Files of the page say otherwise for themselves. */
const noStore: RequestHandler = (_req, res, next) => {
  res.set("Cache-Control", "no-store");
  next();
};

const newReference = () => randomUUID().slice(0, REFERENCE_LENGTH).toUpperCase();

/** Who is asking is remembered for a moment; whoever sends ever new cookies has each looked up in turn. */
const takeLookUp = fairTurns({ atOnce: 32, ofOne: 8 });

/** Whoever has many streams open has each looked at in turn, so that a change of theirs costs others little. */
const takeLookAgain = fairTurns({ atOnce: 8, ofOne: 1 });

/** A page says whom it is drawn for: what was typed on it is never done as whoever signed in elsewhere meanwhile. */
function isDrawnFor({ headers }: Request, actor: Actor | null): boolean {
  const userId = headers["x-drawn-for"];
  return userId === undefined || userId === actor?.scope.userId;
}

function contextFactory(log: Logger) {
  return async (req: Request, res: Response): Promise<Context> => {
    const requestId = newReference();
    const origin = {
      cookies: req.headers.cookie ?? "",
      ip: req.ip ?? "",
      userAgent: (req.headers["user-agent"] ?? "").slice(0, 300),
      isHeadless: isHeadless(req),
      isImpersonating:
        settings().isDevelopment && req.hostname === "localhost" && req.headers["x-impersonation"] === "true",
    };
    const { actor: present, cookie } = await inTurn(takeLookUp, ofNetwork(origin.ip), () => authenticate(origin, log));
    const actor = isDrawnFor(req, present) ? present : null;
    const { read, onChange } = standingOf(origin, actor, log);
    const standing = {
      read: () => inTurn(takeLookAgain, actor ? ofUser(actor.scope.userId) : ofNetwork(origin.ip), read),
      onChange,
    };
    // Past the deadline the answer has left, and nothing can be added to it.
    const setCookie = (value: string) => void (res.headersSent || res.append("Set-Cookie", value));
    if (cookie) setCookie(cookie);
    return {
      ...origin,
      actor,
      standing,
      requestId,
      setCookie,
      setHeader: (name, value) => void (res.headersSent || res.set(name, value)),
      log: log.child({ requestId, ...(actor ? { userId: actor.scope.userId } : {}) }),
    };
  };
}

/** A refusal as whoever asked reads it. */
type Shape = (req: Request, data: { code: string; httpStatus: number }, message: string) => object;

function answerError(log: Logger, shape: Shape): ErrorRequestHandler {
  return function answerFailure(error, req, res, next) {
    const refused = refusalOf(error);
    if (refused && !res.headersSent) {
      if (isBusy(error)) res.set("Retry-After", String(RETRY_SECONDS));
      return void res.status(refused.data.httpStatus).json(shape(req, refused.data, refused.message));
    }
    // The deadline was faster: whoever asked has been told, and there is nothing else to say.
    if (res.writableEnded && isTooLate(error)) return;
    const reference = newReference();
    log.error({ err: error, reference, path: req.path }, "request failed");
    if (res.headersSent) return next(error);
    const { code, httpStatus, message } = describeFailure(error, reference);
    res.status(httpStatus).json(shape(req, { code, httpStatus }, message));
  };
}

const isTooLate = (error: unknown): boolean =>
  isBusy(error) || (error instanceof Error && "code" in error && error.code === "ERR_HTTP_HEADERS_SENT");

/** The answer to a request that is to blame itself; none for a failure of ours. */
function refusalOf(error: unknown) {
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") {
    const code = error.cause instanceof ReauthRequired ? "REAUTH_REQUIRED" : error.code;
    return { data: { code, httpStatus: getHTTPStatusCodeFromError(error) }, message: error.message };
  }
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  if (status >= 400 && status < 500)
    return { data: { code: "BAD_REQUEST", httpStatus: 400 }, message: "The request could not be read." };
  return null;
}
