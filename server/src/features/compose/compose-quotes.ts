// The mails that one answers, wherever they are kept: what goes to one client quotes none of another side's.
import type { MailDraft } from "@app/shared/mail-check";
import type { Scope } from "../../core/trpc.ts";
import { addressesInMails } from "../inbox/quoted-mail.service.ts";
import type { Answered } from "../mail/outgoing-gate.service.ts";
import { findWritten } from "../outbox/outbox-written.service.ts";

export interface Quoted {
  answers: Answered[];
  /** False where the mailbox in which some may lie does not answer. */
  isComplete: boolean;
}

/** Every mail that this one names as answered, as far as it is kept here or in the mailbox. */
export async function quotedBy(
  scope: Pick<Scope, "ownerId" | "userId">,
  { inReplyTo, references }: Pick<MailDraft, "inReplyTo" | "references">,
): Promise<Quoted> {
  const ids = [...new Set([inReplyTo, ...references].filter(Boolean))];
  const written = await mailsWeWrote(scope, ids);
  const others = await addressesInMails(
    scope,
    ids.filter((id) => !written.has(id)),
  );
  const came = (others ?? []).map((addresses) => ({ clientId: null, partyId: null, addresses }));
  return { answers: [...written.values(), ...came], isComplete: others !== null };
}

async function mailsWeWrote({ ownerId }: Pick<Scope, "ownerId">, ids: string[]): Promise<Map<string, Answered>> {
  const mails = await findWritten(ownerId, ids);
  return new Map(mails.map(({ messageId, ...answered }) => [messageId, answered]));
}
