// Mails that whoever fills in a form asks for themselves, to whom the practice may mail as well: to the client's own
// address where they came by a link of theirs, else to one that they type. They say nothing of what is asked or answered.
import { type Client, safeNow } from "@app/shared/clients";
import { cutText } from "@app/shared/cut-text";
import type { MailsTo } from "@app/shared/submission-limits";
import { forParty, NO_TIMES } from "@app/shared/visibility";
import { wrongState } from "../../core/visitor-refusals.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { directoryOf } from "../mail/gate.service.ts";
import { problemsOf } from "../mail/outgoing-gate.service.ts";
import { whyNotByMail } from "../meetings/party-mail.service.ts";
import { type NewMailContent, queueMail } from "../outbox/outbox.service.ts";
import { suppressedOf } from "../suppressions/suppressions.service.ts";
import { type ForParty, sealFor, sealForNoParty } from "../visibility/for-party.service.ts";
import type { FormLinkDoc } from "./form-links.model.ts";
import { isEnteredByOther } from "./form-links.service.ts";
import { isMailedTooOften } from "./public-limits.ts";

/** As the page calls itself: strangers who share a mailbox learn neither who asks nor what. */
const NEUTRAL_NAME = "Questions";

interface Words {
  subject: string;
  text: string;
}

/** Where such a mail would go. Of somebody who may not be mailed nothing is offered, and nothing says why. */
export async function mailsToOf(link: FormLinkDoc | null): Promise<MailsTo> {
  if (!link) return "typed";
  const client = await getClient(systemScope(link.ownerId), link.clientId);
  return client.email && safeNow(client).mayEmail ? "own" : "none";
}

/** Stores it for delivery, by which it passes the one gate; call it in a transaction. */
export async function mailClient(link: FormLinkDoc, words: Words, log: Logger): Promise<void> {
  const scope = systemScope(link.ownerId);
  const client = await getClient(scope, link.clientId);
  const { content, isReached } = await made(scope, link, client, words);
  // Else whoever may not have the link would put an address of their own there, and wait until it is asked for.
  if (!isReached || (await isEnteredByOther(link, log)))
    throw wrongState("This cannot be sent by email. Phone us if you need help.");
  await queueMail(scope, { purpose: "letter", content });
}

async function made(
  scope: Scope,
  { clientId, caseId, partyId }: FormLinkDoc,
  client: Client,
  words: Words,
): Promise<{ content: ForParty<NewMailContent>; isReached: boolean }> {
  const mail = { ...words, toName: cutText(client.displayName, 100), to: client.email, attachments: [] };
  const theCase = caseId && partyId ? await getCase(scope, caseId) : null;
  const party = theCase?.parties.find((one) => one.partyId === partyId);
  if (!theCase || !party) {
    const isReached = client.email !== "" && (await isLetThrough(scope, client.email, clientId));
    return { content: sealForNoParty(clientId, mail, []), isReached };
  }
  const to = { theCase, partyId: party.partyId };
  const isReached = (await whyNotByMail(scope, theCase, party, client)) === "";
  return { content: sealFor(to, mail, [{ visibility: forParty(party.partyId), ...NO_TIMES }]), isReached };
}

/** Whether the gate would let it go, as far as it shows by whom it reaches. */
async function isLetThrough(scope: Scope, address: string, clientId: string | null): Promise<boolean> {
  const mail = { to: [address], cc: [] };
  const letter = { mail, clientId, party: null, answers: [], senderName: scope.userName };
  return problemsOf(await directoryOf(scope.ownerId, [letter]), letter).length === 0;
}

/**
 * The same to an address that somebody typed. Where it may not be mailed, or was too often, nothing leaves and nothing is
 * said: the answer would tell whoever tries addresses about the people who have them.
 */
export async function mailStranger(ownerId: string, address: string | null, words: Words): Promise<void> {
  if (address === null) throw wrongState("Enter the email address to which it is to go.");
  const scope = systemScope(ownerId);
  if ((await suppressedOf(ownerId, [address])).size > 0 || !(await isLetThrough(scope, address, null))) return;
  if (await isMailedTooOften(address)) return;
  const mail = { ...words, toName: "", fromName: NEUTRAL_NAME, to: address, attachments: [] };
  await queueMail(scope, { purpose: "letter", content: sealForNoParty(null, mail, []) });
}
