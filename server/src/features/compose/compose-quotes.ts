// The mails that one answers, wherever they are kept: what goes to one client quotes none of another side's.
import type { MailDraft } from "@app/shared/mail-check";
import { forParty, type Visibility } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { addressesInMails } from "../inbox/quoted-mail.service.ts";
import type { Quote } from "./compose-mail.ts";
import type { Directory } from "../mail/gate-people.service.ts";
import { isOfOthers } from "../mail/outgoing-gate.service.ts";
import { findWritten } from "../outbox/outbox-written.service.ts";

interface QuotedMail {
  /** Whose mail it is, where we wrote it. */
  clientId: string | null;
  visibility: Visibility | null;
  /** Everybody who wrote it or got it. */
  addresses: string[];
}

export interface Quoted {
  mails: QuotedMail[];
  /** False where the mailbox in which some may lie does not answer. */
  isComplete: boolean;
}

/** Every mail that this one names as answered, as far as it is kept here or in the mailbox. */
export async function quotedBy(scope: Scope, { inReplyTo, references }: MailDraft): Promise<Quoted> {
  const ids = [...new Set([inReplyTo, ...references].filter(Boolean))];
  const written = await mailsWeWrote(scope, ids);
  const others = await addressesInMails(
    scope,
    ids.filter((id) => !written.has(id)),
  );
  const came = (others ?? []).map((addresses) => ({ clientId: null, visibility: null, addresses }));
  return { mails: [...written.values(), ...came], isComplete: others !== null };
}

async function mailsWeWrote({ ownerId }: Scope, ids: string[]): Promise<Map<string, QuotedMail>> {
  const mails = await findWritten(ownerId, ids);
  return new Map(
    mails.map(({ messageId, partyId, clientId, addresses }) => [
      messageId,
      { clientId, visibility: partyId ? forParty(partyId) : null, addresses },
    ]),
  );
}

/** What the people of the practice make of them, for a mail to this client. */
export const judgeQuotes = (directory: Directory, clientId: string, { mails }: Quoted): Quote[] =>
  mails.map(({ visibility, addresses, ...mail }) => ({
    visibility,
    isOfOthers:
      (mail.clientId !== null && mail.clientId !== clientId) ||
      // What they wrote or got themselves, they know, whoever else did.
      (!addresses.some((address) => isTheirs(directory, clientId, address)) &&
        addresses.some((address) => isOfOthers(directory, clientId, address))),
  }));

const isTheirs = (directory: Directory, clientId: string, address: string): boolean =>
  directory.at(address).some(({ kind, id }) => kind === "client" && id === clientId);
