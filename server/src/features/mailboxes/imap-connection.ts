// One connection in the thread that speaks with mail servers, and what is fetched on it.
import { type FetchMessageObject, type FetchQueryObject, ImapFlow, type ImapFlowOptions } from "imapflow";
import { boundedMail, ENVELOPE_FIELDS } from "./imap-bounds.ts";
import type { FetchOptions, MailQuery, PostedMail } from "./imap-messages.ts";

// Each of them costs a new sign-in.
const REOPENED_MAX = 3;
const TOO_LARGE = new Set(["LineTooLarge", "LiteralTooLarge", "ResponseTooLarge"]);

interface Events {
  onExists: () => void;
  onClose: () => void;
}

export interface Connection {
  flow: ImapFlow;
  options: ImapFlowOptions;
  events: Events;
  /** What the server is asked for now may be larger than anything that is read; it is asked again without. */
  isAtRisk: boolean;
  isOverfull: boolean;
}

export function newConnection(options: ImapFlowOptions, events: Events): Connection {
  const flow = new ImapFlow(options);
  const connection = { flow, options, events, isAtRisk: false, isOverfull: false };
  listen(connection, flow);
  return connection;
}

function listen(connection: Connection, flow: ImapFlow): void {
  // Without a listener a connection that drops would end the thread; whoever uses it is told by its own call.
  flow.on("error", (error) => {
    connection.isOverfull = connection.isAtRisk && "code" in error && TOO_LARGE.has(String(error.code));
  });
  flow.on("exists", () => connection.events.onExists());
  flow.once("close", () => connection.isOverfull || connection.events.onClose());
}

interface Wanted {
  range: string;
  query: MailQuery;
  options: FetchOptions;
}

/**
 * These mails of the open folder, bounded. Those whose structure nobody can read, such as one of a thousand levels or of
 * a hundred thousand parts, come without it.
 */
export async function fetchBounded(connection: Connection, { range, query, options }: Wanted): Promise<PostedMail[]> {
  const { envelope = false, headers = [], bodyStructure = false, ...rest } = query;
  const fields = [...new Set([...headers, ...(envelope ? ENVELOPE_FIELDS : [])])];
  const plain = { ...rest, ...(fields.length > 0 ? { headers: fields } : {}) };
  const fetchPlain = () => connection.flow.fetchAll(range, plain, { uid: options.uid });
  const mails = bodyStructure
    ? await withStructures(connection, { range, query: plain, options }, fetchPlain)
    : await fetchPlain();
  return mails.map((mail) => boundedMail(mail, envelope, options));
}

async function withStructures(
  connection: Connection,
  { range, query, options: { uid } }: Wanted,
  fetchPlain: () => Promise<FetchMessageObject[]>,
): Promise<FetchMessageObject[]> {
  const together = await atRisk(connection, range, { ...query, bodyStructure: true }, uid);
  if (together && together.length >= countOf(range)) return together;
  const known = new Map((together ?? []).map((mail) => [mail.uid, mail]));
  const mails = (await fetchPlain()).map((mail) => known.get(mail.uid) ?? mail);
  // The parser left out what was too deep for it; where an answer was too large it has to be found out which.
  if (together) return mails;
  let reopened = 1;
  for (const mail of mails) {
    if (reopened >= REOPENED_MAX) break;
    const apart = await atRisk(connection, String(mail.uid), { uid: true, bodyStructure: true }, true);
    if (!apart) reopened += 1;
    mail.bodyStructure = apart?.[0]?.bodyStructure;
  }
  return mails;
}

/** How many mails a range names. */
const countOf = (range: string): number =>
  range
    .split(",")
    .map((part) => part.split(":").map(Number))
    .reduce((sum, [first = 0, last = first]) => sum + last - first + 1, 0);

/** Null where the answer was too large, and the connection had to be made anew. */
async function atRisk(
  connection: Connection,
  range: string,
  query: FetchQueryObject,
  uid: boolean,
): Promise<FetchMessageObject[] | null> {
  const folder = connection.flow.mailbox;
  connection.isAtRisk = true;
  try {
    return await connection.flow.fetchAll(range, query, { uid });
  } catch (error) {
    if (!connection.isOverfull || !folder) throw error;
    await reopen(connection, folder.path);
    return null;
  } finally {
    connection.isAtRisk = false;
  }
}

async function reopen(connection: Connection, folder: string): Promise<void> {
  const flow = new ImapFlow(connection.options);
  connection.flow = flow;
  connection.isAtRisk = false;
  connection.isOverfull = false;
  listen(connection, flow);
  try {
    await flow.connect();
    await flow.mailboxOpen(folder, { readOnly: true });
  } catch (error) {
    flow.close();
    connection.events.onClose();
    throw error;
  }
}
