// A report on a mail, and a mail that another lies in, repeat what they are of: somebody who works on some cases alone sees
// them where they may see that.
import type { ImapClient } from "../../core/imap-client.ts";
import type { MailStructure } from "../../core/imap-messages.ts";
import { hiddenMails, writtenMails } from "../outbox/outbox.service.ts";
import { idsIn } from "./access-mail.service.ts";
import { readId, returnedId } from "./automated-mail-reading.ts";
import type { Looker } from "./mail-readers.ts";

interface Repeating {
  uid: number;
  /** Of what each report in it is; empty where one does not say. */
  reported: string[];
  /** What lies in it. */
  within: string[];
}

/** Those of these mails of the open folder that repeat what this person does not see, or may. */
export async function repeatingHidden(
  client: ImapClient,
  { scope, clientId }: Pick<Looker, "scope" | "clientId">,
  uids: readonly number[],
): Promise<Set<number>> {
  if (!scope.isAssignedOnly || uids.length === 0) return new Set();
  const repeating: Repeating[] = [];
  for (const { uid, bodyStructure } of await client.fetchAll(
    uids.join(","),
    { uid: true, bodyStructure: true },
    { uid: true },
  ))
    if (bodyStructure) repeating.push(await repeatedIn(client, uid, bodyStructure));
  const ids = repeating.flatMap(({ reported, within }) => [...reported, ...within]);
  const [hidden, written] = await Promise.all([hiddenMails(scope, ids), writtenMails(scope, ids)]);
  const isTheirs = (id: string) => written.get(id)?.clientId === clientId && !hidden.has(id);
  return new Set(
    repeating
      .filter(({ reported, within }) => !reported.every(isTheirs) || within.some((id) => hidden.has(id)))
      .map(({ uid }) => uid),
  );
}

async function repeatedIn(client: ImapClient, uid: number, structure: MailStructure): Promise<Repeating> {
  const nodes = everyNodeOf(structure);
  const reported: string[] = [];
  for (const node of nodes)
    if (node.type.toLowerCase() === "multipart/report") {
      const [id = ""] = idsIn((await returnedId(client, uid, node)) || (await readId(client, uid, node)));
      reported.push(id);
    }
  return { uid, reported, within: nodes.flatMap(({ messageId }) => idsIn(messageId)) };
}

const everyNodeOf = (node: MailStructure): MailStructure[] => [
  node,
  ...(node.childNodes ?? []).flatMap((child) => everyNodeOf(child)),
];
