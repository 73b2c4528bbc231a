// Where a person's mail lies: what came in, what was sent, and what was put away.
import type { ImapClient } from "../../core/imap-client.ts";

const known = new WeakMap<ImapClient, string[]>();

/** The folders to look through. Where one holds all mail, the others would only show it twice. */
export async function foldersOf(client: ImapClient): Promise<string[]> {
  const before = known.get(client);
  if (before) return before;
  const list = await client.list();
  const named = (use: string) => list.filter(({ specialUse }) => specialUse === use).map(({ path }) => path);
  const all = named("\\All");
  const folders = all.length > 0 ? all : [...new Set(["INBOX", ...named("\\Sent"), ...named("\\Archive")])];
  known.set(client, folders);
  return folders;
}
