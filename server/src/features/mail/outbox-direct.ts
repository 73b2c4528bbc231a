import { cutText } from "@app/shared/cut-text";
import type { Scope } from "../../core/trpc.ts";
import { clientsAtAddresses } from "../clients/client-addresses.service.ts";
import { now } from "../../core/clock.ts";
import { addressesOf } from "./outgoing-gate.ts";
import { OutboxModel } from "./outbox.model.ts";
import { MAIL_TEXT_MAX_LENGTH, sealContent, TOLD_NAMES_MAX_LENGTH } from "./outbox.service.ts";
import type { OutgoingMail } from "./senders/sender.ts";

const UNKNOWN = "It is not certain whether this mail was sent. Look into the Sent folder of the mailbox.";

/**
 * Stores a mail that is about to be sent beside the outbox, on the page of the first client who gets it. Until somebody
 * says what became of it nobody can tell, and no job sends it again.
 */
export async function recordDirectMail(scope: Scope, id: string, mail: Readonly<OutgoingMail>): Promise<void> {
  const addresses = addressesOf(mail);
  const [client] = await clientsAtAddresses(scope.ownerId, { addresses, ids: [] });
  const [to = "", ...alsoTo] = mail.to;
  const names = cutText(addresses.join(", "), TOLD_NAMES_MAX_LENGTH);
  await OutboxModel.create([
    {
      _id: id,
      ownerId: scope.ownerId,
      clientId: client?.id ?? null,
      purpose: "letter",
      messageId: mail.messageId,
      state: "uncertain",
      attempts: 1,
      dueAt: now(),
      reason: UNKNOWN,
      contentEnc: sealContent(scope.ownerId, id, {
        to,
        alsoTo,
        cc: mail.cc,
        toName: mail.toName,
        subject: mail.subject,
        text: mail.isHtml ? (mail.text ?? "") : cutText(mail.body, MAIL_TEXT_MAX_LENGTH),
        html: mail.isHtml ? mail.body : null,
        attachments: mail.attachments.map(({ name, mime }) => ({ name, mime, content: "" })),
        fromName: mail.fromName,
        isDirect: true,
        told: { names, actorName: scope.userName },
      }),
      createdBy: scope.userId,
      createdAt: now(),
    },
  ]);
}
