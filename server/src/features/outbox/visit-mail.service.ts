import mongoose, { type QueryFilter } from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import type { OutboxDoc } from "./outbox.model.ts";

type ReadVisits = (scope: Scope) => Promise<"all" | string[]>;
let readVisits: ReadVisits = () => Promise.resolve([]);

/** Whose contact, as they gave it on booking a meeting from outside, somebody reads; called once, beside the code that shows it. */
export const defineReadVisits = (read: ReadVisits): void => void (readVisits = read);

/** A filter for what tells visitors of what they booked, as far as this person reads how to reach them. */
export async function ofReadVisits(scope: Scope): Promise<QueryFilter<OutboxDoc>> {
  const ids = await readVisits(scope);
  // Of those of before it is not known of which meeting they tell.
  return ids === "all"
    ? { purpose: mongoose.trusted({ $ne: "letter" as const }) }
    : { visitId: mongoose.trusted({ $in: ids }) };
}
