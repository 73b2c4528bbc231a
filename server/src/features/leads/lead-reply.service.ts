// The answer that goes out by itself: switched on by the practice, in its own words, and never where it could do harm.
import type { z } from "zod";
import { mailboxKey } from "@app/shared/email-address";
import { resolveLine, resolveMergeFields } from "@app/shared/merge-fields";
import { plainText } from "@app/shared/rich-text";
import { richTextHtml } from "@app/shared/rich-text-html";
import { leadName, type leadSettingsSchema } from "@app/shared/leads";
import { isReachedByEmail } from "@app/shared/lead-reaches";
import { HOUR_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { systemScope } from "../../core/system-scope.ts";
import { type Bucket, takeToken } from "../../core/token-bucket.ts";
import type { Scope } from "../../core/trpc.ts";
import { leadReplyTemplate } from "../mail-templates/mail-templates.service.ts";
import { type NewMailContent, queueMail } from "../outbox/outbox.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { suppressedOf } from "../suppressions/suppressions.service.ts";
import { sealForNoParty } from "../visibility/for-party.service.ts";
import { LeadSettingsModel } from "./lead-settings.model.ts";
import { detailsOf, type LeadDoc } from "./leads.model.ts";

type LeadSettings = z.infer<typeof leadSettingsSchema>;

export async function getLeadSettings({ ownerId }: Scope): Promise<LeadSettings> {
  const doc = await LeadSettingsModel.findOne({ ownerId, _id: ownerId }).lean();
  return { isReplyOn: doc?.isReplyOn ?? false };
}

export async function setLeadSettings(scope: Scope, { isReplyOn }: LeadSettings): Promise<LeadSettings> {
  const { ownerId } = scope;
  // Its words are there to be read as soon as it is switched on.
  if (isReplyOn) await leadReplyTemplate(scope);
  await LeadSettingsModel.updateOne({ ownerId, _id: ownerId }, { $set: { isReplyOn } }, { upsert: true });
  return { isReplyOn };
}

/** Whoever fills in many forms with somebody else's address makes one mail an hour of it, whosever forms they are. */
const PACE: Bucket = { size: 1, everyMs: HOUR_MS };

/** What is to be sent; null where nothing is. */
export async function replyTo(doc: LeadDoc): Promise<NewMailContent | null> {
  const scope = systemScope(doc.ownerId);
  if (!isAskedFor(doc) || !(await getLeadSettings(scope)).isReplyOn) return null;
  if ((await suppressedOf(doc.ownerId, [doc.email])).size > 0) return null;
  const template = await leadReplyTemplate(scope);
  if (!template) return null;
  const { isTaken } = await takeToken(`lead-reply:${keyedHash(mailboxKey(doc.email))}`, PACE);
  if (!isTaken) return null;
  const name = leadName(doc);
  const values = {
    ...namesIn(doc),
    "practice.name": await practiceNameOf(doc.ownerId),
  };
  const { content: body } = resolveMergeFields(template.body, values);
  const { content: subject } = resolveLine(template.subject, values);
  return {
    toName: holdsLink(name) ? "" : name,
    to: doc.email,
    subject,
    text: plainText(body),
    html: richTextHtml(body),
    attachments: [],
  };
}

/** What mail programs make a link of: a dot within a word, or how addresses of pages begin. */
const LINK = /[\p{L}\p{M}\p{N}-]\.(?:\p{L}[\p{L}\p{M}\p{N}-]|\p{N})|www|https?/iu;
const holdsLink = (name: string): boolean => LINK.test(name);

/** A stranger may have named somebody else's address: what they call themselves leads nowhere in a mail of the practice. */
function namesIn(doc: LeadDoc) {
  const name = leadName(doc);
  const isNameless = holdsLink(name);
  const first = doc.firstName || name;
  return {
    "client.firstName": isNameless ? "reader" : first,
    "client.lastName": isNameless ? "" : doc.lastName || doc.organisation,
    "client.fullName": isNameless ? "reader" : name,
    "client.salutation": isNameless ? "Hello" : `Dear ${first}`,
  };
}

/** Who wrote by a form, asked for no other way, and said nothing that a person has to look at first. */
function isAskedFor(doc: LeadDoc): boolean {
  const saidNothing = detailsOf(doc).reachNote === "" && !doc.isReachConfided;
  const isMailSafe = isReachedByEmail(doc) && !doc.isFlagged && saidNothing;
  return doc.channel === "form" && doc.email !== "" && isMailSafe;
}

/** Stores it for delivery, which the one gate lets go or not; call it in the transaction that notes it. */
export const queueReply = ({ ownerId }: LeadDoc, content: NewMailContent): Promise<{ id: string }> =>
  queueMail(systemScope(ownerId), { purpose: "letter", content: sealForNoParty(null, content, []) });
