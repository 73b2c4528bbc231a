import type { Party } from "@app/shared/cases";
import { badField } from "../../core/errors.ts";

/** Nobody consents to words that are not there yet: throws where it came to say what it says after this consent. */
export function assertNotOlder(field: string, consentedAt: Date, saidAt: Date): void {
  if (consentedAt < saidAt)
    throw badField(field, "The consent is older than what is to be shared. Ask again, and enter when it was given.");
}

/** It is a consent to those who were in the case: throws where somebody of it came, or came back, after it was given. */
export function assertReadersThere(field: string, consentedAt: Date, parties: readonly Party[]): void {
  const since = parties.filter(
    ({ leftAt, joinedAt, absences }) =>
      leftAt === null && [joinedAt, ...absences.map(({ to }) => to)].some((at) => at && new Date(at) > consentedAt),
  );
  if (since.length === 0) return;
  const labels = since.map(({ label }) => label).join(" and ");
  throw badField(
    field,
    `${labels} came into the case after this consent, so it says nothing of them. Ask again, and enter when it was given.`,
  );
}
