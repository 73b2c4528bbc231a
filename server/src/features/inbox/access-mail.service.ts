// Mail that signs people in, in a mailbox that others look into: it is left out before anything is counted or paged, so
// that neither a list nor a search tells of it. What such a mail looks like nobody can know, because whoever carries it
// may put the link behind one of their own: so while a link is open, all that came since it was asked for stays with the
// mailbox's holder, except mail of the practice's own people.
import type { SearchObject } from "imapflow";
import { foldEmail, samePerson } from "@app/shared/email-address";
import { MINUTE_MS, now } from "../../core/clock.ts";
import type { ImapClient } from "../../core/imap-client.ts";
import type { Mail } from "../../core/imap-messages.ts";
import { referencesIn } from "../../core/mail-header.ts";
import type { Scope } from "../../core/trpc.ts";
import { openLinksFor } from "../auth/open-links.service.ts";
import { clientsKnownTo } from "../clients/client-addresses.service.ts";
import { contactsKnownTo } from "../contacts/contacts.service.ts";
import { accessMailsAmong } from "../mail/system-mail.service.ts";
import { writtenMails } from "../outbox/outbox.service.ts";

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

/** By so much a mail server's clock may be behind ours. */
const BEHIND_MS = 15 * MINUTE_MS;
/** By so much ours may have been ahead when a link was asked for; by more, and nobody knows when that was. */
const AHEAD_MS = MINUTE_MS;

export interface Reader {
  scope: Scope;
  box: { userId: string; email: string };
}

type Arrived = Pick<Mail, "envelope" | "headers" | "internalDate">;

/** A mail and all that it answers, by their Message-IDs; what stands behind the @ is a domain, which has no case. */
export const threadOf = ({ envelope, headers }: Pick<Mail, "envelope" | "headers">): string[] =>
  [envelope?.messageId, envelope?.inReplyTo, referencesIn(headers?.toString("latin1") ?? "")].flatMap(idsIn);
export const idsIn = (text = ""): string[] =>
  text.match(ID)?.map((id) => sameCase(id.startsWith("<") ? id : `<${id}>`)) ?? [];
const sameCase = (id: string): string => id.replace(/@[^@]*$/, (domain) => domain.toLowerCase());
/** Some programs write it without its brackets. */
const ID = /<[^<>\s]{1,500}>|[^<>\s,;"()]{1,250}@[^<>\s,;"()]{1,250}/g;

/**
 * Which of these mails of a folder are for the eyes of the mailbox's holder alone. Ask after they were read there: a
 * link that was asked for meanwhile counts too.
 */
export async function holdersAlone(
  { scope, box }: Reader,
  mails: readonly Arrived[],
): Promise<(mail: Arrived) => boolean> {
  const ofProduct = await accessMailsAmong(mails.map(({ envelope }) => envelope?.messageId ?? ""));
  const since = box.userId === scope.userId ? Infinity : await sealedSince(box);
  const sealed = mails.filter((mail) => arrivedAt(mail) >= since);
  const isKnown = await knownAmong({ scope, box }, sealed);
  return (mail) => ofProduct.has(mail.envelope?.messageId ?? "") || (arrivedAt(mail) >= since && !isKnown(mail));
}

/** From when on what came may hold a link that still works. */
async function sealedSince(box: Reader["box"]): Promise<number> {
  const latest = now().getTime() + AHEAD_MS;
  const asked = (await openLinksFor(box)).map((at) => (at.getTime() > latest ? -Infinity : at.getTime() - BEHIND_MS));
  return Math.min(Infinity, ...asked);
}

/** When its server took it in, whatever its sender says; where nobody knows, after any link. */
function arrivedAt({ internalDate }: Arrived): number {
  const at = internalDate?.getTime() ?? Number.NaN;
  return Number.isNaN(at) ? Number.MAX_VALUE : at;
}

/** Whose word counts on whose address something is: nobody else's opens this mailbox. */
export const vouchersFor = ({ scope, box }: Reader): string[] => [box.userId, scope.ownerId];

/**
 * Mail that we wrote, and mail of a client or contact whom the reader knows. Where colleagues entered the address, it has
 * to answer us: it may be that of whoever carries such links.
 */
async function knownAmong({ scope, box }: Reader, mails: readonly Arrived[]): Promise<(mail: Arrived) => boolean> {
  const addresses = [...new Set(mails.map(senderOf))].filter(Boolean);
  const ofPeople = [...(await clientsKnownTo(scope, addresses)), ...(await contactsKnownTo(scope, addresses))];
  const written = await writtenMails(scope, mails.flatMap(threadOf));
  const vouchers = vouchersFor({ scope, box });
  return (mail) => {
    if (written.has(mail.envelope?.messageId ?? "")) return true;
    const people = ofPeople.filter(({ email }) => samePerson(email, senderOf(mail)));
    return (
      people.some(({ enteredBy }) => enteredBy.every((userId) => vouchers.includes(userId))) ||
      (people.length > 0 && threadOf(mail).some((id) => written.has(id)))
    );
  };
}

/** Who wrote it; nobody where it names several. */
const senderOf = ({ envelope }: Arrived): string =>
  envelope?.from.length === 1 ? foldEmail(envelope.from[0]?.address ?? "") : "";
