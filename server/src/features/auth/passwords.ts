import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { badField } from "../../core/errors.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { type Asker, inPlace, inTurn } from "./hash-turns.ts";

// OWASP's first choice for Argon2id; the package's default algorithm is Argon2id.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** In a place of its own; where a try is counted before, `isRightPassword` is called in that place. */
export const hashPassword = (password: string, asker: Asker): Promise<string> =>
  inPlace(asker, () => inTurn(asker, () => hash(password.normalize("NFKC"), COST)));

let decoy: Promise<string> | undefined;

/** Whether the password is right. Without an account the same work is done, so that time tells nothing. */
export async function isRightPassword(asker: Asker, passwordHash: string | null, password: string): Promise<boolean> {
  // Not in turn: a decoy that was refused once would be refused for ever.
  decoy ??= hash(randomBytes(16).toString("hex"), COST);
  const compared = passwordHash ?? (await decoy);
  const isRight = await inTurn(asker, () => verify(compared, password.normalize("NFKC")));
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
