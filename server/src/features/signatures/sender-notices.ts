// What whoever sent a document out is told of it by mail: neither who signed or refused, nor what it is. Whoever may not
// read it any more is told nothing, and the owner instead.
import type { Logger } from "../../core/logger.ts";
import { publicUrl } from "../../core/settings.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { mayHaveIt } from "./shown-links.ts";
import { isParty, type SignatureDoc } from "./signatures.model.ts";

const SUBJECTS = {
  signed: "A document was signed by all",
  declined: "Somebody refused to sign a document",
  expired: "The time to sign a document is over",
} as const;

const NEXT = {
  signed: "The signed document is with the client’s files.",
  declined: "Nobody else can sign it now. What they said stands with it.",
  expired: "You can give more time, or withdraw it.",
} as const;

/** Call it in the transaction of what it tells of. */
export async function tellSender(
  { ownerId, fileId, createdBy, signers }: SignatureDoc,
  what: keyof typeof SUBJECTS,
  log: Logger,
): Promise<void> {
  const user = await findIdentityUser((await mayHaveIt({ ownerId, fileId }, createdBy)) ? createdBy : ownerId);
  if (user?.status !== "active") return;
  const text = [
    `${SUBJECTS[what]}. ${NEXT[what]}`,
    "",
    `${publicUrl()}/clients/view/${signers.find(isParty)?.clientId ?? ""}?tab=files`,
  ].join("\n");
  const mail = { ownerId, byMailboxOf: ownerId, to: user.email_address };
  await queueSystemMail({ ...mail, subject: SUBJECTS[what], text, hasLink: false }, log);
}
