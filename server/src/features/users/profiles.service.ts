// What somebody says of themselves, and what their colleagues have to be able to rely on: no two people of a practice go
// by one name or one number of accreditation, because by these their work is told apart.
import mongoose from "mongoose";
import { mayMediate } from "@app/shared/team-access";
import type { UpdateProfile } from "@app/shared/users";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, stale } from "../../core/errors.ts";
import { nameKey, numberKey } from "../../core/same-name.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeNameTurn } from "../../core/turns.ts";
import { tellRegistrationFollowers } from "./registration-followers.service.ts";
import {
  isAccredited,
  isAuthorised,
  claimsChildInclusive,
  isChildInclusive,
  type ProfileChange,
  pushProfileChanges,
  type UserDoc,
  UserModel,
} from "./users.model.ts";

export type { ProfileChange };

const SHOWN = { first_name: 1, last_name: 1, role: 1, accreditation: 1, version: 1 } as const;
type Shown = Pick<UserDoc, "first_name" | "last_name"> & { accreditation?: UserDoc["accreditation"] };

const SAME_NAME =
  "Somebody in your practice has this name, or one that looks like it. Add a middle name or an initial, so that nobody is taken for somebody else.";
const SAME_NUMBER =
  "Somebody in your practice has this accreditation number. Check yours; if it is right, ask the owner of the practice to have theirs put right.";

export async function getProfile(scope: Scope) {
  const doc = await UserModel.findById(scope.userId, SHOWN).lean();
  if (!doc) throw notFound("Account");
  return {
    firstName: doc.first_name,
    lastName: doc.last_name,
    isAccredited: isAccredited(doc),
    accreditationNumber: doc.accreditation?.urn ?? "",
    isAccreditationConfirmed: isAuthorised(doc),
    isChildInclusive: claimsChildInclusive(doc),
    isChildInclusiveConfirmed: isChildInclusive(doc),
    version: doc.version,
  };
}

/** Gives what changed, for whoever has to be told. Another name or number is not confirmed as the one before was. */
export async function updateProfile(scope: Scope, input: UpdateProfile): Promise<ProfileChange[]> {
  if (input.isAccredited && !mayMediate(scope.role))
    throw badField("isAccredited", "Only mediators are accredited. Ask the owner of the practice to change your role.");
  if (input.isChildInclusive && !mayMediate(scope.role))
    throw badField(
      "isChildInclusive",
      "Only mediators see children. Ask the owner of the practice to change your role.",
    );
  const wanted: Shown = {
    first_name: input.firstName,
    last_name: input.lastName,
    accreditation: {
      fmca: input.isAccredited,
      urn: input.accreditationNumber,
      child_inclusive: input.isChildInclusive,
    },
  };
  return inTransaction(async () => {
    await takeNameTurn(scope.ownerId);
    const before = await UserModel.findOne({ _id: scope.userId, version: input.version }, SHOWN).lean();
    if (!before) throw stale("profile");
    await assertNobodyElses(scope.ownerId, scope.userId, { before, wanted });
    const changes = changesBetween(before, wanted);
    const accreditation = { ...wanted.accreditation, ...confirmationKept(before, wanted) };
    await UserModel.updateOne(
      { _id: scope.userId, version: input.version },
      { $set: { ...wanted, accreditation }, $inc: { version: 1 }, $push: pushProfileChanges(changes) },
    );
    const wasConfirmed = before.accreditation?.child_inclusive_confirmed_at;
    if (wasConfirmed && !accreditation.child_inclusive_confirmed_at)
      await tellRegistrationFollowers(scope, scope.userId);
    return changes;
  });
}

/** A register holds a name with a number: another of either is to be looked up anew. */
function confirmationKept(had: Shown, has: Shown) {
  const [before, wanted] = [had.accreditation, has.accreditation];
  if (!before || !wanted || before.urn !== wanted.urn || nameKeyOf(had) !== nameKeyOf(has)) return {};
  const isNumberKept = wanted.fmca && before.fmca && before.confirmed_at;
  const isRegistrationKept = wanted.child_inclusive && before.child_inclusive && before.child_inclusive_confirmed_at;
  return {
    ...(isNumberKept ? { confirmed_at: before.confirmed_at } : {}),
    ...(isRegistrationKept ? { child_inclusive_confirmed_at: before.child_inclusive_confirmed_at } : {}),
  };
}

/**
 * Throws BAD_REQUEST where a colleague, also one who is invited or was suspended, has the name or the number that
 * somebody wants to take. Namesakes may keep the name that they were invited by. For the transaction that writes it.
 */
export async function assertNobodyElses(
  ownerId: string,
  userId: string,
  { before, wanted }: { before: Shown; wanted: Shown },
): Promise<void> {
  const others = await UserModel.find(
    { _id: mongoose.trusted({ $ne: userId }), $or: [{ _id: ownerId }, { owner_id: ownerId }] },
    SHOWN,
  ).lean();
  const isTaken = (keyOf: (one: Shown) => string) => {
    const key = keyOf(wanted);
    return key !== "" && key !== keyOf(before) && others.some((other) => keyOf(other) === key);
  };
  if (isTaken(nameKeyOf)) throw badField("lastName", SAME_NAME);
  if (isTaken(({ accreditation }) => numberKey(accreditation?.urn ?? "")))
    throw badField("accreditationNumber", SAME_NUMBER);
}

const nameKeyOf = ({ first_name, last_name }: Shown): string => nameKey(first_name, last_name);

/** What is kept of a change, as it is shown to the owner. */
export function changesBetween(before: Shown, after: Shown): ProfileChange[] {
  const at = now();
  const ways = [
    { what: "name" as const, of: ({ first_name, last_name }: Shown) => `${first_name} ${last_name}` },
    { what: "accreditation" as const, of: accreditationWords },
  ];
  return ways
    .map(({ what, of }) => ({ at, what, from: of(before), to: of(after) }))
    .filter(({ from, to }) => from !== to);
}

function accreditationWords({ accreditation }: Shown): string {
  const number = accreditation?.urn ? `number ${accreditation.urn}` : "no number";
  const children = accreditation?.child_inclusive ? ", child-inclusive registration" : "";
  return `${accreditation?.fmca ? "accredited" : "not accredited"}, ${number}${children}`;
}
