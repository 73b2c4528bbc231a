// The mails that one answers, wherever whoever writes can read them: what goes to one client quotes none of another side's.
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import type { ImapClient } from "../../core/imap-client.ts";
import type { Mail } from "../../core/imap-messages.ts";
import type { Scope } from "../../core/trpc.ts";
import type { Answered } from "../mail/outgoing-gate.service.ts";
import { mailboxOf } from "../mailboxes/mailbox-access.service.ts";
import { findWritten } from "../outbox/outbox-written.service.ts";
import { mailboxesToRead } from "../users/email-connection.service.ts";
import { readableMailbox } from "./client-mail.service.ts";
import { isGivenUp, withMailbox } from "./connections.ts";
import { inFolder, isUnknownFolder } from "./fetch.service.ts";
import { everyFolderOf } from "./folders.ts";
import { addressesOf, addressesSeen } from "./seen-mails.service.ts";

/** So many in one search that the command stays short. */
const SEARCHED_AT_ONCE = 10;
const MUST_LOOK = { mustLook: true };
const ALL_ADDRESSES = { uid: true, addressesMax: 1000 };
/** So long another folder is begun with. */
const SEARCH_MS = 10 * SECOND_MS;
const KEPT_MAX = 500;

export interface Quoted {
  answers: Answered[];
  /** False where a mailbox in which some may lie does not answer, or not in time. */
  isComplete: boolean;
}

interface Answering {
  inReplyTo: string;
  references: readonly string[];
  /** By whose mailbox it leaves, where that is not the writer's own: what it answers may lie there too. */
  carrierId?: string;
}

type Writer = Pick<Scope, "ownerId" | "userId">;

/** Every mail that this one names as answered, as far as it is kept here or in a mailbox, or was shown here before. */
export async function quotedBy(writer: Writer, { inReplyTo, references, carrierId }: Answering): Promise<Quoted> {
  const ids = [...new Set([inReplyTo, ...references].filter(Boolean))];
  const written = await findWritten(writer.ownerId, ids);
  const known = new Set(written.map(({ messageId }) => messageId));
  const answers = written.map(({ messageId: _known, ...answered }): Answered => answered);
  const others = ids.filter((id) => !known.has(id));
  if (others.length === 0) return { answers, isComplete: true };
  const search: Search = { ids: others, missing: new Set(others), found: [], until: performance.now() + SEARCH_MS };
  const isComplete = await searchMailboxes(search, writer, carrierId);
  const gone = await addressesSeen(writer.ownerId, [...search.missing]);
  const lying = [...search.found, ...gone].map((addresses) => ({ clientId: null, partyId: null, addresses }));
  return { answers: [...answers, ...lying], isComplete };
}

const recent = new Map<string, { at: number; quoted: Quoted }>();

/** The same as a moment ago, for whoever writes: that is asked after each pause, and sending asks anew. */
export async function recentlyQuotedBy(writer: Writer, { inReplyTo, references }: Answering): Promise<Quoted> {
  const key = JSON.stringify([writer.ownerId, writer.userId, inReplyTo, references]);
  const known = recent.get(key);
  if (known && performance.now() - known.at < MINUTE_MS) return known.quoted;
  const quoted = await quotedBy(writer, { inReplyTo, references });
  recent.delete(key);
  const [oldest] = recent.keys();
  if (recent.size >= KEPT_MAX && oldest !== undefined) recent.delete(oldest);
  if (quoted.isComplete) recent.set(key, { at: performance.now(), quoted });
  return quoted;
}

interface Search {
  ids: readonly string[];
  /** Those that were found nowhere yet. */
  missing: Set<string>;
  /** Every address in each mail that was found. */
  found: string[][];
  until: number;
}

/**
 * Whoever writes reads their own mailbox, the owner's through a client's page, and those that colleagues share. False
 * where one of them was not searched to its end.
 */
async function searchMailboxes(search: Search, { ownerId, userId }: Writer, carrierId = userId): Promise<boolean> {
  const own = new Set<string>();
  for (const reader of [userId, carrierId]) {
    const box = await readableMailbox({ ownerId, userId: reader });
    if (box) own.add(box.userId);
  }
  for (const holderId of new Set([...own, ...(await mailboxesToRead(ownerId))])) {
    if (search.missing.size === 0 && !own.has(holderId)) break;
    if ((await mailboxOf(holderId)) && !(await searchMailbox(holderId, search))) return false;
  }
  return true;
}

/** Folder by folder, so that whoever else uses the mailbox meanwhile need not wait for all of them. */
async function searchMailbox(holderId: string, search: Search): Promise<boolean> {
  try {
    const others = await withMailbox(holderId, async (client) => {
      const folders = await everyFolderOf(client);
      // All of them for each: a copy that was sent names more people than the one that came.
      for (const folder of folders.likely) await findIn(client, folder, search, search.ids);
      return folders.others;
    });
    for (const folder of others) {
      if (search.missing.size === 0) return true;
      if (performance.now() > search.until) return false;
      await withMailbox(holderId, (client) => findIn(client, folder, search, [...search.missing]));
    }
    return true;
  } catch (error) {
    if (isGivenUp(error)) return false;
    throw error;
  }
}

async function findIn(client: ImapClient, folder: string, search: Search, ids: readonly string[]): Promise<void> {
  const mails = await inFolder(client, folder, async (exists) => (exists === 0 ? [] : findHere(client, ids))).catch(
    (error: unknown) => {
      // What cannot be opened is read by nobody.
      if (isUnknownFolder(error)) return [];
      throw error;
    },
  );
  for (const { envelope } of mails) {
    // A server tells no large letters from small ones (RFC 3501, section 6.4.4).
    const messageId = envelope?.messageId.toLowerCase() ?? "";
    for (const id of ids) if (messageId.includes(id.toLowerCase())) search.missing.delete(id);
  }
  search.found.push(...mails.map(addressesOf));
}

async function findHere(client: ImapClient, messageIds: readonly string[]): Promise<Mail[]> {
  const found: Mail[] = [];
  for (let start = 0; start < messageIds.length; start += SEARCHED_AT_ONCE) {
    const either = messageIds.slice(start, start + SEARCHED_AT_ONCE).map((id) => ({ header: { "message-id": id } }));
    const uids = await client.search(either.length > 1 ? { or: either } : (either[0] ?? {}), MUST_LOOK);
    if (uids.length > 0) found.push(...(await client.fetchAll(uids.join(","), { envelope: true }, ALL_ADDRESSES)));
  }
  return found;
}
