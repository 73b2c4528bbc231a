// A server finds a word in all of a mail, also in what is left out of it for others: whoever tries pieces of a secret would
// learn it from what is found. So for others a mail is found only by what they are shown of it.
import { TRPCError } from "@trpc/server";
import type { ImapClient } from "../../core/imap-client.ts";
import type { Mail } from "../../core/imap-messages.ts";
import type { Scope } from "../../core/trpc.ts";
import { asOthersRead, ENVELOPE, toMail } from "./mail-page.ts";
import { partsOf } from "./mail-parts.ts";
import { readText, shownIn } from "./shown-text.ts";

/** What a search finds is read to its end for so many mails of a folder, the newest. */
export const SEARCHED_MAX = 200;

/** Those of these mails of the open folder in whose shown words this is. */
export async function showingWords(
  scope: Scope,
  client: ImapClient,
  { uids, search }: { uids: readonly number[]; search: string },
): Promise<Set<number>> {
  const showing = new Set<number>();
  if (uids.length === 0) return showing;
  const words = folded(search);
  for (const message of await client.fetchAll(uids.join(","), ENVELOPE, { uid: true }))
    if (await isShownIn(scope, client, message, words)) showing.add(message.uid);
  return showing;
}

async function isShownIn(scope: Scope, client: ImapClient, message: Mail, words: string): Promise<boolean> {
  const parts = partsOf(message.bodyStructure);
  const { subject, from, to, cc, attachments } = await asOthersRead(toMail(message, parts, ""));
  const people = [from, ...to, ...cc].flatMap(({ name, address }) => [name, address]);
  const isIn = (text: string) => folded(text).includes(words);
  if ([subject, ...people, ...attachments.map(({ name }) => name)].some(isIn)) return true;
  const plain = await readText(client, message.uid, parts.plain);
  if (plain && isIn(await textOf(scope, { plain, html: null }))) return true;
  const html = await readText(client, message.uid, parts.html);
  return html !== null && isIn(await textOf(scope, { plain: null, html }));
}

type Texts = Pick<Parameters<typeof shownIn>[1], "plain" | "html">;

/** What cannot be read is found by nothing. */
async function textOf(scope: Scope, texts: Texts): Promise<string> {
  try {
    const { text, letsSomebodyIn } = await shownIn(scope, { ...texts, showsRemote: false, inline: {} });
    return letsSomebodyIn ? "" : text;
  } catch (error) {
    if (error instanceof TRPCError && error.code === "UNPROCESSABLE_CONTENT") return "";
    throw error;
  }
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
