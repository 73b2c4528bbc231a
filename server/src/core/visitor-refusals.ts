// What may be said to whoever is not signed in. A refusal that is written for staff can tell what was found of somebody
// else, so it never leaves by a public page: only what is made here does.
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import * as errors from "./errors.ts";

const forVisitors = new WeakSet<TRPCError>();

const said =
  <Words extends unknown[]>(make: (...words: Words) => TRPCError) =>
  (...words: Words): TRPCError => {
    const error = make(...words);
    forVisitors.add(error);
    return error;
  };

export const notFound = said(errors.notFound);
export const conflict = said(errors.conflict);
export const wrongState = said(errors.wrongState);
export const badField = said(errors.badField);
/** What somebody sent cannot be read, whoever they are. */
export const misshapen = said((message: string) => new TRPCError({ code: "BAD_REQUEST", message }));

/** How often they may, how busy it is, what of their input is misshapen, and that something went wrong: nothing of anybody. */
const TELLS_NOTHING: readonly TRPCError["code"][] = [
  "TOO_MANY_REQUESTS",
  "SERVICE_UNAVAILABLE",
  "TIMEOUT",
  "INTERNAL_SERVER_ERROR",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

export const isForVisitors = (error: unknown): boolean =>
  error instanceof TRPCError &&
  (forVisitors.has(error) ||
    TELLS_NOTHING.includes(error.code) ||
    error.cause instanceof errors.UnavailableForHeadless ||
    error.cause instanceof ZodError);

/** The refusal as a visitor reads it. */
export const refusalForVisitor = (error: TRPCError): TRPCError =>
  isForVisitors(error)
    ? error
    : wrongState("This cannot be done on this page at the moment. Please phone us, or write to us.");
