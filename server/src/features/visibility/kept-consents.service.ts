// How the consent to a release is stored.
import type { Consent } from "@app/shared/notes";
import mongoose from "mongoose";

type At<Kind, When> = Omit<Kind, "at" | "others"> & { at: When };

export type KeptConsent = At<Consent, Date> & { others?: At<Consent, Date>[] };

const fields = {
  grantedByPartyId: { type: String, required: true },
  at: { type: Date, required: true },
  how: { type: String, required: true },
};
export const keptConsentSchema = new mongoose.Schema<KeptConsent>(
  { ...fields, others: { type: [new mongoose.Schema(fields, { _id: false })], default: undefined } },
  { _id: false },
);

export const keptConsent = ({ others, ...consent }: Consent): KeptConsent => ({
  ...timed(consent),
  ...(others && { others: others.map(timed) }),
});

export const toConsent = ({ others, ...consent }: KeptConsent): Consent => ({
  ...written(consent),
  ...(others && { others: others.map(written) }),
});

/** Everybody who agreed. */
export const grantersOf = ({ grantedByPartyId, others = [] }: KeptConsent): string[] => [
  grantedByPartyId,
  ...others.map((other) => other.grantedByPartyId),
];

const timed = ({ at, ...said }: At<Consent, string>): At<Consent, Date> => ({ ...said, at: new Date(at) });
const written = ({ at, ...said }: At<Consent, Date>): At<Consent, string> => ({ ...said, at: at.toISOString() });
