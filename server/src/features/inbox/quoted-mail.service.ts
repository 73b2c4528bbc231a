// The mails that one answers, wherever they are kept: what goes to one client quotes none of another side's.
import type { ImapClient } from "../../core/imap-client.ts";
import type { Mail } from "../../core/imap-messages.ts";
import type { Scope } from "../../core/trpc.ts";
import type { Answered } from "../mail/outgoing-gate.service.ts";
import { findWritten } from "../outbox/outbox-written.service.ts";
import { readableMailbox } from "./client-mail.service.ts";
import { isGivenUp, withMailbox } from "./connections.ts";
import { inFolder } from "./fetch.service.ts";
import { foldersOf } from "./folders.ts";

/** So many in one search that the command stays short. */
const SEARCHED_AT_ONCE = 10;
const ALL_ADDRESSES = { uid: true, addressesMax: 1000 };

export interface Quoted {
  answers: Answered[];
  /** False where a mailbox in which some may lie does not answer. */
  isComplete: boolean;
}

interface Answering {
  inReplyTo: string;
  references: readonly string[];
  /** By whose mailbox it leaves, where that is not the writer's own: what it answers may lie there too. */
  carrierId?: string;
}

/** Every mail that this one names as answered, as far as it is kept here or in a mailbox. */
export async function quotedBy(
  { ownerId, userId }: Pick<Scope, "ownerId" | "userId">,
  { inReplyTo, references, carrierId = userId }: Answering,
): Promise<Quoted> {
  const ids = [...new Set([inReplyTo, ...references].filter(Boolean))];
  const written = await findWritten(ownerId, ids);
  const known = new Set(written.map(({ messageId }) => messageId));
  const others = ids.filter((id) => !known.has(id));
  const answers = written.map(({ messageId: _known, ...answered }): Answered => answered);
  const searched = new Set<string>();
  for (const reader of others.length > 0 ? [userId, carrierId] : []) {
    const box = await readableMailbox({ ownerId, userId: reader });
    if (!box || searched.has(box.userId)) continue;
    searched.add(box.userId);
    const found = await addressesInMails(box.userId, others);
    if (!found) return { answers, isComplete: false };
    answers.push(...found.map((addresses) => ({ clientId: null, partyId: null, addresses })));
  }
  return { answers, isComplete: true };
}

/** For each of these mails that lies in this person's mailbox every address in it; null where it does not answer. */
async function addressesInMails(userId: string, messageIds: string[]): Promise<string[][] | null> {
  try {
    return await withMailbox(userId, (client) => findAll(client, messageIds));
  } catch (error) {
    if (isGivenUp(error)) return null;
    throw error;
  }
}

async function findAll(client: ImapClient, messageIds: string[]): Promise<string[][]> {
  const found: string[][] = [];
  for (const folder of await foldersOf(client))
    found.push(
      ...(await inFolder(client, folder, async (exists) => (exists === 0 ? [] : findHere(client, messageIds)))),
    );
  return found;
}

async function findHere(client: ImapClient, messageIds: string[]): Promise<string[][]> {
  const found: string[][] = [];
  for (let start = 0; start < messageIds.length; start += SEARCHED_AT_ONCE) {
    const either = messageIds.slice(start, start + SEARCHED_AT_ONCE).map((id) => ({ header: { "message-id": id } }));
    const uids = await client.search(either.length > 1 ? { or: either } : (either[0] ?? {}));
    if (uids.length === 0) continue;
    const mails = await client.fetchAll(uids.join(","), { envelope: true }, ALL_ADDRESSES);
    found.push(...mails.map(addressesOf));
  }
  return found;
}

function addressesOf({ envelope }: Mail): string[] {
  const { from = [], sender = [], replyTo = [], to = [], cc = [], bcc = [] } = envelope ?? {};
  return [...from, ...sender, ...replyTo, ...to, ...cc, ...bcc].map(({ address }) => address);
}
