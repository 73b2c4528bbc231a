// What is stored in a list that many may read, but tells of something that asks for a permission of its own.
import mongoose from "mongoose";
import { type Permission, permissionsOf, type Person } from "@app/shared/access";

/** On a stored thing: null, or the permission without which it is left out of every answer. */
export type Needs = Permission | null;

export const needsField = { type: String, default: null };

/** The part of a filter that leaves out what needs a permission that this person lacks. */
export const withinRights = (person: Person) => ({
  needs: mongoose.trusted({ $in: [null, ...permissionsOf(person)] }),
});
