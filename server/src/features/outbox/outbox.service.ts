// Every mail of a case is stored here before it is sent, and what it holds is guarded before it is stored.
import mongoose, { type QueryFilter } from "mongoose";
import { z } from "zod";
import { can, ROLES } from "@app/shared/access";
import {
  type CaseMail,
  type caseMailPageSchema,
  type CaseMailRow,
  type listCaseMailSchema,
  LISTED_TEXT_MAX_LENGTH,
} from "@app/shared/mail";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { now } from "../../core/clock.ts";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { notFound } from "../../core/errors.ts";
import { inTransaction } from "../../core/database.ts";
import { newId } from "../../core/ids.ts";
import { shownToOthers } from "../../core/public-tokens.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import { mapFewAtATime } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { ofNoHiddenCase, ofVisiblePlaces, visibleCaseIds } from "../cases/case-places.service.ts";
import { type ForParty, madeForOf, openFor } from "../visibility/for-party.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { contactsMailed } from "../contacts/contact-addresses.service.ts";
import { hiddenAddresses } from "../contacts/hidden-addresses.service.ts";
import { directoryOf } from "../mail/gate.service.ts";
import { expectedOf } from "../mail/gate-expected.service.ts";
import { contentSchema, type MailContent, type NewMailContent } from "./outbox-content.ts";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { senderDomain } from "../mail/sender-address.service.ts";
import { ofReadVisits } from "./visit-mail.service.ts";

export { MAIL_TEXT_MAX_LENGTH } from "./outbox-content.ts";
export type { MailContent, NewMailContent } from "./outbox-content.ts";

export interface NewMail {
  purpose: CaseMail["purpose"];
  /** All of it, made for whom it reaches. */
  content: ForParty<NewMailContent>;
  /** When it is to leave; at once where left out. */
  dueAt?: Date;
  /** Whether somebody chose that time, and did not only leave room for taking it back. */
  isScheduled?: boolean;
  /** Who wrote it, where it leaves by somebody else's mailbox. */
  writtenBy?: string;
  /** The meeting that whoever it goes to booked from outside. */
  visitId?: string;
}

const placeOf = (ownerId: string, id: string) => `email_messages:${ownerId}:${id}`;
defineSealedField({
  collection: "email_messages",
  path: "contentEnc",
  placeOf: (doc) => placeOf(doc.ownerId, doc._id),
});

/** Stores a mail to one person for delivery; call it in the transaction of what it tells of. Throws NOT_FOUND where that was taken back. */
export async function queueMail(scope: Scope, mail: NewMail): Promise<{ id: string }> {
  const { purpose, dueAt = now(), isScheduled = false, writtenBy, visitId = null } = mail;
  const madeFor = madeForOf(mail.content);
  const content = openFor(mail.content, madeFor);
  const { to, alsoTo = [], cc = [] } = content;
  const party = madeFor.caseId && madeFor.partyId ? { caseId: madeFor.caseId, partyId: madeFor.partyId } : null;
  const letter = { clientId: madeFor.clientId, party, answers: [], mail: { to: [to, ...alsoTo], cc } };
  const directory = await directoryOf(scope.ownerId, [letter]);
  // A notice may tell somebody of their leaving.
  const expected = expectedOf(directory, letter.mail, purpose === "letter" ? letter : null);
  const id = newId();
  await inTransaction(async () => {
    const contactIds = await contactsMailed(scope.ownerId, [to, ...alsoTo, ...cc]);
    await takeRecordTurns(scope.ownerId, [madeFor.caseId ?? "", madeFor.clientId ?? "", ...contactIds]);
    await OutboxModel.create([
      {
        _id: id,
        ownerId: scope.ownerId,
        ...madeFor,
        visitId,
        contactIds,
        purpose,
        messageId: `<${id}@${senderDomain()}>`,
        state: "queued",
        dueAt,
        scheduledFor: isScheduled ? dueAt : null,
        contentEnc: sealContent(scope.ownerId, id, { ...content, expected }),
        createdBy: scope.userId,
        ...(writtenBy === undefined ? {} : { writtenBy }),
        createdAt: now(),
      },
    ]);
  });
  return { id };
}

export const sealContent = (ownerId: string, id: string, content: NewMailContent): string =>
  encrypt(JSON.stringify(contentSchema.parse(content)), placeOf(ownerId, id));

export const contentOf = ({
  _id,
  ownerId,
  contentEnc,
}: Pick<OutboxDoc, "_id" | "ownerId" | "contentEnc">): MailContent =>
  contentSchema.parse(JSON.parse(decrypt(contentEnc, placeOf(ownerId, _id))));

export async function toCaseMail(doc: OutboxDoc): Promise<CaseMail> {
  const { toName, to, subject, text, attachments, files, alsoTo, cc } = contentOf(doc);
  const names = [...attachments, ...files].map(({ name }) => name);
  const [shownSubject = "", shownText = "", ...attachmentNames] = await shownToOthers([subject, text, ...names]);
  return {
    toName,
    to,
    subject: shownSubject,
    text: shownText,
    cc: [...alsoTo, ...cc],
    id: doc._id,
    attachmentNames,
    purpose: doc.purpose,
    state: doc.state,
    reason: doc.reason,
    method: doc.method,
    isFallbackUsed: doc.isFallbackUsed,
    warnings: doc.warnings,
    saidToBounce: doc.saidToBounce?.reason ?? "",
    partyId: doc.partyId,
    createdAt: doc.createdAt.toISOString(),
    sendAt: doc.state === "queued" ? (doc.scheduledFor?.toISOString() ?? null) : null,
    sentAt: doc.sentAt?.toISOString() ?? null,
  };
}

