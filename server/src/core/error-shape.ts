import type { TRPCError, TRPCDefaultErrorShape } from "@trpc/server";
import mongoose from "mongoose";
import { ZodError } from "zod";
import { FieldError } from "./errors.ts";
import type { Logger } from "./logger.ts";

const DISK_FULL_CODES = new Set([14031, 13, 10334]);

interface ErrorInput {
  shape: TRPCDefaultErrorShape;
  error: TRPCError;
  path: string | undefined;
  ctx?: { requestId: string; log: Logger } | undefined;
}

/**
 * The one place that decides what leaves the server about a failure: a sentence for the reader, field messages for a
 * form, and for the unexpected nothing but a reference, which stands in the log beside the whole error.
 */
export function shapeError({ shape, error, path, ctx }: ErrorInput) {
  const fieldErrors = error.code === "BAD_REQUEST" ? fieldErrorsOf(error.cause) : undefined;
  const isUnexpected = error.code === "INTERNAL_SERVER_ERROR";
  const isDatabaseDown = isUnexpected && isDatabaseFailure(error.cause);
  const reference = ctx?.requestId ?? "unknown";
  if (isUnexpected) ctx?.log.error({ err: error.cause ?? error, path, requestId: reference }, "call failed");
  return {
    code: shape.code,
    message: messageOf(),
    data: {
      code: isDatabaseDown ? "SERVICE_UNAVAILABLE" : shape.data.code,
      httpStatus: isDatabaseDown ? 503 : shape.data.httpStatus,
      path,
      ...(isUnexpected ? { reference } : {}),
      ...(fieldErrors ? { fieldErrors } : {}),
    },
  };

  function messageOf(): string {
    if (isDatabaseDown) return "The database did not answer, so nothing was saved. Try again in a moment.";
    if (isUnexpected)
      return `Something went wrong, and nothing was saved. Try again; support can find it by the code ${reference}.`;
    if (fieldErrors && error.cause instanceof ZodError) return "Some of this cannot be used. Check the marked fields.";
    return error.message;
  }
}

function isDatabaseFailure(cause: unknown): boolean {
  const { MongoNetworkError, MongoServerSelectionError, MongoServerError } = mongoose.mongo;
  if (cause instanceof MongoNetworkError || cause instanceof MongoServerSelectionError) return true;
  return cause instanceof MongoServerError && DISK_FULL_CODES.has(Number(cause.code));
}

/** Messages by field, nested fields as `safeContact.note`; the first message of a field counts. */
function fieldErrorsOf(cause: unknown): Record<string, string> | undefined {
  if (cause instanceof FieldError) return { [cause.field]: cause.message };
  if (!(cause instanceof ZodError)) return undefined;
  const messages = new Map<string, string>();
  for (const issue of cause.issues) {
    const field = issue.path.join(".");
    if (!messages.has(field)) messages.set(field, issue.message);
  }
  return Object.fromEntries(messages);
}
