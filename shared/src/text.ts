import { z } from "zod";
import { canonicalEmail, EMAIL_MAX_LENGTH } from "./email-address.ts";
import { NAME_HINT, NAME_MAX_LENGTH, NAME_PATTERN } from "./names.ts";
import { normalForm } from "./normal-form.ts";
import { PHONE_HINT, PHONE_PATTERN } from "./phone.ts";

export const TITLE_MAX_LENGTH = 20;
export const ORGANISATION_MAX_LENGTH = 100;
export const NOTE_MAX_LENGTH = 500;
const PASTED_ALONG = 1000;
export const RECIPIENTS_MAX = 100;

const UNSEEN = /[\p{Cf}\p{DI}\p{Co}\u2800]/u;
// Other alphabets than Latin, Greek and Cyrillic, and pictures: Persian and Hindi words are written with joiners, and emoji.
const JOINED = /^[\u0530-\u1DFF\u2600-\u27BF\u2C00-\u{10FFFF}]/u;

function belongs(before: string, sign: string, after: string): boolean {
  if (sign === "\uFE0F") return /\p{ExtPict}/u.test(before) || after === "\u20E3";
  if (sign === "\u200C" || sign === "\u200D") return JOINED.test(before) && JOINED.test(after);
  // The flags of parts of a country, in signs that follow a black one.
  return /[\u{1F3F4}\u{E0020}-\u{E007F}]/u.test(before) && /[\u{E0020}-\u{E007F}]/u.test(sign);
}

/**
 * A line without what nobody sees: signs that turn the text around them, join or split it. Taken out rather than
 * refused, because they come along with what people paste. Without the newest regular expressions: old phones load it.
 */
function withoutUnseen(text: string): string {
  if (!UNSEEN.test(text)) return text;
  const signs = Array.from(text);
  let kept = "";
  let before = "";
  for (const [at, sign] of signs.entries()) {
    if (UNSEEN.test(sign) && !belongs(before, sign, signs[at + 1] ?? "")) continue;
    kept += sign;
    before = sign;
  }
  return kept;
}

/** One line of text: control characters never belong in a name, a subject or an address. */
export const lineSchema = (maxLength: number) =>
  z
    .string()
    // Before anything works on it; what nobody sees, and blanks around it, may come along up to there.
    .max(2 * maxLength + PASTED_ALONG, { error: `Use at most ${maxLength} characters`, abort: true })
    .overwrite(withoutUnseen)
    .trim()
    .max(maxLength, `Use at most ${maxLength} characters`)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Use one line without special characters");

/**
 * A file name without what nobody sees: signs that turn text around, join or split it, so that "gpj.exe" cannot be shown
 * as "exe.jpg"; nor halves of signs.
 */
export const visibleName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{DI}\p{Cf}\p{Cc}\p{Co}\p{Zl}\p{Zp}\uFFFD]/gu, "")
    .trim();

export const personNameSchema = lineSchema(NAME_MAX_LENGTH).min(1, "Enter a name").regex(NAME_PATTERN, NAME_HINT);

const isAddress = (text: string): boolean => canonicalEmail(text) === text;

/** An address in its one form (`canonicalEmail`), or none. */
export const optionalEmailSchema = z
  .string()
  .max(2 * EMAIL_MAX_LENGTH, { error: "This address is too long", abort: true })
  .trim()
  .overwrite((text) => canonicalEmail(text) ?? text)
  .max(EMAIL_MAX_LENGTH, "This address is too long")
  .refine((text) => text === "" || text.includes("@"), "Add the @ and the part after it")
  .refine((text) => !text.includes("@") || isAddress(text), "Check the address: it should look like name@example.org");
/** The same where there has to be one. */
export const emailSchema = optionalEmailSchema.min(1, "Enter an email address");

export const phoneNumberSchema = z.string().trim().regex(PHONE_PATTERN, PHONE_HINT);

/** Addresses separated by commas, as one text, into a list. */
export const recipientListSchema = z
  .string()
  .max(RECIPIENTS_MAX * 2 * EMAIL_MAX_LENGTH, { error: `Write to at most ${RECIPIENTS_MAX} addresses`, abort: true })
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .pipe(z.array(emailSchema).min(1).max(RECIPIENTS_MAX));

/** Text as search compares it: lower case, without accents, one space between words. */
export function foldText(text: string): string {
  return normalForm(text, "NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[’']/g, "").replace(/\s+/g, " ").trim();
}
