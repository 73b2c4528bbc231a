// Where mail can leave, a practice is opened only by the link that was mailed: so the answer to a registration is the
// same whether the address has an account or not, and nobody registers with somebody else's address. The link proves the
// mailbox and nothing else: the mail carries no word of whoever asked for it, and whoever holds it says what to open.
import mongoose from "mongoose";
import { z } from "zod";
import { type AskForPractice, type BegunRegistration, registerSchema } from "@app/shared/auth";
import { foldEmail } from "@app/shared/email-address";
import { PRODUCT_NAME } from "@app/shared/product";
import { HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { decrypt, encrypt, hashToken } from "../../core/crypto.ts";
import { openFor } from "../../core/due-times.ts";
import { badField, tooManyRequests } from "../../core/errors.ts";
import { newId, newToken } from "../../core/ids.ts";
import { defineJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { describePause, countAttempt } from "../../core/rate-limit.ts";
import { publicUrl } from "../../core/settings.ts";
import type { Context } from "../../core/trpc.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { pacedMail } from "./mailbox-pace.ts";
import {
  accountOf,
  REGISTRATION_LINK_MS,
  type RegistrationDoc,
  RegistrationLinkModel,
  registrationLinkPlace,
  RegistrationModel,
  registrationPlace,
} from "./registrations.model.ts";
import { deviceOf, markDevice } from "./sign-in.ts";
import { limitByAddress, originOf } from "./sign-in-limits.ts";

const LINK_HOURS = REGISTRATION_LINK_MS / HOUR_MS;
/** For one mailbox from one place. */
const WAITING_MAX = 5;
const PER_REQUESTER = { tries: 5, pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const LINK_TRIES = { tries: 300, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
const EXPIRED = "This link has expired or was used already. Register again.";

// What waits from before may hold a password, which goes unread, and a name that is refused now.
const enteredSchema = registerSchema.omit({ password: true }).extend({ practiceName: z.string() }).strip();
export type EnteredRegistration = z.infer<typeof enteredSchema>;

// In a job, so that neither the answer nor its time tells whether the address has an account.
const mailRegistration = defineJob({
  name: "mail registration link",
  data: z.object({ id: z.string() }),
  run: ({ id }, log) => mailLink(id, log),
});
// Whichever of those for one address is named, it is the same mail.
const links = pacedMail("register", { size: 1, everyMs: 5 * MINUTE_MS }, (id) => mailRegistration.enqueue({ id }));

/** Keeps what was entered and mails a link to its address, or a few words where it has an account already. */
export async function askToConfirm(call: Context, { password: _unread, ...entered }: AskForPractice): Promise<void> {
  const account = accountOf(entered.email);
  const requester = originOf(call, null).key;
  const taken = await countAttempt(`register:${account}:${requester}`, PER_REQUESTER);
  if (!taken.isAllowed)
    throw tooManyRequests(`Look for the mail with the link, or try again in ${describePause(taken.pauseMs)}.`);
  await makeRoom({ account, requester });
  const id = newId();
  await RegistrationModel.create([
    {
      _id: id,
      account,
      requester,
      browser: markDevice(call),
      entered_enc: encrypt(JSON.stringify(entered), registrationPlace(id)),
      expires_at: new Date(now().getTime() + REGISTRATION_LINK_MS),
    },
  ]);
  await links.ask({ email: entered.email, about: id, turn: PER_REQUESTER.tries - 1 - taken.remaining });
}

/** The newest stay. */
async function makeRoom(place: { account: string; requester: string }): Promise<void> {
  const newest = { sort: { expires_at: -1, _id: -1 }, skip: WAITING_MAX - 1 } as const;
  const over = await RegistrationModel.find(place, { _id: 1 }, newest).lean();
  await RegistrationModel.deleteMany({ _id: mongoose.trusted({ $in: over.map(({ _id }) => _id) }) });
}

export const enteredIn = ({ _id, entered_enc }: RegistrationDoc): EnteredRegistration =>
  enteredSchema.parse(JSON.parse(decrypt(entered_enc, registrationPlace(_id))));

async function mailLink(id: string, log: Logger): Promise<void> {
  const doc = await RegistrationModel.findById(id).lean();
  if (!doc) return;
  const { email: to } = enteredIn(doc);
  const isKnown = (await findSignInUser({ email: to })) !== null;
  log.info({ event: "registration asked for", isKnown }, "audit");
  const words = isKnown ? ofAccount() : ofLink(await linkTo(to));
  await queueSystemMail({ ownerId: null, to, ...words }, log);
}

async function linkTo(email: string): Promise<string> {
  const token = newToken();
  await keepLink(hashToken(token), email, new Date(now().getTime() + REGISTRATION_LINK_MS));
  return `${publicUrl()}/register?token=${token}`;
}

export async function keepLink(tokenHash: string, email: string, expiresAt: Date): Promise<void> {
  const link = {
    account: accountOf(email),
    email_enc: encrypt(email, registrationLinkPlace(tokenHash)),
    expires_at: expiresAt,
  };
  await RegistrationLinkModel.updateOne({ _id: tokenHash }, { $setOnInsert: link }, { upsert: true });
}

const ofLink = (link: string) => ({
  subject: `Open your practice in ${PRODUCT_NAME}`,
  text: [
    "Hello,",
    `Somebody, perhaps you, asked to open a practice in ${PRODUCT_NAME} with this address. Choose your password and open it here:\n${link}`,
    `The link works once, for ${LINK_HOURS} hours. If it was not you, you need not do anything.`,
  ].join("\n\n"),
  hasLink: true,
});

const ofAccount = () => ({
  subject: `You have an account at ${PRODUCT_NAME}`,
  text: [
    "Hello,",
    `Somebody, perhaps you, wanted to register a practice with this address. It has an account already: sign in at ${publicUrl()}, or choose a new password at ${publicUrl()}/resetpassword.`,
    "If it was not you, you need not do anything.",
  ].join("\n\n"),
  hasLink: false,
});

/** The address that a link proves. Throws where it does not work any more. */
export async function findProvedAddress(call: Context, token: string): Promise<string> {
  await limitByAddress("register-link", call.ip, LINK_TRIES);
  const link = await RegistrationLinkModel.findOne({
    _id: hashToken(token),
    expires_at: openFor(REGISTRATION_LINK_MS),
  }).lean();
  if (!link) throw linkExpired();
  return decrypt(link.email_enc, registrationLinkPlace(link._id));
}

/** What was entered in this very browser with the address that the link proves: what others entered nobody is shown. */
export async function readRegistration(call: Context, token: string): Promise<BegunRegistration> {
  const email = await findProvedAddress(call, token);
  const browser = deviceOf(call.cookies);
  const docs =
    browser === null
      ? []
      : await RegistrationModel.find({ account: accountOf(email), browser })
          .sort({ expires_at: -1, _id: -1 })
          .lean();
  const begun = docs.map(enteredIn).find((entered) => foldEmail(entered.email) === foldEmail(email));
  return { email, begun: begun ?? null };
}

/** Takes the link, in the transaction that opens the practice, so that it works once. */
export async function spendRegistration(token: string): Promise<void> {
  const { deletedCount } = await RegistrationLinkModel.deleteOne({ _id: hashToken(token) });
  if (deletedCount === 0) throw linkExpired();
}

export const linkExpired = () => badField("token", EXPIRED);
