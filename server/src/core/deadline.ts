import type { RequestHandler } from "express";
import { refusal, RETRY_SECONDS } from "./http-security.ts";

const DEADLINE_MS = 10_000;
const NOT_ANSWERED = "This took too long. Try again in a moment.";
const NOT_CERTAIN = "This took too long, so it is not certain whether it was saved. Look before you try again.";

/** Answers where the rest of the server does not, such as while the database hangs: nobody waits for ever. */
export const withDeadline: RequestHandler = (req, res, next) => {
  const timer = setTimeout(() => {
    if (res.headersSent) return;
    const message = req.method === "GET" ? NOT_ANSWERED : NOT_CERTAIN;
    res
      .status(503)
      .set("Retry-After", String(RETRY_SECONDS))
      .json(refusal("SERVICE_UNAVAILABLE", 503, message));
  }, DEADLINE_MS);
  res.once("close", () => clearTimeout(timer));
  next();
};
