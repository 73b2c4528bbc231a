import { badField, unauthorized } from "../../core/errors.ts";
import type { Actor } from "../../core/trpc.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { inPlace, ofPerson } from "./hash-turns.ts";
import { isRightPassword } from "./passwords.ts";
import type { SignInCall } from "./sign-in.ts";
import { countPersonalTry } from "./sign-in-limits.ts";

/** Asks somebody who is signed in for their password once more; gives the hash that it was checked against. */
export async function requirePassword(
  call: SignInCall & { actor: Actor },
  field: string,
  password: string,
): Promise<string> {
  const user = await findSignInUser({ id: call.actor.scope.userId });
  if (!user?.passwordHash) throw unauthorized("You are not signed in. Sign in and try again.");
  const { passwordHash } = user;
  const asker = ofPerson(user.id);
  return inPlace(asker, async () => {
    const { remaining, forgive } = await countPersonalTry("password", call, user);
    if (!(await isRightPassword(asker, passwordHash, password)))
      throw badField(field, `The password is not right. ${remaining}`);
    await forgive();
    return passwordHash;
  });
}
