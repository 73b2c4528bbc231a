import { samePerson } from "@app/shared/email-address";
import { cutText } from "@app/shared/cut-text";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { clientsAtAddresses } from "../clients/client-addresses.service.ts";
import { contactsMailed } from "../contacts/contact-addresses.service.ts";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { addressesOf } from "../mail/outgoing-gate.service.ts";
import { OutboxModel } from "./outbox.model.ts";
import { MAIL_TEXT_MAX_LENGTH, sealContent } from "./outbox.service.ts";
import { toldNames } from "./told-names.service.ts";
import type { OutgoingMail } from "../mail/senders/sender.service.ts";

const firstIs = (addresses: readonly string[], email: string): string[] => [
  ...addresses.filter((address) => samePerson(address, email)),
  ...addresses.filter((address) => !samePerson(address, email)),
];

const UNKNOWN = "It is not certain whether this mail was sent. Look into the Sent folder of the mailbox.";

// What a record says where its mail says nothing.
const NO_SUBJECT = "(no subject)";
const NO_NAME = "file";

/**
 * Stores a mail that is about to be sent beside the outbox, on the page of the first client who gets it. Until somebody
 * says what became of it nobody can tell, and no job sends it again; when it is due it counts as given up.
 */
export async function recordDirectMail(scope: Scope, id: string, mail: Readonly<OutgoingMail>): Promise<void> {
  const addresses = addressesOf(mail);
  const [client] = await clientsAtAddresses(scope.ownerId, { addresses, ids: [] });
  const [to = "", ...alsoTo] = mail.to;
  const names = toldNames(client ? firstIs(addresses, client.email) : addresses, { caseId: null });
  const contactIds = await contactsMailed(scope.ownerId, addresses);
  await takeRecordTurns(scope.ownerId, [client?.id ?? "", ...contactIds]);
  await OutboxModel.create([
    {
      _id: id,
      ownerId: scope.ownerId,
      clientId: client?.id ?? null,
      contactIds,
      purpose: "letter",
      messageId: mail.messageId,
      state: "uncertain",
      attempts: 1,
      dueAt: new Date(now().getTime() + MINUTE_MS),
      reason: UNKNOWN,
      contentEnc: sealContent(scope.ownerId, id, {
        to,
        alsoTo,
        cc: mail.cc,
        toName: mail.toName,
        subject: mail.subject.trim() || NO_SUBJECT,
        text: mail.isHtml ? (mail.text ?? "") : cutText(mail.body, MAIL_TEXT_MAX_LENGTH),
        html: mail.isHtml ? mail.body : null,
        attachments: mail.attachments.map(({ name, mime }) => ({
          name: name || NO_NAME,
          mime: mime || NO_NAME,
          content: "",
        })),
        fromName: mail.fromName,
        isDirect: true,
        told: { names, actorName: scope.userName },
      }),
      createdBy: scope.userId,
      createdAt: now(),
    },
  ]);
}
