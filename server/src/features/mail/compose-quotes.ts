// The mails that one answers, wherever they are kept: what goes to one client quotes none of another side's.
import mongoose from "mongoose";
import type { MailDraft } from "@app/shared/mail-check";
import { forParty, type Visibility } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { addressesInMails } from "../inbox/quoted-mail.service.ts";
import type { Quote } from "./compose-mail.ts";
import type { Directory } from "./gate-people.ts";
import { isOfOthers } from "./outgoing-gate.ts";
import { OutboxModel } from "./outbox.model.ts";
import { contentOf } from "./outbox.service.ts";

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
  if (ids.length === 0) return new Map();
  const docs = await OutboxModel.find(
    { ownerId, messageId: mongoose.trusted({ $in: ids }) },
    { ownerId: 1, messageId: 1, partyId: 1, clientId: 1, contentEnc: 1 },
  ).lean();
  return new Map(
    docs.map((doc) => {
      const { to, alsoTo, cc } = contentOf(doc);
      const visibility = doc.partyId ? forParty(doc.partyId) : null;
      return [doc.messageId, { clientId: doc.clientId, visibility, addresses: [to, ...alsoTo, ...cc] }];
    }),
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
