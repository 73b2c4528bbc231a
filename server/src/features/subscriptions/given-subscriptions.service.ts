// Plans that whoever runs the installation gives without charge.
import type { Plan } from "@app/shared/access";
import mongoose from "mongoose";
import { HOUR_MS, now } from "../../core/clock.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import { settings } from "../../core/settings.ts";
import { CustomerModel } from "./subscriptions.model.ts";

const GIVEN_ID = "sub_complimentary";

/** Gives a practice a plan without charge, until the end of a day or for good; another gift takes its place. */
export async function grantSubscription(ownerId: string, { plan, until }: Grant): Promise<void> {
  const [price = ""] = plan === "pro" ? settings().STRIPE_PRICES_PRO : settings().STRIPE_PRICES_ESSENTIAL;
  const given = {
    id: GIVEN_ID,
    status: "active",
    price: { id: price },
    source: "manual",
    ...(until ? { current_period_end: until } : {}),
  };
  await withoutGiven(ownerId);
  await CustomerModel.updateOne(
    { _id: ownerId },
    { $push: { subscriptions: given }, $inc: { revision: 1 } },
    { upsert: true },
  );
}

interface Grant {
  plan: Plan;
  /** Null for good. */
  until: Date | null;
}

/** Takes back what was given; what is paid for stays. */
export const withoutGiven = async (ownerId: string): Promise<void> => {
  await CustomerModel.updateOne(
    { _id: ownerId },
    { $pull: { subscriptions: { id: GIVEN_ID } }, $inc: { revision: 1 } },
  );
};

/** Open pages are told by what changes in the database: what is over by the clock alone is written down. */
export async function endGiven(): Promise<void> {
  const over = { source: "manual", status: "active", current_period_end: { $lte: now() } };
  await CustomerModel.updateMany(
    { subscriptions: mongoose.trusted({ $elemMatch: over }) },
    { $set: { "subscriptions.$.status": "canceled" }, $inc: { revision: 1 } },
  );
}

defineRepeatedJob({ name: "end given subscriptions", everyMs: HOUR_MS, run: endGiven });
