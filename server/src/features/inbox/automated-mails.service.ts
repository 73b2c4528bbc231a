// Every few minutes each connected inbox is looked through for what mail programs say there.
import type { ImapClient } from "../../core/imap-client.ts";
import { apart } from "../../core/apart.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { forgetAside, isHeld, keepAside, listAside, putBack } from "../../core/set-aside.ts";
import { defineWorkTurns, type Turn } from "../../core/work-turns.ts";
import { type Mailbox, mailboxOf, UNREAD_MAILS, usableMailboxes } from "../mailboxes/mailbox-access.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { isBroken, isGivenUp, withMailbox } from "./connections.ts";
import { inFolder } from "./fetch.service.ts";
import { MailPositionModel } from "./mail-positions.model.ts";
import { isUnreadable, type AutomatedMail, readAutomated, type UnreadableMail } from "./automated-mail-reading.ts";
import { takeAutomatedMail } from "./automated-mail-taking.ts";

// The first look goes no further back than this, and no look takes more.
const MAILS_MAX = 200;
const AT_ONCE = 25;
const LIMIT_MS = 60_000;
// A mail at which the connection ended so often is to blame for it.
const BREAKS_MAX = 3;
// It may have been this machine, which was too busy to read it in time.
const AGAIN_AFTER_MS = 6 * HOUR_MS;

defineWorkTurns({
  name: "look for mail signs",
  everyMs: 5 * MINUTE_MS,
  atOnce: 6,
  ofPractice: 2,
  setAside: "its items",
  find: async () => (await usableMailboxes()).map(({ userId, ownerId }) => ({ ownerId, id: userId })),
  work: ({ id }, turn, log) => readSome(id, turn, log),
});

interface Look {
  userId: string;
  ownerId: string;
  mailbox: Mailbox;
  log: Logger;
}

/**
 * Takes in what came since the last look: answers to invitations, and mails that came back. A mail that cannot be taken
 * in is set aside, and shown to the mailbox's owner.
 */
export const readAutomatedMails = async (userId: string, log: Logger): Promise<void> =>
  void (await readSome(userId, { isOver: () => false, step: () => undefined }, log));

async function readSome(userId: string, turn: Turn, log: Logger): Promise<number | null> {
  const [mailbox, user] = [await mailboxOf(userId), await findIdentityUser(userId)];
  if (!mailbox || !user) return null;
  const lookOnce = { userId, ownerId: user.owner_id ?? user._id, mailbox, log };
  try {
    return await look(lookOnce, turn);
  } catch (error) {
    // Disconnected meanwhile, or not to be used any more.
    if ((await mailboxOf(userId)) === null) return null;
    if (!isGivenUp(error)) throw error;
    // The mailbox's own page tells its owner; the next look comes in some minutes.
    log.warn({ userId }, "mailbox could not be looked through");
    return null;
  }
}

/** As far as its turn goes; the next one begins behind what was taken in. */
async function look(asked: Look, { isOver }: Turn): Promise<number | null> {
  const { uidValidity, uids, again } = await findNew(asked);
  for (let done = 0; done < uids.length;) {
    const batch = uids.slice(done, done + AT_ONCE);
    await takeAll(asked, batch, uidValidity);
    done += batch.length;
    if (isOver()) return 0;
  }
  for (const uid of again) {
    await takeOne(asked, uid, uidValidity);
    if (isOver()) return 0;
  }
  return null;
}

interface Found {
  uidValidity: string;
  uids: number[];
  /** Those that the code of before could not take in. */
  again: number[];
}

const inbox = <Result>({ userId }: Look, work: (client: ImapClient) => Promise<Result>): Promise<Result> =>
  withMailbox(userId, (client) => inFolder(client, "INBOX", () => work(client)), LIMIT_MS);

async function findNew(asked: Look): Promise<Found> {
  const { userId, mailbox } = asked;
  const before = await MailPositionModel.findById(userId).lean();
  const aside = (await listAside(UNREAD_MAILS, userId)).filter((one) => !isHeld(one));
  return inbox(asked, async (client) => {
    const box = client.mailbox;
    if (!box) return { uidValidity: "", uids: [], again: [] };
    const uidValidity = String(box.uidValidity);
    const isKnown = before?.mailbox === mailbox.email && before.uidValidity === uidValidity;
    const start = isKnown ? before.lastUid : Math.max(0, (await endOf(client, box)) - 1 - MAILS_MAX);
    const found = await client.search({ uid: `${start + 1}:*` });
    // Where there is nothing newer a server names the last one again.
    const uids = found.filter((uid) => uid > start).toSorted((a, b) => a - b);
    const again = aside.flatMap(({ key }) => (key.startsWith(`${uidValidity}:`) ? Number(key.split(":")[1]) : []));
    return { uidValidity, uids: uids.slice(0, MAILS_MAX), again };
  });
}

