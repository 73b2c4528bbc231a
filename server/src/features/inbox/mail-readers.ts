// Which mails of a mailbox somebody may see on a client's page.
import type { Mail } from "../../core/imap-messages.ts";
import { ROLES } from "@app/shared/access";
import { mailboxKey, samePerson } from "@app/shared/email-address";
import type { Scope } from "../../core/trpc.ts";
import { clientsAtAddresses } from "../clients/client-addresses.service.ts";
import { didEnterAddress, getClient, visibleAmong } from "../clients/clients.service.ts";
import { contactsAtAddresses } from "../contacts/contact-addresses.service.ts";
import { unseenContacts } from "../contacts/contacts.service.ts";
import { hiddenMails, writtenMails } from "../outbox/outbox.service.ts";
import { senderAddress } from "../mail/sender-address.service.ts";
import { mailboxSharingOf, ownMailboxes } from "../users/email-connection.service.ts";
import { holdersAlone, type Reader, threadOf } from "./access-mail.service.ts";

/**
 * The client's address, as far as its mail may be shown. None where it is that of somebody who works here, of the product
 * itself, or also of somebody whom this person does not see.
 */
export async function addressToShow(scope: Scope, clientId: string): Promise<string> {
  const { email } = await getClient(scope, clientId);
  if (email === "" || samePerson(email, senderAddress())) return "";
  if ((await ownMailboxes(scope.ownerId)).has(mailboxKey(email))) return "";
  return (await isAlsoOfHidden(scope, email)) ? "" : email;
}

async function isAlsoOfHidden(scope: Scope, address: string): Promise<boolean> {
  if (!scope.isAssignedOnly) return false;
  const clients = await clientsAtAddresses(scope.ownerId, { addresses: [address], ids: [] });
  const ids = clients.map(({ id }) => id);
  if ((await visibleAmong(scope, ids)).size < ids.length) return true;
  const contacts = await contactsAtAddresses(scope.ownerId, [address]);
  const unseen = await unseenContacts(
    scope,
    contacts.map(({ id }) => id),
  );
  return unseen.length > 0;
}

/** Somebody who looks at the mail of a client in a mailbox. */
export interface Looker extends Reader {
  clientId: string;
  /**
   * They entered the address themselves, and the mailbox is somebody's who does not let others read it: only what was
   * begun here is theirs to see, or any address that they think of would open the mailbox.
   */
  isOnlyBegunHere: boolean;
}

export async function lookerAt(scope: Scope, clientId: string, box: Reader["box"]): Promise<Looker> {
  const isTheirs = scope.role === ROLES.owner || box.userId === scope.userId;
  const isOpen = isTheirs || (await mailboxSharingOf(box.userId)).mayRead;
  return { scope, box, clientId, isOnlyBegunHere: !isOpen && (await didEnterAddress(scope, clientId)) };
}

type Threaded = Pick<Mail, "envelope" | "headers" | "internalDate">;

/**
 * Which of these somebody does not see: those of a case that is hidden from them, those that may let somebody in, and those
 * that were not begun here where only such are theirs.
 */
export async function hiddenAmong(
  { scope, box, clientId, isOnlyBegunHere }: Looker,
  messages: Threaded[],
): Promise<(message: Threaded) => boolean> {
  const ids = messages.flatMap(threadOf);
  const hidden = await hiddenMails(scope, ids);
  const isHoldersAlone = await holdersAlone({ scope, box }, messages);
  const begun = isOnlyBegunHere ? await writtenMails(scope, ids) : null;
  return (message) => {
    const thread = threadOf(message);
    if (isHoldersAlone(message) || thread.some((id) => hidden.has(id))) return true;
    return begun !== null && !thread.some((id) => begun.get(id)?.clientId === clientId);
  };
}