async function toRow(doc: OutboxDoc): Promise<CaseMailRow> {
  const mail = await toCaseMail(doc);
  const isCut = mail.text.length > LISTED_TEXT_MAX_LENGTH;
  return { ...mail, isCut, text: mail.text.slice(0, LISTED_TEXT_MAX_LENGTH) };
}

/** The mails to one client, the newest first, of each no more text than a letter has. */
export async function listCaseMail(
  scope: Scope,
  { clientId, page }: z.output<typeof listCaseMailSchema>,
): Promise<z.infer<typeof caseMailPageSchema>> {
  await assertClientsVisible(scope, [clientId]);
  const filter = { ownerId: scope.ownerId, clientId, ...(await ofNoHiddenCase(scope)) };
  const found = OutboxModel.find(filter)
    .sort({ createdAt: -1, _id: -1 })
    .skip((page - 1) * PAGE_SIZE)
    .limit(PAGE_SIZE)
    .lean();
  const [listed, total] = await Promise.all([
    mapFewAtATime(found, async (doc) => ({ row: await toRow(doc), reached: reachedWithoutCase(scope, doc) })),
    OutboxModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  const isHidden = await hiddenAddresses(
    scope,
    listed.flatMap(({ reached }) => reached),
  );
  const items = listed.filter(({ reached }) => !reached.some(isHidden)).map(({ row }) => row);
  return { items, total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/** Whom a mail of no case went to, who may be hidden from this person though its client is not. */
function reachedWithoutCase({ isAssignedOnly }: Scope, doc: OutboxDoc): string[] {
  if (!isAssignedOnly || doc.caseId !== null) return [];
  const { to, alsoTo, cc } = contentOf(doc);
  return [to, ...alsoTo, ...cc];
}

/** How many mails wait or did not leave, of those that this person may see. */
export async function countUnsent(scope: Scope): Promise<number> {
  const filter = { ownerId: scope.ownerId, state: mongoose.trusted({ $in: ["queued", "failed"] as const }) };
  return OutboxModel.countDocuments({ ...filter, ...(await readableBy(scope)) }).limit(COUNT_MAX);
}

/** Whoever may not read mail still knows what they wrote themselves. */
async function readableBy(scope: Scope) {
  const own = can(scope, "mail.read") ? [] : [{ createdBy: scope.userId }];
  return { $and: [await ofVisiblePlaces(scope), await ofNobodyElse(scope), ...own] };
}

/** What has no place, such as a letter to a lead, is its writer's and the owner's; what a visitor is told, theirs who read the booking. */
async function ofNobodyElse(scope: Scope): Promise<QueryFilter<OutboxDoc>> {
  const { userId, role } = scope;
  if (role === ROLES.owner) return {};
  const isPlaced = { $or: [{ caseId: notNull }, { clientId: notNull }] };
  return { $or: [isPlaced, { createdBy: userId }, { writtenBy: userId }, await ofReadVisits(scope)] };
}

const notNull = mongoose.trusted({ $ne: null });

/** Throws NOT_FOUND where this person does not see it. */
export async function requireMail(scope: Scope, id: string): Promise<OutboxDoc> {
  const filter = { ownerId: scope.ownerId, _id: id, ...(await readableBy(scope)) };
  const doc = await OutboxModel.findOne(filter).lean();
  const reached = doc ? reachedWithoutCase(scope, doc) : [];
  if (!doc || reached.some(await hiddenAddresses(scope, reached))) throw notFound("Mail");
  return doc;
}

export const getCaseMail = async (scope: Scope, id: string): Promise<CaseMail> =>
  toCaseMail(await requireMail(scope, id));

/** What whoever queued a mail was told of it. */
export async function getQueuedMail(scope: Scope, id: string): Promise<{ id: string; dueAt: string }> {
  const { dueAt } = await requireMail(scope, id);
  return { id, dueAt: dueAt.toISOString() };
}

/** Those of these mails that we wrote in a case which this person does not see. */
export async function hiddenMails(scope: Scope, messageIds: string[]): Promise<Set<string>> {
  const caseIds = messageIds.length > 0 ? await visibleCaseIds(scope) : null;
  if (!caseIds) return new Set();
  const docs = await OutboxModel.find(
    {
      ownerId: scope.ownerId,
      messageId: mongoose.trusted({ $in: messageIds }),
      caseId: mongoose.trusted({ $nin: [null, ...caseIds] }),
    },
    { messageId: 1 },
  ).lean();
  return new Set(docs.map(({ messageId }) => messageId));
}

/** Those of these mails that the practice wrote, by Message-ID: to whom. */
export async function writtenMails(
  { ownerId }: Scope,
  messageIds: string[],
): Promise<Map<string, { clientId: string | null }>> {
  if (messageIds.length === 0) return new Map();
  const docs = await OutboxModel.find(
    { ownerId, messageId: mongoose.trusted({ $in: messageIds }) },
    { messageId: 1, clientId: 1 },
  ).lean();
  return new Map(docs.map(({ messageId, clientId }) => [messageId, { clientId }]));
}
