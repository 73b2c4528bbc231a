import type { CurrentUser } from "@app/shared/users";

const USER: CurrentUser = {
  userId: "u1",
  ownerId: "u1",
  userFullName: "Ines Marchbank",
  firstName: "Ines",
  lastName: "Marchbank",
  userEmail: "ines@quillfeather.example.org",
  role: 1,
  mediatorType: "family",
  region: "england_wales",
  permissions: [],
  practiceName: "Quillfeather Mediation",
  timeZone: "Europe/London",
  hasAccess: true,
  subscriptionPlan: "pro",
  isTwoFactorOn: false,
  mustSetUpTwoFactor: false,
};

/** What the server answers a page on which an owner is signed in. */
export const STATUS = {
  isSetUp: true,
  isRegistrationAllowed: true,
  isMailConfigured: false,
  isDevelopment: false,
  isSecondFactorPending: false,
  user: USER,
};
