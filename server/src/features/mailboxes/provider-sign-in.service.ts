// Connects a mailbox by signing in on the provider's own page: away with a state, back with it once, then the exchange.
import { TRPCError } from "@trpc/server";
import type { FinishSignIn, MailSignIn } from "@app/shared/mailboxes";
import mongoose from "mongoose";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { encrypt, hashToken } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueTime, openFor } from "../../core/due-times.ts";
import { badField, wrongState } from "../../core/errors.ts";
import { newToken } from "../../core/ids.ts";
import type { Actor, Scope } from "../../core/trpc.ts";
import { setEmailConnection } from "../users/email-connection.service.ts";
import {
  type AurinkoAccount,
  AurinkoRefusal,
  exchangeCode,
  isAurinkoConfigured,
  readAccount,
  removeAccount,
  signInUrl,
} from "./aurinko.ts";
import { providerAccountOf, tokenPlace } from "./mailbox-access.service.ts";
import { EmailCredentialsModel, EmailTokenModel, MailSignInModel } from "./mailboxes.model.ts";
import { assertNoColleagues, assertOwnMailbox } from "./own-mailbox.ts";

const STATE_LIMIT_MS = 10 * MINUTE_MS;
defineDueTime({
  of: "sign-ins at mail providers",
  times: ["MailSignIn.expires_at"],
  aheadMs: STATE_LIMIT_MS,
  bringBack: (latest, at) =>
    MailSignInModel.updateMany({ expires_at: mongoose.trusted({ $gt: latest }) }, { $set: { expires_at: at } }),
});
const BACK = "Open your email settings and connect the mailbox again.";

/** Where this person signs in at the provider. The state leads back to this browser alone, once, for ten minutes. */
export async function startSignIn({ scope, authSessionId }: Actor, provider: MailSignIn): Promise<{ url: string }> {
  if (!isAurinkoConfigured()) {
    throw wrongState("This installation cannot connect a mailbox that way. Connect it with its password instead.");
  }
  const state = newToken();
  const expires_at = new Date(now().getTime() + STATE_LIMIT_MS);
  const signIn = { _id: hashToken(state), user_id: scope.userId, session_id: authSessionId, expires_at };
  await MailSignInModel.create([signIn]);
  return { url: signInUrl(provider, state) };
}

/** Links the mailbox that the provider's page handed back. A state that is not this browser's own links nothing. */
export async function finishSignIn({ scope, authSessionId }: Actor, { status, code, state }: FinishSignIn) {
  const { userId } = scope;
  const begun = await MailSignInModel.findOneAndDelete({
    _id: hashToken(state),
    user_id: userId,
    session_id: authSessionId,
    expires_at: openFor(STATE_LIMIT_MS),
  }).lean();
  if (!begun) {
    throw badField(
      "state",
      `This sign-in was not begun here, or longer than ten minutes ago, so nothing is connected. ${BACK}`,
    );
  }
  if (status !== "success" || code === "") {
    throw badField("status", `The provider did not agree, so nothing is connected. ${BACK}`);
  }
  const { accountId, accessToken, account } = await accountOf(code);
  const before = await providerAccountOf(userId);
  await link(scope, { accountId, accessToken, account }).catch(async (error: unknown) => {
    await removeAccount(accessToken).catch(() => undefined);
    throw error;
  });
  // An account of before can do nothing here any more, whether or not it can be removed there.
  if (before && before.accountId !== accountId) await removeAccount(before.accessToken).catch(() => undefined);
  return { email: account.email };
}

interface Linked {
  accountId: string;
  accessToken: string;
  account: AurinkoAccount;
}

async function accountOf(code: string): Promise<Linked> {
  try {
    const { accountId, accessToken } = await exchangeCode(code);
    return { accountId, accessToken, account: await readAccount(accessToken) };
  } catch (error) {
    const isRefused = error instanceof AurinkoRefusal && error.status < 500;
    const why = isRefused
      ? "The provider did not confirm the sign-in"
      : "The service that connects to the provider did not answer";
    throw new TRPCError({ code: "BAD_GATEWAY", message: `${why}, so nothing is connected. ${BACK}`, cause: error });
  }
}

async function link(scope: Scope, { accountId, accessToken, account }: Linked): Promise<void> {
  const { userId } = scope;
  const { email, serviceType, authScopes } = account;
  const claim = { email, imap: null, smtp: null };
  await inTransaction(async () => {
    await assertOwnMailbox(scope, claim, "status");
    await assertNoColleagues(scope, claim, { field: "status" });
    await EmailTokenModel.replaceOne(
      { _id: userId },
      {
        _id: userId,
        account_id: accountId,
        access_enc: encrypt(accessToken, tokenPlace(userId)),
        service_type: serviceType,
        email,
        scopes: authScopes ?? [],
        created_at: now(),
        checked_at: now(),
        last_error: "",
      },
      { upsert: true },
    );
    await EmailCredentialsModel.deleteOne({ _id: userId });
    await setEmailConnection(userId, { serviceType, email, logins: [] });
  });
}
