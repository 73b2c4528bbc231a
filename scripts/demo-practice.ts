import { DEFAULT_PERMISSIONS, ROLES } from "@app/shared/access";
import { createPractice } from "@app/server/features/auth/registration";
import { findSignInUser } from "@app/server/features/users/credentials.service";
import type { Scope } from "@app/server/core/trpc";
import { DEMO_EMAIL, DEMO_PASSWORD } from "./demo-account.ts";

/** Makes the invented practice and gives its owner's scope; null where it is there already. */
export async function demoPractice(): Promise<Scope | null> {
  if (await findSignInUser({ email: DEMO_EMAIL })) return null;
  const ownerId = await createPractice(
    {
      firstName: "Ines",
      lastName: "Marchbank",
      email: DEMO_EMAIL,
      password: DEMO_PASSWORD,
      practiceName: "Quillfeather Mediation",
      region: "england_wales",
      mediatorType: "family",
    },
    { mustBeFirst: false },
  );
  return {
    ownerId,
    userId: ownerId,
    userName: "Ines Marchbank",
    role: ROLES.owner,
    permissions: DEFAULT_PERMISSIONS[ROLES.owner],
    isAssignedOnly: false,
  };
}
