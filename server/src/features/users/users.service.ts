import { type Role } from "@app/shared/access";
import type { MediatorType, Region } from "@app/shared/regions";
import { roleSchema } from "@app/shared/users";
import { changesOf } from "../../core/changes.ts";
import { now } from "../../core/clock.ts";
import { memoryOf } from "../../core/memory.ts";
import type { Scope } from "../../core/trpc.ts";
import { isAccredited, isAuthorised, isChildInclusive, type UserDoc, UserModel } from "./users.model.ts";

const IDENTITY_FIELDS = {
  role: 1,
  mediator_type: 1,
  region: 1,
  email_address: 1,
  first_name: 1,
  last_name: 1,
  owner_id: 1,
  permissions: 1,
  status: 1,
  sign_in_epoch: 1,
  "totp.is_on": 1,
} as const;

/** Roles, permissions and suspensions as they change. */
export const userChanges = changesOf(UserModel);

export type IdentityUser = Pick<
  UserDoc,
  | "_id"
  | "role"
  | "mediator_type"
  | "region"
  | "email_address"
  | "first_name"
  | "last_name"
  | "owner_id"
  | "permissions"
  | "status"
  | "sign_in_epoch"
> & { totp?: { is_on: boolean } | null };

/** What every call needs to know of who makes it; never a hash or a secret. */
export const findIdentityUser = (userId: string): Promise<IdentityUser | null> =>
  UserModel.findById(userId, IDENTITY_FIELDS).lean();

export async function markSeen(userId: string): Promise<void> {
  await UserModel.updateOne({ _id: userId }, { $set: { last_seen_at: now() } }, { timestamps: false });
}

/** Region and field of mediation belong to the practice, and stand on each of its users. */
export async function setPracticeRegion(
  ownerId: string,
  choice: { region: Region; mediatorType: MediatorType },
): Promise<void> {
  const change = { $set: { region: choice.region, mediator_type: choice.mediatorType } };
  await UserModel.updateMany({ $or: [{ _id: ownerId }, { owner_id: ownerId }] }, change);
}

export interface Colleague {
  userId: string;
  name: string;
  role: Role;
  isActive: boolean;
  /** When somebody left who is suspended, where that is known. */
  leftAt: Date | null;
  /** When somebody was away who came back, where that is known. */
  absences: readonly { from: Date; to: Date }[];
  isAuthorised: boolean;
  isChildInclusive: boolean;
}

/** Everybody of the practice, the owner first; who left still has a name. */
export async function colleagues(ownerId: string): Promise<Colleague[]> {
  const docs = await UserModel.find(
    { $or: [{ _id: ownerId }, { owner_id: ownerId }] },
    { first_name: 1, last_name: 1, role: 1, status: 1, suspended_at: 1, absences: 1, accreditation: 1 },
  )
    .sort({ role: 1, first_name: 1 })
    .lean();
  return docs.map((doc) => ({
    userId: doc._id,
    name: `${doc.first_name} ${doc.last_name}`,
    role: roleSchema.parse(doc.role),
    isActive: doc.status === "active",
    leftAt: (doc.status === "suspended" && doc.suspended_at) || null,
    absences: doc.absences ?? [],
    isAuthorised: isAuthorised(doc),
    isChildInclusive: isChildInclusive(doc),
  }));
}

const names = memoryOf(
  ["users"],
  async (ownerId) => new Map((await colleagues(ownerId)).map(({ userId, name }) => [userId, name])),
);

/** What everybody of the practice is called, whoever left included. */
export const colleagueNames = async (ownerId: string): Promise<ReadonlyMap<string, string>> =>
  (await names.recall(ownerId)) ?? new Map();

/** Who stands behind what this person began: the owner, where they do not work here any more. */
export async function standsFor(ownerId: string, userId: string): Promise<string> {
  const people = await colleagues(ownerId);
  const person = people.find((one) => one.userId === userId && one.isActive) ?? people[0];
  return person?.name ?? "";
}

/** Whether this person may sign certificates for a court, and by which number. */
export async function accreditationOf({
  userId,
}: Pick<Scope, "userId">): Promise<{ isAccredited: boolean; isConfirmed: boolean; number: string }> {
  const doc = await UserModel.findById(userId, { role: 1, accreditation: 1 }).lean();
  if (!doc) return { isAccredited: false, isConfirmed: false, number: "" };
  return { isAccredited: isAccredited(doc), isConfirmed: isAuthorised(doc), number: doc.accreditation?.urn ?? "" };
}
