// Mail that signs people in, in a mailbox that others look into: it is left out before anything is counted or paged, so
// that neither a list nor a search tells of it.
import type { SearchObject } from "imapflow";
import type { ImapClient } from "../../core/imap-client.ts";

/** What a mail that lets somebody in has in it, as its server finds it: its link's path, and what follows. */
const MARKS: SearchObject[] = [
  { body: "resetpassword" },
  { body: "token", text: "register?" },
  { body: "token", text: "register&" },
  { body: "token", text: "register%" },
  { body: "token", text: "setup?" },
  { body: "token", text: "setup&" },
  { body: "token", text: "setup%" },
];

/** Those of these that may let somebody in, by all that a search could look at: attachments and mails within too. */
export async function mayLetIn(client: ImapClient, uids: readonly number[]): Promise<Set<number>> {
  if (uids.length === 0) return new Set();
  const found = await client.search({ uid: uids.join(","), or: MARKS });
  return new Set(found);
}
