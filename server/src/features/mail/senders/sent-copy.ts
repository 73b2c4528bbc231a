// A copy of what was sent, where the person's own mail program looks for it.
import { setTimeout as sleep } from "node:timers/promises";
import { againIfCutOff, type ImapClient } from "../../../core/imap-client.ts";
import { type Mailbox, openImap } from "../../mailboxes/mailbox-access.service.ts";

// How long Gmail and Microsoft 365 need to put what was submitted into Sent.
const OWN_COPY_MS = 1500;
const LIMIT_MS = 30_000;

/** Puts the very bytes that were submitted into Sent, once; throws where that fails. */
export async function keepInSent(mailbox: Mailbox, messageId: string, bytes: Buffer): Promise<void> {
  if (mailbox.savesSent) await sleep(OWN_COPY_MS);
  await withImap(mailbox, async (client) => {
    const folder = (await sentFolderOf(client)) ?? (await client.mailboxCreate("Sent"));
    if (await holds(client, folder, messageId)) return;
    if (!(await client.append(folder, bytes, ["\\Seen"]))) throw new Error("the folder takes nothing");
  });
}

/** Whether a mail with this Message-ID stands in Sent: whoever died while sending it had sent it. */
export const isInSent = (mailbox: Mailbox, messageId: string): Promise<boolean> =>
  withImap(mailbox, async (client) => {
    const folder = await sentFolderOf(client);
    return folder !== undefined && (await holds(client, folder, messageId, { mustLook: true }));
  });

type Work<Result> = (client: ImapClient) => Promise<Result>;

const withImap = <Result>(mailbox: Mailbox, work: Work<Result>): Promise<Result> =>
  againIfCutOff(() => withImapOnce(mailbox, work));

async function withImapOnce<Result>(mailbox: Mailbox, work: Work<Result>): Promise<Result> {
  const client = await openImap(mailbox);
  const timer = setTimeout(() => client.close(), LIMIT_MS);
  try {
    const result = await work(client);
    await client.logout();
    return result;
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

async function sentFolderOf(client: ImapClient): Promise<string | undefined> {
  return (await client.list()).find(({ specialUse }) => specialUse === "\\Sent")?.path;
}

async function holds(
  client: ImapClient,
  folder: string,
  messageId: string,
  options = { mustLook: false },
): Promise<boolean> {
  const lock = await client.getMailboxLock(folder);
  try {
    const found = await client.search({ header: { "message-id": messageId } }, options);
    return found.length > 0;
  } finally {
    lock.release();
  }
}
