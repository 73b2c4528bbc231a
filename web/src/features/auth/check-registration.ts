import { type Register, registerSchema } from "@app/shared/auth";
import { validateWith } from "../../core/validate.ts";

/** The server's own rules, before anything is sent. */
export const checkRegistration: (values: Register) => Record<string, string> = validateWith(registerSchema);
