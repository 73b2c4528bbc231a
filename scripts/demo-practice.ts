import { ROLES } from "@app/shared/access";
import type { InviteStaff } from "@app/shared/users";
import { DAY_MS, now } from "@app/server/core/clock";
import { hashToken } from "@app/server/core/crypto";
import { newId, newToken } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { ofPerson } from "@app/server/features/auth/hash-turns";
import { hashPassword } from "@app/server/features/auth/passwords";
import { createPractice } from "@app/server/features/auth/registration";
import { findSignInUser } from "@app/server/features/users/credentials.service";
import { acceptInvited } from "@app/server/features/users/invitations.service";
import { insertInvited } from "@app/server/features/users/staff-records.service";
import { DEMO_EMAIL, DEMO_PASSWORD } from "./demo-account.ts";
import { demoClient } from "./demo-people.ts";
import { scopeOfOwner } from "./owner-scope.ts";

const MEDIATION = { region: "england_wales", mediatorType: "family" } as const;

const STAFF: InviteStaff[] = [
  { firstName: "Hugh", lastName: "Brandt", email: "hugh@quillfeather.example.org", role: ROLES.mediator },
  { firstName: "Tom", lastName: "Birch", email: "tom@quillfeather.example.org", role: ROLES.caseworker },
  { firstName: "Asha", lastName: "Kelso", email: "asha@quillfeather.example.org", role: ROLES.finance },
  { firstName: "Ruth", lastName: "Vance", email: "ruth@quillfeather.example.org", role: ROLES.supervisor },
];
const INVITED: InviteStaff = { firstName: "Lee", lastName: "Farrow", email: "lee@example.org", role: ROLES.caseworker };

/** Of a practice with this many mediators those that are neither the owner nor Hugh. */
const moreMediators = (mediators: number): InviteStaff[] =>
  Array.from({ length: mediators - 2 }, (_, index) => {
    const { firstName, lastName } = demoClient(index + 1);
    const email = `${firstName}.mediates@quillfeather.example.org`.toLowerCase();
    return { firstName, lastName, email, role: ROLES.mediator };
  });

/** Makes the invented practice with its staff and gives its owner's scope; null where it is there already. */
export async function demoPractice(mediators: number): Promise<Scope | null> {
  if (await findSignInUser({ email: DEMO_EMAIL })) return null;
  const owner = { firstName: "Ines", lastName: "Marchbank", email: DEMO_EMAIL, password: DEMO_PASSWORD };
  const ownerId = await createPractice(
    { ...owner, ...MEDIATION, practiceName: "Quillfeather Mediation" },
    { mustBeFirst: false },
  );
  const scope = scopeOfOwner(ownerId, "Ines Marchbank");
  const passwordHash = await hashPassword(DEMO_PASSWORD, ofPerson("demo"));
  const inAWeek = new Date(now().getTime() + 7 * DAY_MS);
  for (const person of [...STAFF, ...moreMediators(mediators)]) {
    const token = newToken();
    await insertInvited({ scope, user: MEDIATION }, person, {
      id: newId(),
      mailId: newId(),
      token,
      expiresAt: inAWeek,
    });
    await acceptInvited(hashToken(token), { ...person, passwordHash });
  }
  await insertInvited({ scope, user: MEDIATION }, INVITED, {
    id: newId(),
    mailId: newId(),
    token: newToken(),
    expiresAt: inAWeek,
  });
  return scope;
}
