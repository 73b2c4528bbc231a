// What came of a session, and what it takes for something to be agreed in it.
import { z } from "zod";
import { SESSION_OUTCOMES, type SessionOutcomeCode } from "./session-states.ts";

export const SESSION_TEXT_MAX_LENGTH = 2000;

export const sessionOutcomeSchema = z.strictObject({
  code: z.enum(SESSION_OUTCOMES),
  text: z.string().trim().max(SESSION_TEXT_MAX_LENGTH),
});
export type SessionOutcome = z.infer<typeof sessionOutcomeSchema>;

const AGREED: readonly SessionOutcomeCode[] = ["agreed_all", "agreed_some"];
export const isAgreed = (code: SessionOutcomeCode): boolean => AGREED.includes(code);
