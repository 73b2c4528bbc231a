// Mails whose structure nobody could read, such as one of a thousand levels, come without it: they are there all the same.
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";

interface Range {
  /** Uids or places in the folder, as IMAP writes them. */
  range: string;
  isUid: boolean;
  /** How many mails should come. */
  count: number;
}

/** These mails of the open folder; the parser of answers leaves out those whose structure is too much for it. */
export async function fetchMails(
  client: ImapFlow,
  { range, isUid, count }: Range,
  query: FetchQueryObject,
): Promise<FetchMessageObject[]> {
  const options = { uid: isUid };
  const mails = await client.fetchAll(range, query, options);
  if (mails.length >= count) return mails;
  const known = new Set(mails.map(({ uid }) => uid));
  const all = await client.fetchAll(range, { ...query, bodyStructure: false }, options);
  return [...mails, ...all.filter(({ uid }) => !known.has(uid))];
}
