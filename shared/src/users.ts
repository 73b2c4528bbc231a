import { z } from "zod";
import { mayBeGranted, PERMISSIONS, PLANS, type Role } from "./access.ts";
import { idSchema } from "./ids.ts";
import {
  MEDIATOR_TYPE_MISSING,
  MEDIATOR_TYPES,
  type MediatorType,
  type Region,
  REGION_MISSING,
  REGIONS,
} from "./regions.ts";
import { emailSchema, personNameSchema, lineSchema } from "./text.ts";
import { instantSchema } from "./time.ts";

const keysOf = <Key extends string>(table: Record<Key, unknown>): Key[] => {
  const keys: Key[] = [];
  for (const key in table) keys.push(key);
  return keys;
};

export const regionSchema = z.enum(keysOf<Region>(REGIONS), REGION_MISSING);
export const mediatorTypeSchema = z.enum(keysOf<MediatorType>(MEDIATOR_TYPES), MEDIATOR_TYPE_MISSING);
export const roleSchema = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]);
export const staffRoleSchema = z.union([z.literal(2), z.literal(3), z.literal(4), z.literal(5)]);
export const permissionSchema = z.enum(PERMISSIONS);
export type StaffRole = Exclude<Role, 1>;

/** What the page knows of the person who is signed in. */
export const currentUserSchema = z.object({
  userId: idSchema,
  ownerId: idSchema,
  userFullName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  userEmail: z.string(),
  role: roleSchema,
  mediatorType: mediatorTypeSchema,
  region: regionSchema,
  permissions: z.array(permissionSchema),
  practiceName: z.string(),
  timeZone: z.string(),
  /** Whether the practice has a counting subscription; without one only /account opens. */
  hasAccess: z.boolean(),
  subscriptionPlan: z.enum(PLANS).nullable(),
  isTwoFactorOn: z.boolean(),
  /** The owner asks everybody for a second factor and this person has none yet. */
  mustSetUpTwoFactor: z.boolean(),
});
export type CurrentUser = z.infer<typeof currentUserSchema>;

export const ACCREDITATION_NUMBER_MAX_LENGTH = 20;
/**
 * An FMC registration number is digits and a letter; T stands behind those of people who work towards their
 * accreditation, who sign nothing yet (Family Mediation Council, register of mediators).
 */
export const isSigningNumber = (number: string): boolean => /^\d{3,6}\s?[A-SU-Z]$/i.test(number.trim());

export const updateProfileSchema = z.strictObject({
  firstName: personNameSchema,
  lastName: personNameSchema,
  /** Accredited by the Family Mediation Council, as this person states it; only then may they sign certificates. */
  isAccredited: z.boolean(),
  accreditationNumber: lineSchema(ACCREDITATION_NUMBER_MAX_LENGTH),
  /** Registered to see children in mediation, as this person states it. */
  isChildInclusive: z.boolean().default(false),
  version: z.number().int().min(0),
});

export const staffStatusSchema = z.enum(["invited", "active", "suspended"]);

/** What somebody changed of how they are named: what they did before stands under the earlier one. */
export const profileChangeSchema = z.object({
  at: instantSchema,
  what: z.enum(["name", "accreditation"]),
  from: z.string(),
  to: z.string(),
});

export const staffUserSchema = z.object({
  id: idSchema,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: roleSchema,
  permissions: z.array(permissionSchema),
  status: staffStatusSchema,
  isTwoFactorOn: z.boolean(),
  invitedAt: instantSchema.nullable(),
  lastSeenAt: instantSchema.nullable(),
  /** The newest first. */
  profileChanges: z.array(profileChangeSchema),
  isAccredited: z.boolean(),
  accreditationNumber: z.string(),
  /** When the owner confirmed that number; null where nobody did. */
  accreditationConfirmedAt: instantSchema.nullable(),
  isChildInclusive: z.boolean(),
  /** When the owner confirmed that registration; null where nobody did. */
  childInclusiveConfirmedAt: instantSchema.nullable(),
  version: z.number().int(),
});
export type StaffUser = z.infer<typeof staffUserSchema>;

export const inviteStaffSchema = z.strictObject({
  email: emailSchema,
  firstName: personNameSchema,
  lastName: personNameSchema,
  role: staffRoleSchema,
});

export const updateStaffSchema = z
  .strictObject({
    id: idSchema,
    role: staffRoleSchema,
    permissions: z.array(permissionSchema).max(PERMISSIONS.length),
    version: z.number().int().min(0),
  })
  .refine(({ role, permissions }) => permissions.every((permission) => mayBeGranted(role, permission)), {
    path: ["permissions"],
    message:
      "A supervisor reads, and does not write. Choose another role, or leave out what changes or sends something",
  });

/** With the number that the owner looked at: another one is not confirmed along with it. */
export const confirmAccreditationSchema = z.strictObject({
  id: idSchema,
  number: lineSchema(ACCREDITATION_NUMBER_MAX_LENGTH).min(1),
  /** Of what the register says under that number. */
  what: z.enum(["number", "child_inclusive"]).default("number"),
  isConfirmed: z.boolean(),
});

export const staffListSchema = z.object({ items: z.array(staffUserSchema) });
export const inviteResultSchema = z.object({
  isMailSent: z.boolean(),
  /** It waits, because the mail server is slow or puts it off; the last try is about then. */
  triedUntil: instantSchema.nullable(),
  /** For the owner to pass on by hand, only where there is no way to send: a mailed link proves who accepts. */
  link: z.string().nullable(),
});
export const profileSchema = z.object({
  firstName: z.string(),
  lastName: z.string(),
  isAccredited: z.boolean(),
  accreditationNumber: z.string(),
  isAccreditationConfirmed: z.boolean(),
  isChildInclusive: z.boolean(),
  isChildInclusiveConfirmed: z.boolean(),
  version: z.number().int(),
});

/** Somebody of the practice, as everybody there may know them. */
export const colleagueListSchema = z.object({
  items: z.array(
    z.object({
      userId: idSchema,
      name: z.string(),
      role: roleSchema,
      /** May conduct assessment meetings for a court: accredited, with a number that the owner confirmed. */
      isAuthorised: z.boolean(),
      /** May see children: with the child-inclusive registration, which the owner confirmed. */
      isChildInclusive: z.boolean(),
    }),
  ),
});

export type Profile = z.infer<typeof profileSchema>;
export type UpdateProfile = z.infer<typeof updateProfileSchema>;
export type InviteStaff = z.infer<typeof inviteStaffSchema>;
export type UpdateStaff = z.infer<typeof updateStaffSchema>;
export type StaffStatus = z.infer<typeof staffStatusSchema>;
