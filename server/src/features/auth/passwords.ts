import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { badField, tooManyRequests } from "../../core/errors.ts";
import { isCommonPassword } from "./common-passwords.ts";

// OWASP's first choice for Argon2id; the package's default algorithm is Argon2id.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE_MAX = 2;
const WAITING_MAX = 200;

let running = 0;
const waiting: (() => void)[] = [];

/** At most two hashes at a time, so that a storm of sign-ins leaves the machine to everybody else. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= WAITING_MAX)
    throw tooManyRequests("Many people are signing in right now. Try again in a minute.");
  if (running >= AT_ONCE_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The turn is handed on; nobody can take it in between.
    if (next) next();
    else running -= 1;
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password.normalize("NFKC"), COST));

let decoy: Promise<string> | undefined;

/** Whether the password is right. Without an account the same work is done, so that time tells nothing. */
export async function isRightPassword(passwordHash: string | null, password: string): Promise<boolean> {
  // Not in turn: a decoy that was refused once would be refused for ever.
  decoy ??= hash(randomBytes(16).toString("hex"), COST);
  const compared = passwordHash ?? (await decoy);
  const isRight = await inTurn(() => verify(compared, password.normalize("NFKC")));
  return isRight && passwordHash !== null;
}

interface Person {
  email: string;
  /** Names that somebody who knows the person would try first. */
  names: string[];
}

/** Refuses passwords that are tried first: the well-known ones, and the person's own address or names. */
export function checkNewPassword(password: string, { email, names }: Person): void {
  const own = [email, email.split("@")[0] ?? "", ...names];
  if (isCommonPassword(password, own)) {
    throw badField("password", "This password is among the first that are tried. Use three or four unrelated words.");
  }
}
