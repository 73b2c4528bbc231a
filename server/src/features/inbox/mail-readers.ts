// Which mails of a mailbox somebody may see on a client's page.
import { ADDRESSES_MAX } from "../../core/imap-bounds.ts";
import type { Mail } from "../../core/imap-messages.ts";
import { ROLES } from "@app/shared/access";
import { foldEmail, mailboxKey, samePerson } from "@app/shared/email-address";
import type { Scope } from "../../core/trpc.ts";
import { getClient, whoEnteredAddress } from "../clients/clients.service.ts";
import { hiddenAddresses } from "../contacts/hidden-addresses.service.ts";
import { hiddenMails, writtenMails } from "../outbox/outbox.service.ts";
import { senderAddress } from "../mail/sender-address.service.ts";
import { mailboxSharingOf, ownMailboxes } from "../users/email-connection.service.ts";
import { isMailProgram } from "./automated-mail-reading.ts";
import { holdersAlone, type Reader, threadOf, vouchersFor } from "./access-mail.service.ts";

/**
 * The client's address, as far as its mail may be shown. None where it is that of somebody who works here, of the product
 * itself, or also of somebody whom this person does not see.
 */
export async function addressToShow(scope: Scope, clientId: string): Promise<string> {
  const { email } = await getClient(scope, clientId);
  if (email === "" || samePerson(email, senderAddress())) return "";
  // What such a program repeats is of anybody's mail.
  if (scope.isAssignedOnly && isMailProgram(foldEmail(email))) return "";
  if ((await ownMailboxes(scope.ownerId)).has(mailboxKey(email))) return "";
  return (await hiddenAddresses(scope, [email]))(email) ? "" : email;
}

/** Somebody who looks at the mail of a client in a mailbox. */
export interface Looker extends Reader {
  clientId: string;
  /**
   * The mailbox is somebody's who does not let others read it, and neither they nor the owner entered the address: only
   * what was begun here is theirs to see, or any address that one of them thinks of would open the mailbox to all.
   */
  isOnlyBegunHere: boolean;
}

export async function lookerAt(scope: Scope, clientId: string, box: Reader["box"]): Promise<Looker> {
  const isTheirs = scope.role === ROLES.owner || box.userId === scope.userId;
  const isOpen = isTheirs || (await mailboxSharingOf(box.userId)).mayRead;
  const isVouchedFor = vouchersFor({ scope, box }).includes(await whoEnteredAddress(scope, clientId));
  const isOnlyBegunHere = !isOpen && !isVouchedFor;
  return { scope, box, clientId, isOnlyBegunHere };
}

type Threaded = Pick<Mail, "envelope" | "headers" | "internalDate">;

/** Everybody whom a mail names as its writer or reader; null where it names more than are looked at. */
function peopleIn({ envelope }: Threaded): string[] | null {
  const fields = (["from", "sender", "replyTo", "to", "cc", "bcc"] as const).map((name) => envelope?.[name] ?? []);
  return fields.some((people) => people.length >= ADDRESSES_MAX)
    ? null
    : fields.flatMap((people) => people.map(({ address }) => address ?? ""));
}

/** Whether a mail names somebody whom its reader does not see. */
async function namesHidden(scope: Scope, messages: Threaded[]): Promise<(message: Threaded) => boolean> {
  if (!scope.isAssignedOnly) return () => false;
  const isHidden = await hiddenAddresses(
    scope,
    messages.flatMap((message) => peopleIn(message) ?? []),
  );
  return (message) => peopleIn(message)?.some(isHidden) ?? true;
}

/** With these, whatever answers one of them: programs differ in how much of a thread they name. */
function withAnswers(hidden: ReadonlySet<string>, messages: Threaded[]): Set<string> {
  const all = new Set(hidden);
  let before = -1;
  while (all.size > before) {
    before = all.size;
    for (const message of messages) {
      const [own, ...answered] = threadOf(message);
      if (own !== undefined && answered.some((id) => all.has(id))) all.add(own);
    }
  }
  return all;
}

/**
 * Which of these somebody does not see: those of a case that is hidden from them and those that name somebody who is,
 * those that may let somebody in, and those that were not begun here where only such are theirs.
 */
export async function hiddenAmong(
  { scope, box, clientId, isOnlyBegunHere }: Looker,
  messages: Threaded[],
): Promise<(message: Threaded) => boolean> {
  const ids = messages.flatMap(threadOf);
  const hidden = withAnswers(await hiddenMails(scope, ids), messages);
  const isOfHidden = await namesHidden(scope, messages);
  const isHoldersAlone = await holdersAlone({ scope, box }, messages);
  const begun = isOnlyBegunHere ? await writtenMails(scope, ids) : null;
  return (message) => {
    const thread = threadOf(message);
    if (isHoldersAlone(message) || isOfHidden(message) || thread.some((id) => hidden.has(id))) return true;
    return begun !== null && !thread.some((id) => begun.get(id)?.clientId === clientId);
  };
}
