// Somebody's own link was replaced, because its address had become known: they are told the new one, alone.
import { type Client, isRestricted, safeNow } from "@app/shared/clients";
import { cutText } from "@app/shared/cut-text";
import { waysToReach } from "@app/shared/safe-channels";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { forParty, NO_TIMES } from "@app/shared/visibility";
import { publicUrl } from "../../core/settings.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { addressEnteredBy } from "../clients/client-addresses.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { keptUnaskedIn } from "../ladders/unasked.service.ts";
import { isReachedDiscreetly } from "../mail/gate.service.ts";
import { whyNotByMail } from "../meetings/party-mail.service.ts";
import { queueMail } from "../outbox/outbox.service.ts";
import { practiceNameOf, practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { sealFor, sealForNoParty } from "../visibility/for-party.service.ts";

interface Renewed {
  ownerId: string;
  caseId: string | null;
  clientId: string;
  /** When the link was made that is replaced. */
  createdAt: Date;
  /** The new secret. */
  token: string;
}

/** Call it in the transaction that replaces it. Whoever may not be mailed safely is told by the owner, who gets a task. */
export async function tellOfNewLink(link: Renewed): Promise<void> {
  const { ownerId, caseId, clientId, token } = link;
  const scope = systemScope(ownerId);
  const theCase = caseId === null ? null : await getCase(scope, caseId);
  const party = theCase?.parties.find((one) => one.clientId === clientId && one.leftAt === null);
  // Whoever has left the case comes by it no more, and whoever must not hear of it does not in another way either.
  if (theCase && (!party || (await keptUnaskedIn(ownerId, theCase))(party.partyId))) return;
  const client = await getClient(scope, clientId);
  const inCase = theCase && party ? await whyNotByMail(scope, theCase, party, client) : "";
  const whyNot = (await whyNotTo(link, client)) || inCase;
  if (whyNot) {
    const title = `Their booking link was replaced: give ${client.displayName} the new one, alone: ${whyNot}`;
    const task = { title: cutText(title, TASK_TITLE_MAX_LENGTH), dueOn: await practiceToday(ownerId) };
    await createTasks(scope, [{ ...task, assigneeId: ownerId, caseId, clientId }]);
    return;
  }
  const content = {
    toName: cutText(client.displayName, 100),
    to: client.email,
    subject: "A new link for your appointment",
    text: textFor(client, await practiceNameOf(ownerId), token),
    attachments: [],
  };
  const sealed =
    theCase && party
      ? sealFor({ theCase, partyId: party.partyId }, content, [{ visibility: forParty(party.partyId), ...NO_TIMES }])
      : sealForNoParty(clientId, content, []);
  await queueMail(scope, { purpose: "letter", content: sealed });
}

async function whyNotTo({ ownerId, clientId, createdAt }: Renewed, client: Client): Promise<string> {
  if (!client.email) return "no email address is known.";
  if (isRestricted(client.safeContact)) return waysToReach(safeNow(client));
  if (await isReachedDiscreetly(ownerId, client.email)) return "somebody else reads mail at their address.";
  // Or whoever may not have it any more would be sent the new one, by an address of their own that they entered before.
  const userId = await addressEnteredBy(ownerId, clientId, createdAt);
  return userId === "" || userId === ownerId ? "" : "their email address was entered after the link was made.";
}

const textFor = ({ displayName }: Client, practiceName: string, token: string): string =>
  [
    `Dear ${displayName},`,
    "",
    `the page on which you choose a time with ${practiceName} has a new address. The one that you had does not work any more.`,
    "",
    `${publicUrl()}/schedule-meeting/${token}`,
    "",
    "It is for you alone. Please do not pass it on.",
    "",
    "If you have a question, answer this message or phone us.",
  ].join("\n");
