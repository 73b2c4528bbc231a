// Whose mails these are that somebody answers: looked up in the mailbox where we did not write them ourselves.
import type { ImapFlow } from "imapflow";
import type { Scope } from "../../core/trpc.ts";
import { clientsAtAddresses } from "../clients/client-addresses.service.ts";
import { readableMailbox } from "./client-mail.service.ts";
import { isGivenUp, withMailbox } from "./connections.ts";
import { inFolder } from "./fetch.service.ts";
import { foldersOf } from "./folders.ts";

// Only what is nearest is quoted.
const LOOKED_UP_MAX = 5;

/** For each of these mails that lies in the mailbox the clients who wrote or got it; a mailbox that is away knows none. */
export async function clientsOfMails(scope: Scope, messageIds: string[]): Promise<string[][]> {
  const box = messageIds.length > 0 ? await readableMailbox(scope) : null;
  if (!box) return [];
  try {
    const found = await withMailbox(box.userId, (client) => peopleOf(client, messageIds.slice(0, LOOKED_UP_MAX)));
    return await Promise.all(found.map((addresses) => clientIdsAt(scope, addresses)));
  } catch (error) {
    if (isGivenUp(error)) return [];
    throw error;
  }
}

const clientIdsAt = async ({ ownerId }: Scope, addresses: string[]): Promise<string[]> =>
  (await clientsAtAddresses(ownerId, { addresses, ids: [] })).map(({ id }) => id);

async function peopleOf(client: ImapFlow, messageIds: string[]): Promise<string[][]> {
  const found: string[][] = [];
  for (const folder of await foldersOf(client))
    found.push(
      ...(await inFolder(client, folder, async (exists) => {
        if (exists === 0) return [];
        const inHere: string[][] = [];
        for (const id of messageIds) {
          const uids = await client.search({ header: { "message-id": id } }, { uid: true });
          if (!uids || uids.length === 0) continue;
          for (const { envelope } of await client.fetchAll(uids.join(","), { envelope: true }, { uid: true })) {
            const { from = [], to = [], cc = [] } = envelope ?? {};
            inHere.push([...from, ...to, ...cc].flatMap(({ address }) => address ?? []));
          }
        }
        return inHere;
      })),
    );
  return found;
}
