// Whether a connected mailbox still works: tried once a day, when mail could not be sent by it, and when asked.
import mongoose from "mongoose";
import { DAY_MS, HOUR_MS, now } from "../../core/clock.ts";
import { defineWorkTurns, type Task } from "../../core/work-turns.ts";
import { mailboxHolders, setConnectionActive } from "../users/email-connection.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { AurinkoRefusal, readAccount } from "./aurinko.ts";
import type { Diagnosis } from "./diagnosis-words.ts";
import { mailboxOf, type ProviderAccount, providerAccountOf } from "./mailbox-access.service.ts";
import { tryMailbox } from "./mailbox-trial.ts";
import { EmailCredentialsModel, EmailTokenModel } from "./mailboxes.model.ts";

const checkTurns = defineWorkTurns({
  name: "check mailboxes",
  everyMs: HOUR_MS,
  atOnce: 6,
  ofPractice: 2,
  find: dueMailboxes,
  async work({ id }) {
    await checkMailbox(id);
    return null;
  },
});

/** Delivery by this person's mailbox failed: it is looked at soon, and they are told what to do. */
export async function askForMailboxCheck(userId: string): Promise<void> {
  const user = await findIdentityUser(userId);
  if (user) checkTurns.add({ ownerId: user.owner_id ?? user._id, id: userId });
}

async function dueMailboxes(): Promise<Task[]> {
  const longAgo = { $lt: new Date(now().getTime() - DAY_MS) };
  const toCome = { $gt: new Date(now().getTime() + HOUR_MS) };
  const holders = await mailboxHolders();
  // One that was checked at a time to come was checked by a wrong clock.
  const isDue = {
    _id: mongoose.trusted({ $in: holders.map(({ userId }) => userId) }),
    $or: [{ checked_at: mongoose.trusted(longAgo) }, { checked_at: mongoose.trusted(toCome) }, { checked_at: null }],
  };
  const due = new Set([
    ...(await EmailCredentialsModel.distinct("_id", isDue)),
    ...(await EmailTokenModel.distinct("_id", isDue)),
  ]);
  return holders.filter(({ userId }) => due.has(userId)).map(({ ownerId, userId }) => ({ ownerId, id: userId }));
}

/** Tries the mailbox that this person connected, if there is one, and remembers what came of it. */
export async function checkMailbox(userId: string): Promise<void> {
  const mailbox = await mailboxOf(userId);
  if (mailbox) return remember(userId, mailbox.email, await tryMailbox(mailbox));
  const account = await providerAccountOf(userId);
  if (!account) return;
  const problem = await tryAccount(account);
  await remember(userId, account.email, problem ? [problem] : []);
}

async function tryAccount({ accessToken, serviceType }: ProviderAccount): Promise<Diagnosis | null> {
  try {
    const { tokenStatus } = await readAccount(accessToken);
    return tokenStatus === "dead" ? signInEnded(serviceType) : null;
  } catch (error) {
    if (error instanceof AurinkoRefusal && [401, 403, 404].includes(error.status)) return signInEnded(serviceType);
    return {
      side: "provider",
      what: "The service that connects to your provider does not answer.",
      whatToDo: "Mail is tried again by itself. If this lasts, tell whoever runs this installation.",
      field: "",
      isLasting: false,
    };
  }
}

const signInEnded = (serviceType: string): Diagnosis => ({
  side: "provider",
  what: `${serviceType} ended the connection to this mailbox.`,
  whatToDo: "Connect it again by signing in there.",
  field: "",
  isLasting: true,
});

async function remember(userId: string, email: string, problems: readonly Diagnosis[]): Promise<void> {
  const at = now();
  const isWell = problems.length === 0;
  const last_error = problems.map(({ what, whatToDo }) => `${what} ${whatToDo}`).join(" ");
  const change = { $set: { checked_at: at, last_error, ...(isWell ? { verified_at: at } : {}) } };
  // Whoever connected another mailbox meanwhile is not told about this one.
  await EmailCredentialsModel.updateOne({ _id: userId, email }, change);
  await EmailTokenModel.updateOne({ _id: userId, email }, { $set: { checked_at: at, last_error } });
  await setConnectionActive(userId, email, !problems.some(({ isLasting }) => isLasting));
}
