import type { TRPCError, TRPCDefaultErrorShape } from "@trpc/server";
import { ZodError } from "zod";
import { isDatabaseFailure } from "./database.ts";
import { FieldError, HEADLESS_STATUS, isBusy, isStale, ReauthRequired, UnavailableForHeadless } from "./errors.ts";
import type { Logger } from "./logger.ts";

// Longer ones only repeat what was sent.
const FIELD_MESSAGE_MAX_LENGTH = 200;

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
  const fieldErrors =
    error.code === "BAD_REQUEST" || error.cause instanceof FieldError ? fieldErrorsOf(error.cause) : undefined;
  const reference = ctx?.requestId ?? "unknown";
  const failure = error.code === "INTERNAL_SERVER_ERROR" ? describeFailure(error.cause, reference) : undefined;
  if (shape.data.httpStatus >= 500 && !isBusy(error))
    ctx?.log.error({ err: error.cause ?? error, path, requestId: reference }, "call failed");
  return {
    code: shape.code,
    message: failure?.message ?? messageOf(),
    data: {
      code: failure?.code ?? (error.cause instanceof ReauthRequired ? "REAUTH_REQUIRED" : shape.data.code),
      httpStatus: failure?.httpStatus ?? statusOf(),
      path,
      ...(isStale(error) ? { isStale: true } : {}),
      ...(failure ? { reference } : {}),
      ...(fieldErrors ? { fieldErrors } : {}),
    },
  };

  function statusOf(): number {
    return error.cause instanceof UnavailableForHeadless ? HEADLESS_STATUS : shape.data.httpStatus;
  }

  function messageOf(): string {
    if (fieldErrors && error.cause instanceof ZodError) return "Some of this cannot be used. Check the marked fields.";
    return error.message;
  }
}

/** What is said about a failure that nobody foresaw; the rest of it stands in the log under the reference. */
export function describeFailure(cause: unknown, reference: string) {
  if (isDatabaseFailure(cause)) {
    const message = "The database did not answer, so nothing was saved. Try again in a moment.";
    return { code: "SERVICE_UNAVAILABLE" as const, httpStatus: 503, message };
  }
  const message = `Something went wrong, and nothing was saved. Try again; support can find it by the code ${reference}.`;
  return { code: "INTERNAL_SERVER_ERROR" as const, httpStatus: 500, message };
}

/** Messages by field, nested fields as `safeContact.note`; the first message of a field counts. */
function fieldErrorsOf(cause: unknown): Record<string, string> | undefined {
  if (cause instanceof FieldError) return { [cause.field]: cause.message };
  if (!(cause instanceof ZodError)) return undefined;
  const messages = new Map<string, string>();
  for (const issue of cause.issues) {
    const field = issue.path.join(".");
    if (!messages.has(field)) messages.set(field, issue.message.slice(0, FIELD_MESSAGE_MAX_LENGTH));
  }
  return Object.fromEntries(messages);
}
