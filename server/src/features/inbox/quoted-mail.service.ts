// Who wrote and who got the mails that somebody answers, where we did not write them ourselves: looked up in the mailbox.
import type { ImapClient } from "../../core/imap-client.ts";
import type { Mail } from "../../core/imap-messages.ts";
import type { Scope } from "../../core/trpc.ts";
import { readableMailbox } from "./client-mail.service.ts";
import { isGivenUp, withMailbox } from "./connections.ts";
import { inFolder } from "./fetch.service.ts";
import { foldersOf } from "./folders.ts";

/** So many in one search that the command stays short. */
const SEARCHED_AT_ONCE = 10;
const ALL_ADDRESSES = { uid: true, addressesMax: 1000 };

/**
 * For each of these mails that lies in the mailbox every address in it; none lies where no mailbox is. Null where the
 * mailbox does not answer, and so nobody can tell.
 */
export async function addressesInMails(
  scope: Pick<Scope, "ownerId" | "userId">,
  messageIds: string[],
): Promise<string[][] | null> {
  const box = messageIds.length > 0 ? await readableMailbox(scope) : null;
  if (!box) return [];
  try {
    return await withMailbox(box.userId, (client) => findAll(client, messageIds));
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