/** The uid that the next mail of this folder will have; of a server that does not say so, by its last mail. */
async function endOf(client: ImapClient, { exists, uidNext }: NonNullable<ImapClient["mailbox"]>): Promise<number> {
  if (uidNext !== null) return uidNext;
  const last = exists > 0 ? await client.fetchAll(String(exists), { uid: true }, { uid: false }) : [];
  return (last[0]?.uid ?? 0) + 1;
}

/** Several at once; where the connection ends over them, one by one. */
async function takeAll(asked: Look, uids: number[], uidValidity: string): Promise<void> {
  const mails = await readOrNull(asked, uids);
  if (mails === null) {
    for (const uid of uids) await takeOne(asked, uid, uidValidity);
    return;
  }
  await takeEach(asked, mails, uidValidity);
  await moveOn(asked, uids.at(-1) ?? 0, uidValidity);
}

async function readOrNull(asked: Look, uids: number[]): Promise<(AutomatedMail | UnreadableMail)[] | null> {
  try {
    return await inbox(asked, (client) => readAutomated(client, uids, asked.mailbox));
  } catch (error) {
    if (!isGivenUp(error)) throw error;
    return null;
  }
}

/** One mail by itself. Throws where the connection ended over it, until that has happened too often. */
async function takeOne(asked: Look, uid: number, uidValidity: string): Promise<void> {
  const { userId } = asked;
  try {
    const mails = await inbox(asked, (client) => readAutomated(client, [uid], asked.mailbox));
    await takeEach(asked, mails, uidValidity);
    if (mails.length === 0) await forgetAside(placeOf(asked, uid, uidValidity));
  } catch (error) {
    // What ends others, or comes too often, is no fault of this mail.
    if (!isBroken(error)) throw error;
    const position = await MailPositionModel.findById(userId).lean();
    const breaks = position?.brokeAt === uid ? (position.breaks ?? 0) + 1 : 1;
    const here = { mailbox: asked.mailbox.email, uidValidity, lastUid: uid - 1 };
    // In a mailbox that nothing was taken in from yet it stands before all others.
    await MailPositionModel.updateOne(
      { _id: userId },
      { $set: { brokeAt: uid, breaks }, $setOnInsert: here },
      { upsert: true },
    );
    if (breaks < BREAKS_MAX) throw error;
    await keepAside(placeOf(asked, uid, uidValidity), { againAfterMs: AGAIN_AFTER_MS });
  }
  await moveOn(asked, uid, uidValidity);
}

const placeOf = ({ userId }: Look, uid: number, uidValidity: string) => ({
  queue: UNREAD_MAILS,
  of: userId,
  key: `${uidValidity}:${uid}`,
});

async function takeEach(asked: Look, mails: (AutomatedMail | UnreadableMail)[], uidValidity: string): Promise<void> {
  const { userId, log } = asked;
  for (const mail of mails) {
    const place = placeOf(asked, mail.uid, uidValidity);
    const work = () => (isUnreadable(mail) ? Promise.reject(mail.error) : takeAutomatedMail(asked, mail));
    const { from: name, at } = mail;
    const isDone = await apart(work, {
      item: { userId, uid: mail.uid },
      place: `${place.queue}:${place.of}:${place.key}`,
      log,
      setAside: () => keepAside(place, { name, at, againAfterMs: AGAIN_AFTER_MS }),
      putBack: () => putBack(place, { name, at }),
    });
    if (isDone) await forgetAside(place);
  }
}

/** Never back: those that are tried again lie before. */
async function moveOn({ userId, mailbox: { email } }: Look, lastUid: number, uidValidity: string): Promise<void> {
  const place = { mailbox: email, uidValidity };
  const { matchedCount } = await MailPositionModel.updateOne({ _id: userId, ...place }, { $max: { lastUid } });
  if (matchedCount === 0)
    await MailPositionModel.updateOne({ _id: userId }, { $set: { ...place, lastUid } }, { upsert: true });
}
