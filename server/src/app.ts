import { randomBytes } from "node:crypto";
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
import { isDatabaseReady } from "./core/database.ts";
import { withDeadline } from "./core/deadline.ts";
import { describeFailure } from "./core/error-shape.ts";
import { ReauthRequired } from "./core/errors.ts";
import {
  refusal,
  sameOriginFileOnly,
  sameOriginFormOnly,
  sameOriginOnly,
  securityHeaders,
  withNonce,
} from "./core/http-security.ts";
import { lateJobs } from "./core/late-jobs.ts";
import { countAside } from "./core/set-aside.ts";
import type { Logger } from "./core/logger.ts";
import { servePage } from "./core/page.ts";
import { settings } from "./core/settings.ts";
import { type Context } from "./core/trpc.ts";
import { trpcHandler } from "./core/trpc-http.ts";
import { authenticate, standingOf } from "./features/auth/authenticate.ts";
import { clientRecord } from "./features/party-view/client-record.http.ts";
import { certificatePdf } from "./features/certificates/certificate-pdf.http.ts";
import { clientsExport } from "./features/clients/clients-export.http.ts";
import { contactsExport } from "./features/contacts/contacts-export.http.ts";
import { fileRoutes } from "./features/files/files.http.ts";
import { formFunction, mailFunctions } from "./features/mail-gateway/functions.http.ts";
import { importReport, importUpload } from "./features/imports/imports.http.ts";
import { mailRoutes } from "./features/inbox/inbox.http.ts";
import { mailingFailures } from "./features/mailings/mailings.http.ts";
import { unsubscribeRoutes } from "./features/mailings/unsubscribe.http.ts";
import { calendarFeed } from "./features/meetings/feed.http.ts";
import { stripeWebhook } from "./features/subscriptions/stripe-webhook.http.ts";

const REFERENCE_BYTES = 5;
const WEB_DIST = path.resolve(import.meta.dirname, "../../web/dist");

/** Everything that answers over HTTP; it never listens by itself. */
export function createApp({ log }: { log: Logger }): Express {
  const createContext = contextFactory(log);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", settings().TRUSTED_PROXIES);
  app.set("query parser", "simple");
  app.use(withCaller, noStore, withNonce, securityHeaders());

  app.get("/health", (_req, res) => void res.json({ ok: true }));
  app.get("/ready", async (_req, res) => {
    const isReady = await isDatabaseReady();
    const late = lateJobs();
    const setAside = isReady ? await countAside() : {};
    // Late jobs are no reason to send people elsewhere: they are late for every process of this database.
    res.status(isReady ? 200 : 503).json({ ok: isReady, jobs: late.length === 0 ? "on time" : "late", late, setAside });
  });
  app.use("/webhooks/stripe", stripeWebhook(log));
  // Mail programs unsubscribe by themselves, from no page of ours (RFC 8058).
  app.use("/u", unsubscribeRoutes());

  app.use("/files", sameOriginFileOnly, fileRoutes(createContext));
  app.use("/imports", sameOriginFileOnly, importUpload(createContext));
  app.use("/functions/send-form", sameOriginFormOnly, formFunction(createContext));
  app.use(sameOriginOnly);
  app.use("/functions", mailFunctions(createContext));
  app.use(["/trpc", "/export"], withDeadline);
  app.use("/trpc", trpcHandler({ router: appRouter, createContext }));
  app.use(
    "/export",
    clientsExport(createContext),
    contactsExport(createContext),
    certificatePdf(createContext),
    clientRecord(createContext),
    importReport(createContext),
    mailingFailures(createContext),
    mailRoutes(createContext),
  );
  app.use("/ical", calendarFeed(log));
  app.use(servePage(WEB_DIST));
  app.use(answerNothingHere);
  app.use(answerError(log));
  return app;
}

const answerNothingHere: RequestHandler = (_req, res) =>
  void res.status(404).json(refusal("NOT_FOUND", 404, "There is nothing here."));

/** Files of the page say otherwise for themselves. */
const noStore: RequestHandler = (_req, res, next) => {
  res.set("Cache-Control", "no-store");
  next();
};

const newReference = () => randomBytes(REFERENCE_BYTES).toString("hex").toUpperCase();

function contextFactory(log: Logger) {
  return async (req: Request, res: Response): Promise<Context> => {
    const requestId = newReference();
    const origin = {
      cookies: req.headers.cookie ?? "",
      ip: req.ip ?? "",
      userAgent: (req.headers["user-agent"] ?? "").slice(0, 300),
      isImpersonating:
        settings().isDevelopment && req.hostname === "localhost" && req.headers["x-impersonation"] === "true",
    };
    const { actor, cookie } = await authenticate(origin, log);
    const standing = standingOf(origin, actor, log);
    const setCookie = (value: string) => void res.append("Set-Cookie", value);
    if (cookie) setCookie(cookie);
    return {
      ...origin,
      actor,
      standing,
      requestId,
      setCookie,
      setHeader: (name, value) => void res.set(name, value),
      log: log.child({ requestId, ...(actor ? { userId: actor.scope.userId } : {}) }),
    };
  };
}

function answerError(log: Logger): ErrorRequestHandler {
  return function answerFailure(error, req, res, next) {
    const refused = refusalOf(error);
    if (refused && !res.headersSent) return void res.status(refused.error.data.httpStatus).json(refused);
    const reference = newReference();
    log.error({ err: error, reference, path: req.path }, "request failed");
    if (res.headersSent) return next(error);
    const { code, httpStatus, message } = describeFailure(error, reference);
    res.status(httpStatus).json(refusal(code, httpStatus, message));
  };
}

/** The answer to a request that is to blame itself; none for a failure of ours. */
function refusalOf(error: unknown) {
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") {
    const code = error.cause instanceof ReauthRequired ? "REAUTH_REQUIRED" : error.code;
    return refusal(code, getHTTPStatusCodeFromError(error), error.message);
  }
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  if (status >= 400 && status < 500) return refusal("BAD_REQUEST", 400, "The request could not be read.");
  return null;
}
