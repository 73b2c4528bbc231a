// Where a person's mail lies: what came in, what was sent, and what was put away.
import type { ImapFlow } from "imapflow";

const known = new WeakMap<ImapFlow, string[]>();

/** The folders to look through. Where one holds all mail, the others would only show it twice. */
export async function foldersOf(client: ImapFlow): Promise<string[]> {
  const before = known.get(client);
  if (before) return before;
  const list = await client.list();
  const named = (use: string) => list.filter(({ specialUse }) => specialUse === use).map(({ path }) => path);
  const all = named("\\All");
  const folders = all.length > 0 ? all : [...new Set(["INBOX", ...named("\\Sent"), ...named("\\Archive")])];
  known.set(client, folders);
  return folders;
}
