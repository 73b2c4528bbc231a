// Where a person's mail lies: what came in, what was sent, and what was put away.
import type { ImapClient } from "../../core/imap-client.ts";

type Folder = Awaited<ReturnType<ImapClient["list"]>>[number];

const known = new WeakMap<ImapClient, string[]>();

/** The folders to look through. Where one holds all mail, the others would only show it twice. */
export async function foldersOf(client: ImapClient): Promise<string[]> {
  const before = known.get(client);
  if (before) return before;
  const folders = likelyIn(await client.list());
  known.set(client, folders);
  return folders;
}

const named = (list: Folder[], use: string): string[] =>
  list.filter(({ specialUse }) => specialUse === use).map(({ path }) => path);

function likelyIn(list: Folder[]): string[] {
  const all = named(list, "\\All");
  return all.length > 0 ? all : [...new Set(["INBOX", ...named(list, "\\Sent"), ...named(list, "\\Archive")])];
}

/** Every folder whose mail can be read: those where most of it lies, and the others. */
export async function everyFolderOf(client: ImapClient): Promise<{ likely: string[]; others: string[] }> {
  const list = await client.list();
  const likely = likelyIn(list);
  const others = holdsAllElsewhere(list)
    ? [...named(list, "\\Trash"), ...named(list, "\\Junk")]
    : list.map(({ path }) => path).filter((path) => !likely.includes(path));
  return { likely, others };
}

/**
 * Gmail's folder of all mail holds what any label shows, and only spam and trash are apart. What others keep out of
 * theirs is theirs to choose (RFC 6154, section 2).
 */
const holdsAllElsewhere = (list: Folder[]): boolean =>
  named(list, "\\All").some((path) => /^\[(Gmail|Google Mail)\]\//.test(path));
