import { registerSchema } from "@app/shared/auth";
import { validateWith } from "../../core/validate.ts";
import type { RegistrationValues } from "./practice-fields.tsx";

/** The server's own rules, before anything is sent. */
export const checkRegistration: (values: RegistrationValues) => Record<string, string> = validateWith(registerSchema);
