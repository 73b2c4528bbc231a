import { codeOf, fieldErrorsOf, isStale } from "../../core/errors.ts";

/** Refused because the mediator is busy then, which they may allow; a room or an interpreter cannot be in two places. */
export const isMediatorTaken = (error: unknown): boolean =>
  codeOf(error) === "CONFLICT" && !isStale(error) && Object.keys(fieldErrorsOf(error)).length === 0;
