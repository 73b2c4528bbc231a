// What the public pages of signing know without the schemas, which they would load as well.

/** Digits of the code that the practice reads to a signer by phone. */
export const SIGNING_CODE_DIGITS = 6;
/** Seals of a PDF that are looked at: each who signs again afterwards adds one. */
export const SEALS_MAX = 10;
