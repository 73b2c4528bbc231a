// What a public form carries from its loading to its sending: nobody who is not signed in sends anything faster than a
// person can, from a page that is older than a day, or twice.
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { TRPCError } from "@trpc/server";
import mongoose from "mongoose";
import { DAY_MS, now, SECOND_MS } from "./clock.ts";
import { hashToken, keyedHash } from "./crypto.ts";
import { isDuplicateKey } from "./database.ts";
import { conflict, wrongState } from "./visitor-refusals.ts";
import { defineRemoval, removeFrom } from "./removals.ts";

export const FORM_TOKEN_MIN_AGE_MS = 3 * SECOND_MS;
export const FORM_TOKEN_MAX_AGE_MS = DAY_MS;
export const FORM_TOKEN_MAX_LENGTH = 128;
const NONCE_BYTES = 16;

/** What a form is for and which one it is, so that the token of one is of no use for another. */
interface FormTokenOf {
  purpose: string;
  id: string;
}

interface OfferedToken extends FormTokenOf {
  token: string;
}

const usedMongooseSchema = new mongoose.Schema<{ _id: string; usedAt: Date }>(
  { _id: { type: String, required: true }, usedAt: { type: Date, required: true } },
  { collection: "form_tokens", versionKey: false },
);
usedMongooseSchema.index({ usedAt: 1 });
const UsedFormTokenModel = mongoose.model("UsedFormToken", usedMongooseSchema);

// Longer than a token is taken, so that none can be used again once it is forgotten that it was.
defineRemoval({
  of: "form tokens that were used",
  keptMs: 2 * FORM_TOKEN_MAX_AGE_MS,
  remove: removeFrom("form_tokens", "usedAt"),
});

const signatureOf = ({ purpose, id }: FormTokenOf, issued: string): string =>
  keyedHash(JSON.stringify(["form token", purpose, id, issued]));

/** For whoever loads the form. */
export function issueFormToken(of: FormTokenOf): string {
  const issued = `${now().getTime().toString(36)}.${randomBytes(NONCE_BYTES).toString("base64url")}`;
  return `${issued}.${signatureOf(of, issued)}`;
}

/** When it was issued, or null where it was not issued for this form. */
function issuedAt(of: FormTokenOf, token: string): number | null {
  const [time = "", nonce = "", signature = ""] = token.split(".");
  const [given, right] = [signature, signatureOf(of, `${time}.${nonce}`)].map((text) => Buffer.from(text));
  if (!given || !right || given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return Number.parseInt(time, 36);
}

/** What is wrong with it by itself, whoever used it; null where nothing is. */
export function flawOf({ token, ...of }: OfferedToken): TRPCError | null {
  const issued = issuedAt(of, token);
  if (issued === null)
    return wrongState("This page is out of date. Load it again, and send what you entered once more.");
  const ageMs = now().getTime() - issued;
  if (ageMs > FORM_TOKEN_MAX_AGE_MS)
    return wrongState("This page was opened more than a day ago. Load it again, and send what you entered once more.");
  if (ageMs < FORM_TOKEN_MIN_AGE_MS)
    return wrongState("This was sent very quickly. Wait a few seconds and send it again.");
  return null;
}

export const usedAlready = () => conflict("This was sent already. Load the page again to send something else.");

/**
 * Throws for a token that is not of this form, too new, too old or used. Call it in the transaction that stores what was
 * sent, after all that the sender can mend: what is rolled back has not used it.
 */
export async function redeemFormToken(offered: OfferedToken): Promise<void> {
  const flaw = flawOf(offered);
  if (flaw) throw flaw;
  try {
    await UsedFormTokenModel.create([{ _id: hashToken(offered.token), usedAt: now() }]);
  } catch (error) {
    if (isDuplicateKey(error)) throw usedAlready();
    throw error;
  }
}
