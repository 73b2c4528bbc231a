// Roles, plans and permissions: one table for server and page. Free of zod, because every page loads it.
export const ROLES = { owner: 1, mediator: 2, caseworker: 3, finance: 4, supervisor: 5 } as const;
export type Role = (typeof ROLES)[keyof typeof ROLES];

export const ROLE_NAMES = {
  1: "Owner",
  2: "Mediator",
  3: "Caseworker",
  4: "Finance",
  5: "Supervisor",
} as const satisfies Record<Role, string>;

export const PLANS = ["essential", "pro"] as const;
export type Plan = (typeof PLANS)[number];

export const COUNTING_STATUSES: readonly string[] = ["active", "trialing"];

export const PERMISSIONS = [
  "clients.read",
  "clients.write",
  "notes.private.read",
  "screening.read",
  "safeguarding.read",
  "calendar.manage",
  "forms.manage",
  "documents.manage",
  "payments.read",
  "payments.manage",
  "reports.read",
  "legalaid.export",
  "mail.send",
  "mail.read",
  "audit.read",
  "data.export",
  "assigned_only",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What whoever writes a letter needs, when they write it and still when it leaves. */
export const LETTER_PERMISSIONS = ["clients.read", "mail.send"] as const satisfies Permission[];

/** What a new staff user of a role may do until the owner changes a switch. */
export const DEFAULT_PERMISSIONS = {
  1: PERMISSIONS.filter((permission) => permission !== "assigned_only"),
  2: [
    "clients.read",
    "clients.write",
    "notes.private.read",
    "screening.read",
    "safeguarding.read",
    "calendar.manage",
    "forms.manage",
    "documents.manage",
    "payments.read",
    "mail.send",
    "mail.read",
  ],
  3: [
    "clients.read",
    "clients.write",
    "screening.read",
    "calendar.manage",
    "documents.manage",
    "payments.read",
    "mail.send",
    "mail.read",
  ],
  4: ["clients.read", "payments.read", "payments.manage", "reports.read", "legalaid.export"],
  5: [
    "clients.read",
    "notes.private.read",
    "screening.read",
    "payments.read",
    "reports.read",
    "mail.read",
    "audit.read",
  ],
} as const satisfies Record<Role, readonly Permission[]>;

/** What changes something, or sends it, by its name. */
const WRITES = /\.(write|manage|send)$/;

/** Whether somebody of this role may be given this: a supervisor reads, and does not write. */
export const mayBeGranted = (role: Role, permission: Permission): boolean =>
  role !== ROLES.supervisor || !WRITES.test(permission);

/** What only the owner may ever do; no permission grants it. */
export const OWNER_ACTIONS = [
  "leads.manage",
  "staff.manage",
  "subscription.manage",
  "practice.manage",
  "practice.delete",
] as const;
export type OwnerAction = (typeof OWNER_ACTIONS)[number];

export interface Person {
  role: Role;
  permissions: readonly Permission[];
}

const isOwnerAction = (action: Permission | OwnerAction): action is OwnerAction =>
  OWNER_ACTIONS.some((known) => known === action);

/** Every permission that this person holds. */
export const permissionsOf = (person: Person): Permission[] => PERMISSIONS.filter((each) => can(person, each));

/** Whether this person may do this; the same answer hides the button and refuses the call. */
export function can(person: Person, action: Permission | OwnerAction): boolean {
  if (person.role === ROLES.owner) return action !== "assigned_only";
  return !isOwnerAction(action) && person.permissions.includes(action) && mayBeGranted(person.role, action);
}
