import type { Actor } from "@app/server/core/trpc";
import { scopeOf } from "../server/people.ts";

const user = {
  userFullName: "",
  firstName: "",
  lastName: "",
  userEmail: "",
  role: 1,
  mediatorType: "family",
  region: "england_wales",
  permissions: [],
  practiceName: "",
  timeZone: "Europe/London",
  hasAccess: true,
  subscriptionPlan: null,
  isTwoFactorOn: false,
  mustSetUpTwoFactor: false,
} as const;

/** Somebody who is signed in, for what asks only who it is. */
export const actorOf = (person: string): Actor => ({
  scope: { ...scopeOf("practice"), userId: person },
  user: { ...user, permissions: [], userId: person, ownerId: "practice" },
  authSessionId: "",
  confirmedAt: new Date(),
  isSecondFactorPending: false,
});
