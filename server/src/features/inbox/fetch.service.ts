// The specification's IMAP fetch: a page of one folder of a person's mailbox, the newest first.
import { TRPCError } from "@trpc/server";
import type { SearchObject } from "imapflow";
import type { ImapClient } from "../../core/imap-client.ts";
import { type FetchedMail, fetchedMailsSchema } from "@app/shared/inbox";
import type { ImapFetch } from "@app/shared/mail-payload";
import type { Scope } from "../../core/trpc.ts";
import { callGateway, hasGateway } from "../mail/functions-client.service.ts";
import { SendError } from "../mail/senders/sender.service.ts";
import { isFromProduct, saysIn } from "../mail/system-mail.service.ts";
import { holdersAlone, mayLetIn, type Reader } from "./access-mail.service.ts";
import { type Work, withMailbox } from "./connections.ts";
import type { Written } from "./mail-stamps.ts";
import { SEARCHED_MAX, showingWords } from "./searched-mails.ts";
import { asOthersRead, type ReadMail, readMails, readRange } from "./mail-page.ts";

/** In this process or, where MAIL_FUNCTIONS_URL is set, by that gateway. Throws in words for a person. */
export async function fetchEmails(input: ImapFetch, beforeShown: BeforeShown): Promise<FetchedMail[]> {
  if (!hasGateway()) return fetchHere(input, beforeShown);
  const emails = await Promise.all((await fetchElsewhere(input)).map(asOthersRead));
  await beforeShown(
    emails.map((mail) => ({ envelope: { ...NOBODY_ELSE, ...mail, from: [mail.from], date: new Date(mail.date) } })),
  );
  return emails;
}

const NOBODY_ELSE = { sender: [], replyTo: [], bcc: [] };

async function fetchElsewhere(input: ImapFetch): Promise<FetchedMail[]> {
  try {
    return fetchedMailsSchema.parse(await callGateway("imap-fetch", input)).emails;
  } catch (error) {
    const message = error instanceof SendError ? error.message : "The mail gateway gave an answer that cannot be read.";
    throw new TRPCError({ code: "BAD_GATEWAY", message, cause: error });
  }
}

/** The same, never by a gateway: what the gateway itself does. */
export async function fetchHere(
  { userId, folder, ...asked }: ImapFetch,
  beforeShown: BeforeShown,
): Promise<FetchedMail[]> {
  const work: Work<ReadMail[]> = (client) => inNamedFolder(client, folder, (exists) => pageOf(client, exists, asked));
  return shownOf(await withMailbox(userId, work), beforeShown);
}

/** What is done with mails before somebody is shown them. */
type BeforeShown = (mails: Pick<Written, "envelope">[]) => Promise<void>;

async function shownOf(mails: ReadMail[], beforeShown: BeforeShown): Promise<FetchedMail[]> {
  await beforeShown(mails.map(({ written }) => written));
  return mails.map(({ mail }) => mail);
}

/**
 * The same of a mailbox that is somebody else's: mail that lets them in is left out before it is paged, and a search
 * finds among the rest alone.
 */
export async function fetchOfOther(
  scope: Scope,
  email: string,
  { userId, folder, ...asked }: ImapFetch,
  beforeShown: BeforeShown,
): Promise<FetchedMail[]> {
  const reader = { scope, box: { userId, email } };
  const work: Work<ReadMail[]> = (client) =>
    inNamedFolder(client, folder, async (exists) => {
      const found = exists > 0 ? await client.search(queryOf(asked) ?? { all: true }) : [];
      return pageOfShown(client, newest(found), { ...asked, reader, search: asked.searchQuery?.trim() ?? "" });
    });
  return shownOf(await withMailbox(userId, work), beforeShown);
}

const READ_AT_ONCE = 200;

async function pageOfShown(
  client: ImapClient,
  uids: number[],
  { reader, limit, offset, search }: Asked & { reader: Reader; search: string },
): Promise<ReadMail[]> {
  const shown: ReadMail[] = [];
  const most = search ? Math.min(uids.length, SEARCHED_MAX) : uids.length;
  for (let start = 0; start < most && shown.length < offset + limit; start += READ_AT_ONCE) {
    const some = uids.slice(start, start + READ_AT_ONCE);
    const letIn = await mayLetIn(client, some);
    const mails = await readMails(
      client,
      some.filter((uid) => !letIn.has(uid)),
    );
    const isHoldersAlone = await holdersAlone(
      reader,
      mails.map(({ written }) => written),
    );
    const isShown = ({ mail, written }: ReadMail) =>
      !isHoldersAlone(written) && !isFromProduct(mail.from.address) && !saysIn(mail);
    const visible = mails.filter(isShown);
    const asking = { uids: visible.map(({ mail }) => mail.uid), search };
    const isSaid = search && (await showingWords(reader.scope, client, asking));
    shown.push(...visible.filter(({ mail }) => !isSaid || isSaid.has(mail.uid)));
  }
  return shown.slice(offset, offset + limit);
}

/** Works in a folder that is open for reading only. */
export async function inFolder<Result>(
  client: ImapClient,
  folder: string,
  work: (exists: number) => Promise<Result>,
): Promise<Result> {
  const wasOpen = client.mailbox && client.mailbox.path === folder;
  const lock = await client.getMailboxLock(folder, { readOnly: true }).catch((error: unknown) => {
    if (client.usable && !isForNow(error)) throw unknownFolder(folder, error);
    throw error;
  });
  try {
    // A folder that stayed open learns of new mail only when the server is spoken to.
    if (wasOpen) await client.noop();
    return await work(client.mailbox ? client.mailbox.exists : 0);
  } finally {
    lock.release();
  }
}

/** In one that the mailbox names itself: what it opens besides, nobody else would look for there (quoted-mail.service.ts). */
const inNamedFolder: typeof inFolder = (client, folder, work) =>
  inFolder(client, folder, async (exists) => {
    const path = client.mailbox?.path ?? "";
    const isNamed = path === "INBOX" || (await client.list()).some((one) => one.path === path);
    if (!isNamed) throw unknownFolder(folder, null);
    return work(exists);
  });

const FOR_NOW = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG"]);

/** Whether a folder may well be there, and could only not be opened (RFC 5530). */
const isForNow = (error: unknown): boolean =>
  error instanceof Error && "serverResponseCode" in error && FOR_NOW.has(String(error.serverResponseCode));

/** Whether there is no such folder in a mailbox, or none that can be opened. */
export const isUnknownFolder = (error: unknown): boolean => error instanceof TRPCError && error.code === "NOT_FOUND";

const unknownFolder = (folder: string, cause: unknown) =>
  new TRPCError({ code: "NOT_FOUND", message: `There is no folder "${folder}" in this mailbox.`, cause });

type Asked = Pick<ImapFetch, "limit" | "offset" | "searchQuery">;

async function pageOf(client: ImapClient, exists: number, { limit, offset, searchQuery }: Asked): Promise<ReadMail[]> {
  const last = exists - offset;
  if (last < 1) return [];
  const query = queryOf({ searchQuery });
  if (!query) return readRange(client, Math.max(1, last - limit + 1), last);
  const found = await client.search(query);
  return readMails(client, newest(found).slice(offset, offset + limit));
}

function queryOf({ searchQuery }: Pick<Asked, "searchQuery">): SearchObject | null {
  const query = searchQuery?.trim();
  return query ? { or: [{ subject: query }, { from: query }, { to: query }, { body: query }] } : null;
}

/** The order of uids is the order of arrival. */
export const newest = (uids: number[]): number[] => uids.toSorted((a, b) => b - a);
