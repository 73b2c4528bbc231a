// Mail of the invented practice: letters to parties with what became of them, and mailings. None of it ever leaves.
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import { KEPT_BY_NOBODY } from "@app/server/core/once";
import { inTransaction } from "@app/server/core/database";
import { richTextOf } from "@app/shared/rich-text";
import type { Scope } from "@app/server/core/trpc";
import { sendLetter } from "@app/server/features/compose/compose.service";
import { tellSent } from "@app/server/features/outbox/outbox-history";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { COUNTED_ANEW } from "@app/server/features/mailings/mailing-counts";
import { MailingItemModel, MailingModel } from "@app/server/features/mailings/mailings.model";
import { createMailing } from "@app/server/features/mailings/mailings.service";
import { suppress } from "@app/server/features/suppressions/suppressions.service";
import { TRPCError } from "@trpc/server";

const LETTERS = [
  {
    subject: "Papers for our next meeting",
    text: "{{client.salutation}},\nplease bring the papers on the list that we gave you.\n{{sender.name}}",
  },
  {
    subject: "After our meeting",
    text: "{{client.salutation}},\nthank you for coming. You need not answer this.\n{{sender.name}}",
  },
];
const RECIPIENTS = 40;
const REFUSED = "The mail server refused the recipients or the sender (550 No such user here).";
const MAILINGS = [
  { subject: "Closed between Christmas and New Year", isSent: true },
  { subject: "Our new address from March", isSent: false },
];

export async function demoMail(scope: Scope, cases: readonly Case[], clients: readonly Client[]): Promise<void> {
  const addresses = new Map(clients.map(({ id, email }) => [id, email]));
  for (const theCase of cases) for (const letter of LETTERS) await demoLetter(scope, theCase, { ...letter, addresses });
  await OutboxModel.updateMany(
    { ownerId: scope.ownerId, state: "queued" },
    { $set: { state: "sent", sentAt: new Date(), method: "IMAP" } },
  );
  await OutboxModel.updateOne(
    { ownerId: scope.ownerId, state: "sent" },
    { $set: { state: "failed", sentAt: null, reason: REFUSED } },
  );
  for (const mail of await OutboxModel.find({ ownerId: scope.ownerId, state: "sent" }).lean())
    await inTransaction(() => tellSent(mail));
  for (const mailing of MAILINGS) await demoMailing(scope, clients, mailing);
  await suppress(scope.ownerId, "gone@example.org", {
    reason: "bounced",
    detail: "It could not be delivered to gone@example.org: 550 5.1.1 User unknown",
  });
  await suppress(scope.ownerId, "no.more@example.org", { reason: "unsubscribed" });
}

type Letter = (typeof LETTERS)[number] & { addresses: Map<string, string> };

/** To the first party, where they may be mailed; what may not leave is refused here as anywhere. */
async function demoLetter(scope: Scope, { id: caseId, parties: [party] }: Case, { subject, text, addresses }: Letter) {
  const address = addresses.get(party?.clientId ?? "");
  if (!party || !address) return;
  const draft = { subject, body: richTextOf(text), fileIds: [], meetingId: null, inReplyTo: "", references: [] };
  const to = [{ name: party.name, address }];
  try {
    await sendLetter(scope, { ...draft, clientId: party.clientId, caseId, to, cc: [], kept: null, sendAt: null });
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
  }
}

async function demoMailing(
  scope: Scope,
  clients: readonly Client[],
  { subject, isSent }: (typeof MAILINGS)[number],
): Promise<void> {
  const body = richTextOf(`Dear {{client.firstName}},\n${subject}.\n{{practice.name}}`);
  const source = { kind: "clients" as const, clientIds: clients.slice(0, RECIPIENTS).map(({ id }) => id) };
  const { id: mailingId } = await createMailing(scope, { subject, body, perMinute: 60, source }, KEPT_BY_NOBODY);
  if (!isSent) return;
  const { ownerId } = scope;
  await MailingItemModel.updateMany(
    { ownerId, mailingId, state: "waiting" },
    { $set: { state: "sent", sentAt: new Date() } },
  );
  await MailingModel.updateOne(
    { ownerId, _id: mailingId },
    { ...COUNTED_ANEW, $set: { ...COUNTED_ANEW.$set, state: "done", endedAt: new Date() } },
  );
}
