// A mail to whoever pays: by what way they may be reached, and what it is made of.
import type { Case, Party } from "@app/shared/cases";
import { isRestricted, safeNow } from "@app/shared/clients";
import { cutText } from "@app/shared/cut-text";
import type { InvoicePayer } from "@app/shared/payer-shares";
import { waysToReach } from "@app/shared/safe-channels";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { getContact } from "../contacts/contacts.service.ts";
import { directoryOf } from "../mail/gate.service.ts";
import { problemsOf } from "../mail/outgoing-gate.service.ts";
import { whyNotByMail } from "../meetings/party-mail.service.ts";
import type { NewMailContent } from "../outbox/outbox.service.ts";
import { TOLD_NAMES_MAX_LENGTH } from "../outbox/told-names.service.ts";

export interface Paying {
  payer: InvoicePayer;
  payerName: string;
  caseId: string | null;
}

export interface Reached {
  name: string;
  email: string;
  /** Why no mail would leave, and by what way to reach them; empty where it would. */
  whyNot: string;
  /** Somebody else may see what arrives. */
  isDiscreet: boolean;
}

/** Where a mail to them would go. */
export async function reachedBy(scope: Scope, { payer, caseId, payerName }: Paying): Promise<Reached> {
  switch (payer.kind) {
    case "party": {
      const theCase = await getCase(scope, caseId ?? "");
      const party = theCase.parties.find(({ partyId }) => partyId === payer.partyId);
      return party
        ? partyReached(scope, theCase, party)
        : unreached(payerName, "they are no party of this case any more.");
    }
    case "contact":
      return contactReached(scope, payer.contactId);
    case "legal_aid":
    case "voucher":
      return unreached(payerName, "claims to a scheme go by its own way, not by mail.");
    case "visitor":
      return unreached(
        payerName,
        "they booked by a link, and are no client yet. Download the paper, and send it to them.",
      );
  }
}

const unreached = (name: string, whyNot: string): Reached => ({ name, email: "", whyNot, isDiscreet: false });

async function partyReached(scope: Scope, theCase: Case, party: Party): Promise<Reached> {
  const client = await getClient(scope, party.clientId);
  const isDiscreet = isRestricted(safeNow(client));
  const whyNot = client.isContactUnchecked
    ? `somebody said that a way to reach them is not safe, and nobody has looked at it since. ${waysToReach(safeNow(client))}`
    : await whyNotByMail(scope, theCase, party, client);
  return { name: client.displayName, email: client.email, whyNot, isDiscreet };
}

async function contactReached(scope: Scope, contactId: string): Promise<Reached> {
  const { displayName: name, email } = await getContact(scope, contactId);
  if (email === "") return unreached(name, "no email address is known.");
  const letter = {
    mail: { to: [email], cc: [] },
    clientId: null,
    party: null,
    answers: [],
    senderName: scope.userName,
  };
  const directory = await directoryOf(scope.ownerId, [letter]);
  const isDiscreet = directory.at(email).some(({ isRestricted: isKept }) => isKept);
  const whyNot = problemsOf(directory, letter).length === 0 ? "" : "this address may not be mailed.";
  return { name, email, whyNot, isDiscreet };
}

/** What nobody asked for must not be what somebody else reads first. */
export async function whyNotUnasked(
  { payer, ownerId }: Paying & { ownerId: string },
  { isDiscreet }: Reached,
): Promise<string> {
  if (!isDiscreet) return "";
  if (payer.kind !== "party") return "somebody who has to be reached discreetly reads mail at this address.";
  return waysToReach(safeNow(await getClient(systemScope(ownerId), payer.clientId)), { withEmail: true });
}

interface Saying {
  to: Reached;
  subject: string;
  text: string;
  attachment: { name: string; bytes: Uint8Array };
}

/** Its content, for whoever sealed what it says. */
export const mailToPayer = (
  { userName }: Scope,
  { payer }: Paying,
  { to, subject, text, attachment: { name, bytes } }: Saying,
): NewMailContent => ({
  subject,
  text,
  ...(payer.kind === "party"
    ? { told: { names: cutText(to.name, TOLD_NAMES_MAX_LENGTH), actorName: userName } }
    : { isWritten: true }),
  toName: cutText(to.name, 100),
  to: to.email,
  attachments: [
    { name, mime: "application/pdf", content: Buffer.from(bytes).toString("base64"), isBase64: true as const },
  ],
});
