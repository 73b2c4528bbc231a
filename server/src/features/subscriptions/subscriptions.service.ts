import mongoose from "mongoose";
import { COUNTING_STATUSES, type Plan, PLANS, ROLES } from "@app/shared/access";
import type { Access, Subscription } from "@app/shared/subscriptions";
import { changesOf } from "../../core/changes.ts";
import { now } from "../../core/clock.ts";
import { memoryOf } from "../../core/memory.ts";
import { settings } from "../../core/settings.ts";
import type { Scope } from "../../core/trpc.ts";
import { type CustomerDoc, CustomerModel } from "./subscriptions.model.ts";

const SELF_HOSTED_ID = "sub_selfhosted";

export type Customer = CustomerDoc;

export const customerChanges = changesOf(CustomerModel);

/** Without a card payment provider the practice hosts itself: nothing is charged. */
export const isSelfHosted = (): boolean => settings().STRIPE_SECRET_KEY === undefined;

/** The customer documents of a person: the practice's and, for staff, possibly their own. */
export function findCustomers(person: { userId: string; ownerId: string }): Promise<Customer[]> {
  const ids = [...new Set([person.ownerId, person.userId])];
  return CustomerModel.find({ _id: mongoose.trusted({ $in: ids }) }, { subscriptions: 1, last_plan: 1 })
    .lean()
    .exec();
}

/** Staff use the practice's subscription; where the practice has no customer document, their own. */
export const customerOf = (customers: Customer[], person: { userId: string; ownerId: string }): Customer | undefined =>
  customers.find((customer) => customer._id === person.ownerId) ??
  customers.find((customer) => customer._id === person.userId);

/**
 * Whether this customer has access, and the plan. A subscription counts while active or trialing; pro wins over
 * essential; a price of neither leaves the plan unchanged and still grants access.
 */
function accessOf(customer: Customer | undefined): Access {
  const counting = customer?.subscriptions.filter(counts) ?? [];
  if (counting.length === 0) return { hasAccess: false, plan: null };
  const plans = counting.map((subscription) => planOfPrice(subscription.price.id));
  const known = PLANS.toReversed().find((plan) => plans.includes(plan));
  return { hasAccess: true, plan: known ?? knownPlan(customer?.last_plan) ?? "essential" };
}

/** Whether it gives access. What was given until a day ends with it, before anybody has written that down. */
export const counts = ({ status, source, current_period_end: end }: Customer["subscriptions"][number]): boolean =>
  COUNTING_STATUSES.includes(status) && !(source === "manual" && end && end <= now());

const taking = memoryOf(["customers"], async (ownerId) => {
  const person = { userId: ownerId, ownerId };
  return accessOf(customerOf(await findCustomers(person), person)).hasAccess;
});

/** Whether this practice takes what people outside send: as long as it is used at all. */
export const takesFromOutside = async (ownerId: string): Promise<boolean> => (await taking.recall(ownerId)) ?? false;

const knownPlan = (name: string | null | undefined): Plan | undefined => PLANS.find((plan) => plan === name);

function planOfPrice(priceId: string): Plan | null {
  if (settings().STRIPE_PRICES_PRO.includes(priceId)) return "pro";
  if (settings().STRIPE_PRICES_ESSENTIAL.includes(priceId)) return "essential";
  return null;
}

/** The customer's access; a plan seen for the first time is kept for prices that name none. */
export async function rememberedAccess(customer: Customer | undefined): Promise<Access> {
  const access = accessOf(customer);
  if (customer && access.plan && access.plan !== customer.last_plan) {
    await CustomerModel.updateOne({ _id: customer._id }, { $set: { last_plan: access.plan } });
  }
  return access;
}

/** The first document of a new practice's billing; inside the transaction that makes the practice. */
export async function createCustomer(ownerId: string): Promise<void> {
  const [price] = settings().STRIPE_PRICES_PRO;
  const selfHosted = { id: SELF_HOSTED_ID, status: "active", price: { id: price }, source: "manual" };
  await CustomerModel.create([{ _id: ownerId, subscriptions: isSelfHosted() ? [selfHosted] : [] }]);
}

function priceOf(shown: Customer["subscriptions"][number] | undefined): Subscription["price"] {
  const { unit_amount: amountMinor, currency, interval } = shown?.price ?? {};
  const known = interval === "month" || interval === "year" ? interval : null;
  return amountMinor && currency && known ? { amountMinor, currency: currency.toUpperCase(), interval: known } : null;
}

export async function getSubscription(scope: Scope): Promise<Subscription> {
  const customer = customerOf(await findCustomers(scope), scope);
  const access = await rememberedAccess(customer);
  const subscriptions = customer?.subscriptions ?? [];
  const shown = subscriptions.find(counts) ?? subscriptions.at(-1);
  return {
    ...access,
    billing: isSelfHosted() ? "self_hosted" : "stripe",
    status: shown?.status ?? null,
    currentPeriodEnd: shown?.current_period_end?.toISOString() ?? null,
    isEnding: shown?.cancel_at_period_end ?? false,
    isGiven: shown?.source === "manual",
    price: priceOf(shown),
    isOwner: scope.role === ROLES.owner,
  };
}
