// The account with the card payment provider that a practice connected: kept with what bills it.
import { CustomerModel } from "./subscriptions.model.ts";

export async function connectedAccountOf(ownerId: string): Promise<string | null> {
  return (await CustomerModel.findById(ownerId, { stripe_account_id: 1 }).lean())?.stripe_account_id ?? null;
}

export async function setConnectedAccount(ownerId: string, account: string | null): Promise<void> {
  const change = account === null ? { $unset: { stripe_account_id: 1 } } : { $set: { stripe_account_id: account } };
  await CustomerModel.updateOne({ _id: ownerId }, change, { upsert: account !== null });
}

export async function ownerOfAccount(account: string): Promise<string | null> {
  return (await CustomerModel.findOne({ stripe_account_id: account }, { _id: 1 }).lean())?._id ?? null;
}
