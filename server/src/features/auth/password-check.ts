import { badField, unauthorized } from "../../core/errors.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { isRightPassword } from "./passwords.ts";
import { countPersonalTry } from "./sign-in-limits.ts";

/** Asks somebody who is signed in for their password once more; gives the hash that it was checked against. */
export async function requirePassword(userId: string, field: string, password: string): Promise<string> {
  const { remaining, forgive } = await countPersonalTry("password", userId);
  const user = await findSignInUser({ id: userId });
  if (!user?.passwordHash) throw unauthorized("You are not signed in. Sign in and try again.");
  if (!(await isRightPassword(user.passwordHash, password)))
    throw badField(field, `The password is not right. ${remaining}`);
  await forgive();
  return user.passwordHash;
}
