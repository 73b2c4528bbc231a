// Every few minutes each connected inbox is looked through for what mail programs say there.
import type { FetchMessageObject, ImapFlow, MessageStructureObject } from "imapflow";
import { z } from "zod";
import { foldEmail } from "@app/shared/email-address";
import { INVITATION_REPLIES } from "@app/shared/meeting-states";
import { defineForeign } from "../../core/foreign.ts";
import { defineJob, defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { mailboxOf, mailboxUserIds } from "../mailboxes/mailbox-access.service.ts";
import { noteBounce } from "../mail/outbox-bounces.service.ts";
import { noteMailingBounce } from "../mailings/mailing-bounces.service.ts";
import { suppress } from "../mailings/suppressions.service.ts";
import { noteCalendarReply } from "../meetings/replies.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { isGivenUp, withMailbox } from "./connections.ts";
import { inFolder } from "./fetch.service.ts";
import { decodeText } from "./mail-content.ts";
import { type AttachedPart, partsOf } from "./mail-parts.ts";
import { MailPositionModel } from "./mail-positions.model.ts";
import type { work } from "./mail-signs.foreign.ts";

// The first look goes no further back than this, and no look takes more.
const MAILS_MAX = 200;
const PART_MAX_BYTES = 200 * 1024;
const LIMIT_MS = 60_000;

const SIGNS_LIMIT_MS = 3000;

/** Something that cannot be read says nothing. */
class NoSigns extends Error {}

const signsOf = defineForeign<typeof work>({
  file: new URL("./mail-signs.foreign.ts", import.meta.url),
  output: z.object({
    reply: z
      .object({ uid: z.string(), sequence: z.number(), address: z.string(), reply: z.enum(INVITATION_REPLIES) })
      .nullable(),
    bounces: z.array(z.object({ address: z.string(), reason: z.string(), isLasting: z.boolean() })),
  }),
  limitMs: SIGNS_LIMIT_MS,
  refuse: (_why, reason) => new NoSigns(reason),
});

const signsIn = (ownerId: string, parts: { ics?: string; sender?: string; report?: string }) =>
  signsOf(ownerId, { ics: "", sender: "", report: "", ...parts }).catch((error: unknown) => {
    if (error instanceof NoSigns) return { reply: null, bounces: [] };
    throw error;
  });

const lookJob = defineJob({
  name: "read mail signs",
  data: z.object({ userId: z.string() }),
  run: ({ userId }, log) => readMailSigns(userId, log),
});

defineRepeatedJob({
  name: "look for mail signs",
  every: "5 minutes",
  async run() {
    for (const userId of await mailboxUserIds()) await lookJob.enqueue({ userId });
  },
});

/** Takes in what came since the last look: answers to invitations, and mails that came back. */
export async function readMailSigns(userId: string, log: Logger): Promise<void> {
  const [mailbox, user] = [await mailboxOf(userId), await findIdentityUser(userId)];
  if (!mailbox || !user) return;
  const ownerId = user.owner_id ?? user._id;
  try {
    await withMailbox(userId, (client) => look(client, { userId, ownerId, email: mailbox.email }), LIMIT_MS);
  } catch (error) {
    if (!isGivenUp(error)) throw error;
    // The mailbox's own page tells its owner; the next look comes in some minutes.
    log.warn({ userId, reason: error.message }, "mailbox could not be looked through");
  }
}

interface Looked {
  userId: string;
  ownerId: string;
  email: string;
}

const look = (client: ImapFlow, { userId, ownerId, email }: Looked): Promise<void> =>
  inFolder(client, "INBOX", async () => {
    const box = client.mailbox;
    if (!box) return;
    const uidValidity = String(box.uidValidity);
    const before = await MailPositionModel.findById(userId).lean();
    const isKnown = before?.mailbox === email && before.uidValidity === uidValidity;
    const start = isKnown ? before.lastUid : Math.max(0, box.uidNext - 1 - MAILS_MAX);
    const found = await client.search({ uid: `${start + 1}:*` }, { uid: true });
    // Where there is nothing newer a server names the last one again.
    const uids = (found || [])
      .filter((uid) => uid > start)
      .toSorted((a, b) => a - b)
      .slice(0, MAILS_MAX);
    const lastUid = uids.at(-1);
    if (lastUid === undefined) return;
    const query = { uid: true, envelope: true, bodyStructure: true };
    const messages = await client.fetchAll(uids.join(","), query, { uid: true });
    for (const message of messages) await takeIn(client, ownerId, message);
    const position = { mailbox: email, uidValidity, lastUid };
    await MailPositionModel.updateOne({ _id: userId }, { $set: position }, { upsert: true });
  });

async function takeIn(client: ImapFlow, ownerId: string, message: FetchMessageObject): Promise<void> {
  const { calendar, deliveryStatus } = partsOf(message.bodyStructure);
  if (calendar) {
    const sender = foldEmail(message.envelope?.from?.[0]?.address ?? "");
    const { reply } = await signsIn(ownerId, { ics: await read(client, message.uid, calendar), sender });
    if (reply) await noteCalendarReply(ownerId, reply);
  }
  if (deliveryStatus) {
    const messageId = await returnedId(client, message);
    const { bounces } = await signsIn(ownerId, { report: await read(client, message.uid, deliveryStatus) });
    const [bounce] = bounces;
    if (!messageId || !bounce) return;
    const returned = { ...bounce, messageId };
    const isOurs = (await noteBounce(ownerId, returned)) || (await noteMailingBounce(ownerId, returned));
    if (isOurs && bounce.isLasting) await suppress(ownerId, bounce.address, "bounced");
  }
}

async function read(client: ImapFlow, uid: number, { part, encoding }: Pick<AttachedPart, "part" | "encoding">) {
  const query = { uid: true, bodyParts: [{ key: part, start: 0, maxLength: PART_MAX_BYTES }] };
  const message = await client.fetchOne(String(uid), query, { uid: true });
  const bytes = message && message.bodyParts?.get(part);
  return bytes ? decodeText(bytes, { charset: "utf-8", encoding: encoding.toLowerCase() }) : "";
}

/** The Message-ID of the mail that came back, out of its copy or its headers in the report. */
async function returnedId(client: ImapFlow, { uid, bodyStructure }: FetchMessageObject): Promise<string> {
  const returned = bodyStructure?.childNodes?.find(({ type }) => RETURNED.includes(type.toLowerCase()));
  if (!returned?.part) return "";
  const known = idIn(returned.envelope?.messageId ?? "");
  return known || idIn(messageIdLine(await read(client, uid, partOf(returned))));
}

const RETURNED = ["message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"];

const partOf = ({ part, encoding }: MessageStructureObject) => ({ part: part ?? "1", encoding: encoding ?? "7bit" });
const messageIdLine = (headers: string): string => /^message-id:\s*(.*)$/im.exec(headers)?.[1] ?? "";
const idIn = (text: string): string => /<[^<>\s]{1,500}>/.exec(text)?.[0] ?? "";
