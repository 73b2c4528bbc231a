// What a mail server's refusal means, in words for a person who knows nothing of mail servers. Pure: error in, words out.
import { cutText } from "@app/shared/cut-text";
import { FieldError } from "../../core/errors.ts";
import { CONNECTION_RULES, notAsked, refusedHost } from "./connection-rules.ts";
import { type Attempt, type Diagnosis, type Facts, nameOf, passing, type Rule, type Words } from "./diagnosis-words.ts";
import { SIGN_IN_RULES } from "./sign-in-rules.ts";

const SAID_MAX_LENGTH = 160;

// The first that fits.
const RULES: readonly Rule[] = [refusedHost, notAsked, ...SIGN_IN_RULES, ...CONNECTION_RULES];

/** Why this attempt failed and what to do. */
export function diagnose(error: unknown, attempt: Attempt): Diagnosis {
  const facts = factsOf(error);
  for (const rule of RULES) {
    const words = rule(facts, attempt);
    if (words) return { ...words, side: attempt.side };
  }
  return { ...unknown(facts, attempt), side: attempt.side };
}

function factsOf(error: unknown): Facts {
  const at = (name: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  const text = (name: string) => (typeof at(name) === "string" ? String(at(name)) : "");
  const cause = at("cause");
  return {
    code: text("code"),
    message: text("message"),
    said: text("responseText") || text("response"),
    status: Number(at("responseCode")) || 0,
    isSignIn: at("authenticationFailed") === true || text("code") === "EAUTH",
    responseCode: text("serverResponseCode"),
    refusedHost: cause instanceof FieldError ? cause.message : "",
  };
}

function unknown({ said, message }: Facts, attempt: Attempt): Words {
  const quoted = cutText((said || message).replaceAll(/\p{Cc}+/gu, " ").trim(), SAID_MAX_LENGTH);
  return passing(
    `${nameOf(attempt)} refused${quoted ? `, and said: “${quoted}”` : ""}.`,
    "Check the server settings, or give this answer to whoever runs the mailbox.",
  );
}
