// What the mails of a client answer, wherever in the mailbox it lies: an answer stands in another folder than its question.
import type { ImapClient } from "../../core/imap-client.ts";
import type { Mail } from "../../core/imap-messages.ts";
import { threadOf } from "./access-mail.service.ts";
import { inFolder, newest } from "./fetch.service.ts";
import { foldersOf } from "./folders.ts";
import type { Looker } from "./mail-readers.ts";

export const WHO_AND_WHEN = { uid: true, internalDate: true, envelope: true, headers: ["references"] };

/** Looked for by one search, and in all for one page. */
const AT_ONCE = 50;
const IN_ALL = 400;

/**
 * With the mails that these answer, and those that these answer in turn, where some threads are hidden from whoever
 * looks: they may tell of which one each is. Ask while no folder is open.
 */
export async function withAnswered(
  client: ImapClient,
  { scope }: Pick<Looker, "scope">,
  messages: readonly Mail[],
): Promise<Mail[]> {
  const all = [...messages];
  if (!scope.isAssignedOnly) return all;
  const known = new Set(all.flatMap((message) => threadOf(message).slice(0, 1)));
  let left = IN_ALL;
  while (left > 0) {
    const ids = [...new Set(all.flatMap(threadOf))].filter((id) => !known.has(id)).slice(-Math.min(AT_ONCE, left));
    if (ids.length === 0) return all;
    left -= ids.length;
    for (const id of ids) known.add(id);
    for (const folder of await foldersOf(client)) all.push(...(await named(client, folder, ids)));
  }
  return all;
}

const named = (client: ImapClient, folder: string, ids: readonly string[]): Promise<Mail[]> =>
  inFolder(client, folder, async (exists) => {
    const or = ids.map((id) => ({ header: { "message-id": id } }));
    const [only, ...more] = or;
    if (!only || exists === 0) return [];
    const uids = await client.search(more.length > 0 ? { or } : only);
    return uids.length > 0 ? client.fetchAll(newest(uids).join(","), WHO_AND_WHEN, { uid: true }) : [];
  });
