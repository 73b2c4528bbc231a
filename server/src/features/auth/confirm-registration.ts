// Where mail can leave, a practice is opened only by the link that was mailed: so the answer to a registration is the
// same whether the address has an account or not, and nobody registers with somebody else's address: the password is
// chosen by whoever holds the link.
import mongoose from "mongoose";
import { z } from "zod";
import { type AskForPractice, registerSchema } from "@app/shared/auth";
import { PRODUCT_NAME } from "@app/shared/product";
import { HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { decrypt, encrypt, hashToken } from "../../core/crypto.ts";
import { badField, tooManyRequests } from "../../core/errors.ts";
import { newId, newToken } from "../../core/ids.ts";
import { defineJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { describePause, countAttempt } from "../../core/rate-limit.ts";
import { publicUrl } from "../../core/settings.ts";
import type { Context } from "../../core/trpc.ts";
import { linkless } from "../../core/linkless.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { pacedMail } from "./mailbox-pace.ts";
import {
  accountOf,
  REGISTRATION_LINK_MS,
  type RegistrationDoc,
  RegistrationModel,
  registrationPlace,
} from "./registrations.model.ts";
import { limitByAddress, originOf } from "./sign-in-limits.ts";

const LINK_HOURS = REGISTRATION_LINK_MS / HOUR_MS;
/** For one mailbox from one place. Elsewhere nobody is kept from a link, whoever asks for how many. */
const WAITING_MAX = 5;
const PER_REQUESTER = { tries: 5, pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const LINK_TRIES = { tries: 300, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
const EXPIRED = "This link has expired or was used already. Register again.";

// What waits from before holds a password too, which goes unread.
const enteredSchema = registerSchema.omit({ password: true }).strip();
export type EnteredRegistration = z.infer<typeof enteredSchema>;

// In a job, so that neither the answer nor its time tells whether the address has an account.
const mailRegistration = defineJob({
  name: "mail registration link",
  // Those that waited for the same address leave in one mail.
  data: z.object({ id: z.string(), others: z.array(z.string()).default([]) }),
  run: ({ id, others }, log) => mailLinks([id, ...others], log),
});
const links = pacedMail("register", ([id, ...others]) => mailRegistration.enqueue({ id, others }));

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

/** Of one address, asked for by whomever: each with a link of its own, so that nobody's is displaced by another's. */
async function mailLinks(ids: string[], log: Logger): Promise<void> {
  const asked = await RegistrationModel.find({ _id: mongoose.trusted({ $in: ids }) }).lean();
  const [first] = asked;
  if (!first) return;
  const { email: to, firstName } = enteredIn(first);
  const isKnown = (await findSignInUser({ email: to })) !== null;
  if (isKnown) await RegistrationModel.deleteMany({ _id: mongoose.trusted({ $in: ids }) });
  log.info({ event: "registration asked for", isKnown, count: asked.length }, "audit");
  if (isKnown) {
    const text = [`Hello,`, HAS_ACCOUNT(), "If it was not you, you need not do anything."].join("\n\n");
    const subject = `You have an account at ${PRODUCT_NAME}`;
    return queueSystemMail({ ownerId: null, to, subject, text, hasLink: false }, log);
  }
  const made: [RegistrationDoc, string][] = [];
  for (const doc of asked) made.push([doc, await linkFor(doc)]);
  const text = made.length === 1 ? wordsOfOne(firstName, made[0]?.[1] ?? "") : wordsOfSeveral(made);
  await queueSystemMail(
    { ownerId: null, to, subject: `Open your practice in ${PRODUCT_NAME}`, text, hasLink: true },
    log,
  );
}

async function linkFor({ _id }: RegistrationDoc): Promise<string> {
  const token = newToken();
  await RegistrationModel.updateOne({ _id }, { $set: { token_hash: hashToken(token) } });
  return `${publicUrl()}/register?token=${token}`;
}

const wordsOfOne = (firstName: string, link: string): string =>
  [
    `Hello ${linkless(firstName)},`,
    `Choose your password and open your practice in ${PRODUCT_NAME} here:\n${link}`,
    `The link works once, for ${LINK_HOURS} hours. If you did not register, you need not do anything.`,
  ].join("\n\n");

const wordsOfSeveral = (made: [RegistrationDoc, string][]): string =>
  [
    "Hello,",
    `Several people, perhaps you among them, registered a practice in ${PRODUCT_NAME} with this address. Choose your password and open yours with the link below it. Leave the others alone.`,
    ...made.map(([doc, link]) => {
      const { firstName, lastName, practiceName } = enteredIn(doc);
      return `${linkless(practiceName)}, registered by ${linkless(`${firstName} ${lastName}`)}:\n${link}`;
    }),
    `Each link works once, for ${LINK_HOURS} hours. If you did not register, you need not do anything.`,
  ].join("\n\n");

const HAS_ACCOUNT = () =>
  `Somebody, perhaps you, wanted to register a practice with this address. It has an account already: sign in at ${publicUrl()}, or choose a new password at ${publicUrl()}/resetpassword.`;

/** What was entered, for whoever holds the link. Throws where it does not work any more. */
export async function findRegistration(call: Context, token: string): Promise<EnteredRegistration> {
  await limitByAddress("register-link", call.ip, LINK_TRIES);
  const doc = await RegistrationModel.findOne({
    token_hash: hashToken(token),
    expires_at: mongoose.trusted({ $gt: now() }),
  }).lean();
  if (!doc) throw linkExpired();
  return enteredIn(doc);
}

/** Takes the link, in the transaction that opens the practice, so that it works once. */
export async function spendRegistration(token: string): Promise<void> {
  const { deletedCount } = await RegistrationModel.deleteOne({ token_hash: hashToken(token) });
  if (deletedCount === 0) throw linkExpired();
}

export const linkExpired = () => badField("token", EXPIRED);
