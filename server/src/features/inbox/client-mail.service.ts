// The mail between a mailbox and one client. The product's first promise holds here too: a mail stands on a client's
// page only where that client's own address wrote or got it, so that mail of one party never shows with the other.
import { foldEmail, samePerson } from "@app/shared/email-address";
import type { z } from "zod";
import type { ImapClient } from "../../core/imap-client.ts";
import type { Mail } from "../../core/imap-messages.ts";
import type { ClientMail, ClientMailPage, ClientMailPlace, listClientMailSchema } from "@app/shared/inbox";
import { PAGE_SIZE } from "@app/shared/product";
import { notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { saysIn } from "../mail/system-mail.service.ts";
import { mailboxOf, providerAccountOf } from "../mailboxes/mailbox-access.service.ts";
import { mayLetIn } from "./access-mail.service.ts";
import { WHO_AND_WHEN, withAnswered } from "./answered-mails.ts";
import { isGivenUp, noMailbox, withMailbox } from "./connections.ts";
import { inFolder, newest } from "./fetch.service.ts";
import { foldersOf } from "./folders.ts";
import { addressToShow, hiddenAmong, type Looker, lookerAt } from "./mail-readers.ts";
import { asOthersRead, ENVELOPE, type ReadMail, readMails, toMail, UNREADABLE } from "./mail-page.ts";
import type { OwnServer } from "./mail-authentication.ts";
import { type MailParts, partsOf } from "./mail-parts.ts";
import { repeatingHidden } from "./reported-mails.ts";
import { noteSeen } from "./seen-mails.service.ts";
import { isDoubted, ownServerOf } from "./mail-stamps.ts";
import { SEARCHED_MAX, showingWords } from "./searched-mails.ts";

interface ReadableMailbox {
  userId: string;
  email: string;
  /** Whose word counts on who wrote a mail. */
  server: OwnServer;
}

/** Whose mailbox this person reads: their own, else that of the practice. */
export async function readableMailbox(scope: Pick<Scope, "ownerId" | "userId">): Promise<ReadableMailbox | null> {
  for (const userId of new Set([scope.userId, scope.ownerId])) {
    const mailbox = await mailboxOf(userId);
    if (mailbox) return { userId, email: foldEmail(mailbox.email), server: ownServerOf(mailbox) };
  }
  return null;
}

const EMPTY: ClientMailPage = { state: "ready", problem: "", mailbox: "", items: [], hasOlder: false };

/** A page of it, the newest first. A mailbox that fails is told, so that what else there is can still be shown. */
export async function listClientMail(
  scope: Scope,
  { clientId, search, offset }: z.output<typeof listClientMailSchema>,
): Promise<ClientMailPage> {
  const address = await addressToShow(scope, clientId);
  const box = await readableMailbox(scope);
  if (!box) return withoutBox(scope);
  if (!address) return { ...EMPTY, state: "no_address", mailbox: box.email };
  const looker = await lookerAt(scope, clientId, box);
  try {
    const page = await withMailbox(box.userId, (client) =>
      readPage(client, { ...looker, ownerId: scope.ownerId, address, box, search, offset }),
    );
    return { ...EMPTY, ...page, mailbox: box.email };
  } catch (error) {
    if (!isGivenUp(error)) throw error;
    return { ...EMPTY, state: "failing", problem: error.message, mailbox: box.email };
  }
}

/** A mailbox that is reached through its provider's sign-in is not read: what comes to it stays there. */
async function withoutBox({ userId, ownerId }: Scope): Promise<ClientMailPage> {
  const account = (await providerAccountOf(userId)) ?? (await providerAccountOf(ownerId));
  return account ? { ...EMPTY, state: "sends_only", mailbox: account.email } : { ...EMPTY, state: "no_mailbox" };
}

interface Asked extends Looker {
  ownerId: string;
  address: string;
  box: ReadableMailbox;
  search: string;
  offset: number;
}

interface Hit {
  folder: string;
  uidValidity: string;
  uid: number;
  at: number;
}

async function readPage(client: ImapClient, asked: Asked): Promise<Pick<ClientMailPage, "items" | "hasOlder">> {
  const wanted = asked.offset + PAGE_SIZE + 1;
  const hits: Hit[] = [];
  for (const folder of await foldersOf(client)) hits.push(...(await findIn(client, folder, { ...asked, wanted })));
  hits.sort((a, b) => b.at - a.at || b.uid - a.uid);
  const page = hits.slice(asked.offset, asked.offset + PAGE_SIZE);
  const items: ClientMail[] = [];
  for (const folder of new Set(page.map((hit) => hit.folder))) {
    items.push(
      ...(await readHits(
        client,
        page.filter((hit) => hit.folder === folder),
        asked,
      )),
    );
  }
  items.sort((a, b) => b.date.localeCompare(a.date) || b.uid - a.uid);
  return { items, hasOlder: hits.length > asked.offset + PAGE_SIZE };
}

/** The newest mails of a folder that name this very address; a server's search finds it inside longer ones too. */
async function findIn(
  client: ImapClient,
  folder: string,
  { address, search, wanted, ...looker }: Asked & { wanted: number },
): Promise<Hit[]> {
  const { uids, uidValidity } = await inFolder(client, folder, async (exists) => {
    const query = { or: [{ from: address }, { to: address }, { cc: address }, { bcc: address }] };
    const found = exists === 0 ? [] : await client.search(search ? { ...query, text: search } : query);
    return { uids: newest(found).slice(0, search ? SEARCHED_MAX : Infinity), uidValidity: validityOf(client) };
  });
  const hits: Hit[] = [];
  for (let start = 0; start < uids.length && hits.length < wanted; start += wanted) {
    const range = uids.slice(start, start + wanted).join(",");
    const { found, letIn, repeating } = await inFolder(client, folder, async () => {
      const isSame = validityOf(client) === uidValidity;
      const mails = isSame ? await client.fetchAll(range, WHO_AND_WHEN, { uid: true, about: address }) : [];
      const ofClient = mails.filter(({ isOf }) => isOf);
      const uidsOf = ofClient.map(({ uid }) => uid);
      const repeating = await repeatingHidden(client, looker, uidsOf);
      return { found: ofClient, letIn: await mayLetIn(client, uidsOf), repeating };
    });
    const isHidden = await hiddenAmong(looker, await withAnswered(client, looker, found));
    const isShown = (message: Mail) => !letIn.has(message.uid) && !repeating.has(message.uid) && !isHidden(message);
    const visible = found.filter(isShown);
    const asked = { uids: visible.map(({ uid }) => uid), search };
    const isSaid = search && (await inFolder(client, folder, () => showingWords(looker.scope, client, asked)));
    for (const message of visible) {
      if (isSaid && !isSaid.has(message.uid)) continue;
      const { uid, internalDate } = message;
      hits.push({ folder, uidValidity, uid, at: new Date(internalDate ?? 0).getTime() });
    }
  }
  return hits;
}

const validityOf = (client: ImapClient): string => (client.mailbox ? String(client.mailbox.uidValidity) : "0");

const readHits = (client: ImapClient, hits: Hit[], { ownerId, box }: Asked): Promise<ClientMail[]> =>
  inFolder(client, hits[0]?.folder ?? "INBOX", async () => {
    const mails = await readMails(
      client,
      hits.map(({ uid }) => uid),
    );
    const [{ folder, uidValidity } = { folder: "", uidValidity: "0" }] = hits;
    await noteSeen(
      ownerId,
      mails.map(({ written }) => written),
    );
    return mails.filter(({ mail }) => !saysIn(mail)).map((read) => ofClient(read, { folder, uidValidity }, box));
  });

const ofClient = (
  { mail, written }: ReadMail,
  place: Pick<ClientMail, "folder" | "uidValidity">,
  { email, server }: ReadableMailbox,
): ClientMail => {
  const isFromUs = samePerson(mail.from.address, email);
  return { ...mail, ...place, isFromUs, isSenderDoubted: isDoubted(written, server, { isFromUs }) };
};

export interface FoundMail {
  mail: ClientMail;
  parts: MailParts;
}

/**
 * Works on one mail of a client in the open mailbox. Throws NOT_FOUND where it is not there any more, and where it is
 * not this client's: the place of a mail opens nothing by itself.
 */
export async function withClientMail<Result>(
  scope: Scope,
  place: ClientMailPlace,
  work: (client: ImapClient, found: FoundMail) => Promise<Result>,
): Promise<Result> {
  const address = await addressToShow(scope, place.clientId);
  const box = await readableMailbox(scope);
  if (!box) throw noMailbox();
  if (!address) throw notFound("Mail");
  const looker = await lookerAt(scope, place.clientId, box);
  return withMailbox(box.userId, async (client) => {
    if (!(await foldersOf(client)).includes(place.folder)) throw notFound("Mail");
    const message = await inFolder(client, place.folder, async () => {
      const isSame = validityOf(client) === place.uidValidity;
      const [found] = isSame ? await client.fetchAll(String(place.uid), ENVELOPE, { uid: true, about: address }) : [];
      return found && (await repeatingHidden(client, looker, [place.uid])).size === 0 ? found : undefined;
    });
    if (!message?.isOf) throw notFound("Mail");
    const thread = await withAnswered(client, looker, [message]);
    if ((await hiddenAmong(looker, thread))(message)) throw notFound("Mail");
    return inFolder(client, place.folder, async () => {
      if (validityOf(client) !== place.uidValidity) throw notFound("Mail");
      if (!message.bodyStructure) throw wrongState(UNREADABLE);
      const parts = partsOf(message.bodyStructure);
      const { folder, uidValidity } = place;
      const read = { mail: await asOthersRead(toMail(message, parts, "")), written: message };
      if (saysIn(read.mail)) throw notFound("Mail");
      return work(client, { parts, mail: ofClient(read, { folder, uidValidity }, box) });
    });
  });
}

/** The same where a mail is opened: one that the list leaves out, because it may let somebody in, is missing here too. */
export const withMailToOpen = <Result>(
  scope: Scope,
  place: ClientMailPlace,
  work: (client: ImapClient, found: FoundMail) => Promise<Result>,
): Promise<Result> =>
  withClientMail(scope, place, async (client, found) => {
    if ((await mayLetIn(client, [place.uid])).size > 0) throw notFound("Mail");
    return work(client, found);
  });
