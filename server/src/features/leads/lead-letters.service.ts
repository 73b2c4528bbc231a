// A mail that the owner writes from the page of a lead, to somebody who is no client yet.
import { cutText } from "@app/shared/cut-text";
import { type Lead, LEAD_LETTERS_MAX, leadName, type writeToLeadSchema } from "@app/shared/leads";
import { isReachedByEmail } from "@app/shared/lead-reaches";
import { samePerson } from "@app/shared/email-address";
import { richTextOf } from "@app/shared/rich-text";
import { richTextHtml } from "@app/shared/rich-text-html";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient } from "../clients/clients.service.ts";
import { defineLeavingLetter } from "../outbox/leaving-letters.service.ts";
import { queueMail } from "../outbox/outbox.service.ts";
import { sealForNoParty } from "../visibility/for-party.service.ts";
import { toLead } from "./lead-mapping.ts";
import { requireLead } from "./leads.service.ts";
import { type LeadDoc, LeadModel } from "./leads.model.ts";

/** Call it in a transaction. It waits for delivery like any letter, and the one gate lets it go or not. */
export async function writeToLead(
  scope: Scope,
  { id, subject, text }: z.output<typeof writeToLeadSchema>,
): Promise<Lead> {
  const doc = await requireLead(scope, id);
  assertWritable(doc);
  const name = leadName(doc);
  const content = {
    toName: cutText(name, 100),
    to: doc.email,
    subject,
    text,
    html: richTextHtml(richTextOf(text)),
    attachments: [],
    isWritten: true,
  };
  const { id: mailId } = await queueMail(scope, { purpose: "letter", content: sealForNoParty(null, content, []) });
  await LeadModel.updateOne(
    { ownerId: scope.ownerId, _id: id },
    { $push: { letters: { mailId, at: now(), byName: scope.userName } } },
  );
  return toLead(scope, await requireLead(scope, id));
}

function assertWritable(lead: LeadDoc): void {
  const { email, letters } = lead;
  if (email === "") throw badField("text", "There is no email address. Enter one first.");
  if (!isReachedByEmail(lead))
    throw wrongState("They asked not to be reached by email. Reach them by the way that they named.");
  if (letters.length >= LEAD_LETTERS_MAX)
    throw wrongState(`${LEAD_LETTERS_MAX} mails were written to this lead. Write the next one from your mailbox.`);
}

// The address may be another by then: whoever has the old one is not who was meant. Or they asked for another way since;
// of a client, the one gate asks that.
defineLeavingLetter(async ({ ownerId, mailId, to }) => {
  const doc = await LeadModel.findOne({ ownerId, "letters.mailId": mailId }).lean();
  if (!doc) return null;
  const name = leadName(doc);
  if (!doc.converted && !isReachedByEmail(doc))
    return {
      stays: "failed",
      reason: `${name} asked not to be reached by email. Reach them by the way that they named.`,
    };
  if (samePerson(to, await addressNow(doc))) return null;
  return {
    stays: "failed",
    reason: `${name} has another address than the one to which this was written. Write it again.`,
  };
});

/** Whoever became a client has the address of that client. */
async function addressNow({ ownerId, email, converted }: LeadDoc): Promise<string> {
  return converted ? (await getClient(systemScope(ownerId), converted.clientId)).email : email;
}
