// Accounts and sign-ins as the server makes them, without its calls: most tests need somebody who is signed in, and each
// password that is hashed for that takes as long as many calls. Registration and invitation have tests of their own.
import { HOUR_MS, now } from "@app/server/core/clock";
import { hashToken } from "@app/server/core/crypto";
import { newId, newToken } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { settings } from "@app/server/core/settings";
import { ofPerson } from "@app/server/features/auth/hash-turns";
import { hashPassword } from "@app/server/features/auth/passwords";
import { openPractice } from "@app/server/features/auth/registration";
import { openSignIn } from "@app/server/features/auth/sign-in";
import { notePractice } from "@app/server/features/practices/practices.service";
import { acceptInvited } from "@app/server/features/users/invitations.service";
import { changeRights, insertInvited } from "@app/server/features/users/staff-records.service";
import { findIdentityUser } from "@app/server/features/users/users.service";
import type { Permission } from "@app/shared/access";
import type { Register } from "@app/shared/auth";
import { type InviteStaff, mediatorTypeSchema, regionSchema } from "@app/shared/users";

interface SignedIn {
  userId: string;
  cookies: readonly string[];
}

/** Whether accounts can be made here: the product runs in this process, and nobody outside is told of a new one. */
export const isPlain = (app: { mailsLinks?(): boolean }): boolean =>
  app.mailsLinks !== undefined && !app.mailsLinks() && !settings().STRIPE_SECRET_KEY;

const hashes = new Map<string, Promise<string>>();

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password, ofPerson(newId()));
  hashes.set(password, hash);
  return hash;
}

async function signedIn(person: { id: string; ownerId: string; epoch: number }): Promise<SignedIn> {
  const cookies: string[] = [];
  const call = {
    cookies: "",
    ip: "127.0.0.1",
    userAgent: "node",
    setCookie: (cookie: string) => void cookies.push(cookie),
    log: createLogger("silent"),
  };
  await openSignIn(call, person, { isRemembered: false, isSecondFactorPending: false });
  return { userId: person.id, cookies };
}

export async function anOwner(entered: Register): Promise<SignedIn> {
  const ownerId = await openPractice({ ...entered, passwordHash: await hashOf(entered.password) }, notePractice);
  return signedIn({ id: ownerId, ownerId, epoch: 0 });
}

interface Joining extends InviteStaff {
  password: string;
  permissions?: Permission[] | undefined;
}

export async function aColleague(ownerId: string, { password, permissions, ...invited }: Joining): Promise<SignedIn> {
  const owner = await findIdentityUser(ownerId);
  if (!owner) throw new Error("there is no such practice");
  const scope = { ownerId, userId: ownerId, userName: "", role: 1, permissions: [], isAssignedOnly: false } as const;
  const token = newToken();
  const expiresAt = new Date(now().getTime() + HOUR_MS);
  const practice = {
    region: regionSchema.parse(owner.region),
    mediatorType: mediatorTypeSchema.parse(owner.mediator_type),
  };
  await insertInvited({ scope, user: practice }, invited, { id: newId(), mailId: newId(), token, expiresAt });
  const names = { firstName: invited.firstName, lastName: invited.lastName };
  const person = await acceptInvited(hashToken(token), { ...names, passwordHash: await hashOf(password) });
  if (!person) throw new Error("the invitation does not work");
  if (permissions) await changeRights(scope, { id: person.id, role: invited.role, permissions, version: 1 });
  return signedIn(person);
}
