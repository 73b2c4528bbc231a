import { badField } from "../../core/errors.ts";

/** Nobody consents to words that are not there yet: throws where it came to say what it says after this consent. */
export function assertNotOlder(field: string, consentedAt: Date, saidAt: Date): void {
  if (consentedAt < saidAt)
    throw badField(field, "The consent is older than what is to be shared. Ask again, and enter when it was given.");
}
