import { randomBytes } from "node:crypto";
import { TRPCError } from "@trpc/server";
import type { RequestHandler, Response } from "express";
import helmet from "helmet";
import { settings } from "./settings.ts";

const NONCE_BYTES = 16;
const YEAR_SECONDS = 31_536_000;

const POLICY = {
  "default-src": ["'self'"],
  "base-uri": ["'none'"],
  "object-src": ["'none'"],
  "frame-ancestors": ["'none'"],
  "script-src": ["'self'"],
  "script-src-attr": ["'none'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "data:", "blob:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "worker-src": ["'self'", "blob:"],
  "frame-src": ["'self'", "blob:"],
  "form-action": ["'self'", "https://checkout.stripe.com"],
};

/** Security headers for every answer, errors and files included. Their policy allows no style elements. */
export function securityHeaders(): RequestHandler {
  const isHttps = settings().PUBLIC_URL?.startsWith("https:") ?? false;
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    strictTransportSecurity: isHttps ? { maxAge: YEAR_SECONDS, includeSubDomains: true } : false,
    referrerPolicy: { policy: "no-referrer" },
    xFrameOptions: { action: "deny" },
  });
  return function helmetMiddleware(req, res, next) {
    // Links to people's forms and bookings have been found in the indexes of search engines.
    res.set("X-Robots-Tag", "noindex");
    secure(req, res, next);
  };
}

/**
 * Lets this answer, a document of ours, have style elements: those that carry the nonce, a fresh one each time; and be
 * shown within pages of these websites, by default of none.
 */
export function styleNonce(res: Response, framers: readonly string[] = []): string {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const policy = {
    ...POLICY,
    "style-src": [...POLICY["style-src"], `'nonce-${nonce}'`],
    ...(framers.length > 0 ? { "frame-ancestors": framers } : {}),
  };
  // It knows no list of websites, and browsers that read the policy leave it aside.
  if (framers.length > 0) res.removeHeader("X-Frame-Options");
  const lines = Object.entries(policy).map(([name, sources]) => [name, ...sources].join(" "));
  res.set("Content-Security-Policy", lines.join(";"));
  return nonce;
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** A file is sent as its bytes alone, which no form of another site can send. */
export type BodyType = "application/json" | "application/octet-stream" | "multipart/form-data";

/**
 * Cross-site request forgery: whatever changes something must come from a page of ours, in the type that is taken.
 * Browsers name the page's origin on every such request; one without a name is refused too.
 */
export function sameOrigin(type: BodyType): RequestHandler {
  return function ofOurPage(req, res, next) {
    if (SAFE_METHODS.has(req.method)) return next();
    const own = settings().PUBLIC_URL ?? `${req.protocol}://${req.headers.host ?? ""}`;
    const site = req.headers["sec-fetch-site"];
    const isOwn = req.headers.origin === undefined ? site === "same-origin" : req.headers.origin === own;
    if (!isOwn || (site !== undefined && site !== "same-origin")) {
      const message = `This request did not come from ${own}. Open the product there and try again.`;
      return next(new TRPCError({ code: "FORBIDDEN", message }));
    }
    if (!req.is(type)) return next(new TRPCError({ code: "UNSUPPORTED_MEDIA_TYPE", message: `Send ${type}.` }));
    next();
  };
}

/** When whoever was refused for lack of room may ask again. */
export const RETRY_SECONDS = 10;
const INVALID_REQUEST = -32600;

/** A refusal in the shape that the page's tRPC client reads. */
export const refusal = (code: string, httpStatus: number, message: string) => ({
  error: { message, code: INVALID_REQUEST, data: { code, httpStatus } },
});
