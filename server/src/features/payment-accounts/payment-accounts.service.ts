// How a practice is paid by card: not at all, into the account of the installation's key, or into one that it connected.
import { can } from "@app/shared/access";
import type { PaymentAccount, PaymentAccountState } from "@app/shared/payment-accounts";
import { REGIONS } from "@app/shared/regions";
import type Stripe from "stripe";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import { publicUrl, settings } from "../../core/settings.ts";
import { fromStripe, isRefusedByStripe } from "../../core/stripe.ts";
import type { Scope } from "../../core/trpc.ts";
import { isFirstPractice, practiceNameOf, practiceRegion } from "../practices/practices.service.ts";
import {
  connectedAccountOf,
  ownerOfAccount,
  setConnectedAccount,
} from "../subscriptions/connected-accounts.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { PaymentAccountModel } from "./payment-accounts.model.ts";

const RETURN = "/stripe/return";

/** Into which account a card payment of this practice goes; null where none can be taken. */
export async function cardAccountOf(ownerId: string): Promise<{ account: string } | null> {
  const { STRIPE_MODE: mode } = settings();
  if (mode === "own") return (await isFirstPractice(ownerId)) ? { account: "" } : null;
  if (mode === "none") return null;
  const account = await connectedAccountOf(ownerId);
  return account === null ? null : { account };
}

/** The same, asked at the provider now; refuses with what is to be done. */
export async function requireCardAccount(ownerId: string): Promise<{ account: string }> {
  const found = await cardAccountOf(ownerId);
  if (!found) throw wrongState("No card payments can be taken here. Record what is paid in another way.");
  if (found.account !== "" && (await readAgain(ownerId, found.account)) !== "ready")
    throw wrongState(
      "Your card payment account cannot take cards yet. The owner sees on the page Payments what is missing.",
    );
  return found;
}

export async function getPaymentAccount(scope: Scope): Promise<PaymentAccount> {
  const { STRIPE_MODE: mode } = settings();
  const nothing = { mode, name: "", checkedAt: null, mayConnect: mode === "connect" && can(scope, "practice.manage") };
  if (mode === "none") return { ...nothing, state: "none" };
  if (mode === "own") return { ...nothing, state: (await isFirstPractice(scope.ownerId)) ? "ready" : "elsewhere" };
  if ((await connectedAccountOf(scope.ownerId)) === null) return { ...nothing, state: "not_connected" };
  const known = await PaymentAccountModel.findById(scope.ownerId).lean();
  return {
    ...nothing,
    state: known?.state ?? "started",
    name: known?.name ?? "",
    checkedAt: known?.checkedAt.toISOString() ?? null,
  };
}

/** Nothing that somebody brought back from the provider's pages is believed: it is asked. */
export async function refreshPaymentAccount(scope: Scope): Promise<PaymentAccount> {
  const account = settings().STRIPE_MODE === "connect" ? await connectedAccountOf(scope.ownerId) : null;
  if (account !== null) await readAgain(scope.ownerId, account);
  return getPaymentAccount(scope);
}

/** A page of the provider on which the owner opens an account, or goes on with it. It opens once. */
export async function connectPaymentAccount({ ownerId }: Scope): Promise<{ url: string }> {
  if (settings().STRIPE_MODE !== "connect")
    throw wrongState("Accounts are not connected on this page here. Ask whoever runs this installation.");
  const account = (await connectedAccountOf(ownerId)) ?? (await openAccount(ownerId));
  const { url } = await fromStripe(({ v2 }) =>
    v2.core.accountLinks.create({
      account,
      use_case: {
        type: "account_onboarding",
        account_onboarding: {
          return_url: `${publicUrl()}${RETURN}`,
          refresh_url: `${publicUrl()}${RETURN}?refresh=1`,
        },
      },
    }),
  );
  return { url };
}

async function openAccount(ownerId: string): Promise<string> {
  const [owner, displayName, region, known] = await Promise.all([
    findIdentityUser(ownerId),
    practiceNameOf(ownerId),
    practiceRegion(ownerId),
    PaymentAccountModel.findById(ownerId).lean(),
  ]);
  const { country } = REGIONS[region];
  const params: Stripe.V2.Core.AccountCreateParams = {
    contact_email: owner?.email_address ?? "",
    display_name: displayName,
    dashboard: "full",
    ...(country === "" ? {} : { identity: { country: country.toLowerCase() } }),
    configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
    defaults: { responsibilities: { fees_collector: "stripe", losses_collector: "stripe" } },
    metadata: { ownerId },
    include: ["configuration.merchant", "requirements"],
  };
  // Whoever clicks twice, or again after the process died, gets the same account.
  const idempotencyKey = `account_${ownerId}_${known?.letGo ?? 0}`;
  const made = await fromStripe(({ v2 }) => v2.core.accounts.create(params, { idempotencyKey }));
  await setConnectedAccount(ownerId, made.id);
  await keep(ownerId, made);
  return made.id;
}

/** What was paid there stays there, and is still looked after; new payments cannot be begun. */
export async function disconnectPaymentAccount(scope: Scope): Promise<PaymentAccount> {
  if ((await connectedAccountOf(scope.ownerId)) === null) throw wrongState("No account is connected.");
  await setConnectedAccount(scope.ownerId, null);
  await PaymentAccountModel.updateOne(
    { _id: scope.ownerId },
    { $set: { state: "not_connected", name: "", checkedAt: now() }, $inc: { letGo: 1 } },
    { upsert: true },
  );
  return getPaymentAccount(scope);
}

/** After the provider told that something changed there; false where the account is nobody's here. */
export async function accountChanged(account: string): Promise<boolean> {
  const ownerId = await ownerOfAccount(account);
  if (ownerId === null) return false;
  await readAgain(ownerId, account);
  return true;
}

async function readAgain(ownerId: string, account: string): Promise<PaymentAccountState> {
  try {
    const include: Stripe.V2.Core.AccountRetrieveParams.Include[] = ["configuration.merchant", "requirements"];
    return await keep(ownerId, await fromStripe(({ v2 }) => v2.core.accounts.retrieve(account, { include })));
  } catch (error) {
    if (!isRefusedByStripe(error)) throw error;
    await write(ownerId, { state: "lost", name: "" });
    return "lost";
  }
}

async function keep(ownerId: string, account: Stripe.V2.Core.Account): Promise<PaymentAccountState> {
  const state = stateOf(account);
  await write(ownerId, { state, name: account.display_name ?? "" });
  return state;
}

async function write(ownerId: string, what: { state: PaymentAccountState; name: string }): Promise<void> {
  await PaymentAccountModel.updateOne({ _id: ownerId }, { $set: { ...what, checkedAt: now() } }, { upsert: true });
}

function stateOf({ configuration, requirements }: Stripe.V2.Core.Account): PaymentAccountState {
  const status = configuration?.merchant?.capabilities?.card_payments?.status;
  if (status === "active") return "ready";
  if (status === "pending") return "checking";
  if (status === "unsupported") return "refused";
  // What is still missing can be given; where nothing is missing, the provider has decided.
  return (requirements?.entries ?? []).length > 0 ? "started" : "refused";
}
