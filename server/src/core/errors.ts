import { TRPCError } from "@trpc/server";

/** Missing, or another practice's: the caller cannot tell which. */
export const notFound = (what: string) =>
  new TRPCError({ code: "NOT_FOUND", message: `${what} not found. It may have been deleted.` });

/** Whether somebody was told that a thing is missing. */
export const isNotFound = (error: unknown): boolean => error instanceof TRPCError && error.code === "NOT_FOUND";

/** Lost by the server, and mended by whoever still has the file. */
export const missingContent = () =>
  new TRPCError({
    code: "NOT_FOUND",
    message: "The content of this file is missing. Upload the same file once more, and this one can be read again.",
  });

/** What hangs on something that this person does not see is missing for them, in the words of a missing thing. */
export async function missingWith<Found>(what: string, looking: Promise<Found>): Promise<Found> {
  try {
    return await looking;
  } catch (error) {
    if (isNotFound(error)) throw notFound(what);
    throw error;
  }
}

export const conflict = (message: string) => new TRPCError({ code: "CONFLICT", message });
/** What the page recognises a refusal by whose sender changed an older version than the one that is stored. */
class Stale extends Error {}

/**
 * Nobody's change is lost: what was sent over an older version is not stored. What the newer one says is never part of
 * the refusal; whoever may see it reads it with the feature's own guarded get.
 */
export const stale = (
  what: string,
  message = `This ${what} was changed elsewhere meanwhile, so nothing was saved. Look at it as it is now, and try again.`,
) => new TRPCError({ code: "CONFLICT", message, cause: new Stale(message) });
export const isStale = (error: unknown): boolean => error instanceof TRPCError && error.cause instanceof Stale;

export const forbidden = (message: string) => new TRPCError({ code: "FORBIDDEN", message });
export const wrongState = (message: string) => new TRPCError({ code: "PRECONDITION_FAILED", message });
export const tooManyRequests = (message: string) => new TRPCError({ code: "TOO_MANY_REQUESTS", message });
export const unauthorized = (message: string) => new TRPCError({ code: "UNAUTHORIZED", message });

class Busy extends Error {}

/** Nobody's fault: there was no room or no time for it, and there is in a minute. */
export const busy = (message = "The server is still busy with other files and messages. Try again in a minute.") =>
  new TRPCError({ code: "SERVICE_UNAVAILABLE", message, cause: new Busy() });

/** There would be room for others. */
export const askedTooMuch = () =>
  new TRPCError({
    code: "TOO_MANY_REQUESTS",
    message: "Too many of your requests are under way. Wait a moment and try again.",
    cause: new Busy(),
  });

export const isBusy = (error: unknown): boolean => error instanceof TRPCError && error.cause instanceof Busy;

/** What the page recognises a refusal by that is over once the person has shown again who they are. */
export class ReauthRequired extends Error {}

export const reauthRequired = () => {
  const message = "Nothing was changed. Confirm with your password that it is you, then do this again.";
  return new TRPCError({ code: "FORBIDDEN", message, cause: new ReauthRequired(message) });
};

/** What a refusal is answered with status 451 by, which tRPC has no code for. */
export class UnavailableForHeadless extends Error {}

export const HEADLESS_STATUS = 451;
/** In the words of the fallback service's own package. */
export const HEADLESS_REFUSAL = "Unavailable For Headless Browser";

export const unavailableForHeadless = () =>
  new TRPCError({ code: "FORBIDDEN", message: HEADLESS_REFUSAL, cause: new UnavailableForHeadless(HEADLESS_REFUSAL) });

/** A refusal that belongs to one field, shown beside it. */
export class FieldError extends Error {
  field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

export const badField = (field: string, message: string) =>
  new TRPCError({ code: "BAD_REQUEST", message, cause: new FieldError(field, message) });

/** The same where what was chosen is somebody else's by now. */
export const takenField = (field: string, message: string) =>
  new TRPCError({ code: "CONFLICT", message, cause: new FieldError(field, message) });

export const isFieldError = (error: unknown): boolean =>
  error instanceof TRPCError && error.cause instanceof FieldError;
