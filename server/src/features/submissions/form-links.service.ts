// Links by which one client fills in a form: made, handed on, and taken back.
import { can } from "@app/shared/access";
import mongoose from "mongoose";
import type {
  CreateFormLink,
  FormLink,
  formLinkPageSchema,
  listFormLinksSchema,
  OpenFormLink,
} from "@app/shared/form-links";
import { PAGE_SIZE } from "@app/shared/product";
import type { LinkState } from "@app/shared/submission-limits";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { z } from "zod";
import { DAY_MS, now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, forbidden, isNotFound, missingWith, notFound, wrongState } from "../../core/errors.ts";
import { newId, newToken } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { rightsNow, scopeNow } from "../access/standing.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { addressEnteredBy } from "../clients/client-addresses.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { formNames } from "../forms/form-names.service.ts";
import { getPublished, getVersion } from "../forms/form-versions.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { statesOfMails } from "../outbox/outbox-use.service.ts";
import { colleagues } from "../users/users.service.ts";
import { assertSees, mayReadKind, needsOfForm, readsAnswers, seenBy } from "./answer-readers.ts";
import { askedBy, noteShown } from "./asked-by-links.ts";
import { formAddress } from "./form-address.service.ts";
import { type FormLinkDoc, FormLinkModel, sealToken, tokenOf } from "./form-links.model.ts";
import { type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

const LINKS_OF_CLIENT_MAX = 500;

export async function createFormLink(
  scope: Scope,
  { formId, clientId, caseId, days }: CreateFormLink,
): Promise<FormLink> {
  const partyId = await partyOfClient(scope, { clientId, caseId });
  const form = await getPublished(scope.ownerId, formId);
  if (form.kind === "lead" || !mayReadKind(scope, form.kind)) throw notFound("Form");
  if (form.isArchived) throw wrongState("This form is archived, so nobody can begin it. Bring it back first.");
  if ((await FormLinkModel.countDocuments({ ownerId: scope.ownerId, clientId })) >= LINKS_OF_CLIENT_MAX)
    throw wrongState(`This client has ${LINKS_OF_CLIENT_MAX} links, which is the most.`);
  const _id = newId();
  const token = newToken();
  const at = now();
  const [doc] = await FormLinkModel.create([
    {
      _id,
      ownerId: scope.ownerId,
      formId,
      clientId,
      caseId,
      partyId,
      tokenHash: hashToken(token),
      tokenEnc: sealToken(scope.ownerId, _id, token),
      expiresAt: new Date(at.getTime() + days * DAY_MS),
      submissionId: newId(),
      createdBy: scope.userId,
      createdByName: scope.userName,
      createdAt: at,
    },
  ]);
  if (!doc) throw new Error("the link that was just stored is missing");
  await tellOf(scope, doc.toObject(), `Link to a form made: ${form.name}`);
  return oneLink(scope, doc.toObject());
}

/** Throws where the client is not seen, or is no party of the case. Call it in the transaction that keeps something of them. */
export async function partyOfClient(
  scope: Scope,
  { clientId, caseId }: Pick<CreateFormLink, "clientId" | "caseId">,
): Promise<string | null> {
  await assertClientsVisible(scope, [clientId]);
  if (!caseId) return null;
  const party = (await getCase(scope, caseId)).parties.find((one) => one.clientId === clientId);
  if (!party) throw badField("caseId", "This client is not a party to the case. Choose another case.");
  await assertStillParties(scope.ownerId, caseId, [party.partyId]);
  return party.partyId;
}

export async function listFormLinks(
  scope: Scope,
  { clientId, page }: z.output<typeof listFormLinksSchema>,
): Promise<z.infer<typeof formLinkPageSchema>> {
  await assertClientsVisible(scope, [clientId]);
  const filter = { $and: [await seenBy(scope)], ownerId: scope.ownerId, clientId };
  const [docs, total] = await Promise.all([
    FormLinkModel.find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    FormLinkModel.countDocuments(filter),
  ]);
  return { items: await toLinks(scope, docs), total, isTotalExact: true };
}

export async function findFormLink(scope: Scope, id: string): Promise<FormLinkDoc> {
  const doc = await FormLinkModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Link");
  // As one that is not there.
  await missingWith("Link", assertSees(scope, doc));
  return doc;
}

export const getFormLink = async (scope: Scope, id: string): Promise<FormLink> =>
  oneLink(scope, await findFormLink(scope, id));

/** With the address: for whoever may hand it on. */
export async function openFormLink(scope: Scope, id: string): Promise<OpenFormLink> {
  const doc = await findFormLink(scope, id);
  const link = await oneLink(scope, doc);
  if (link.state === "revoked" || link.state === "expired")
    throw wrongState("This link does not work any more. Make a new one.");
  const whenMayNot = "This form asks for what you may not read, so its link is not shown to you. Send it by email.";
  if (!(await mayHaveAddress(scope, doc))) throw forbidden(whenMayNot);
  await noteShown(scope, doc);
  // Somebody may have published a version, and begun it, meanwhile.
  if (!(await mayHaveAddress(scope, doc))) throw forbidden(whenMayNot);
  return { ...link, address: await addressOf(doc) };
}

/**
 * Whether this person may have the address: whoever has it reads and changes what was saved by it, so they have to read
 * all of that, by the version that was begun and by the one that is asked now.
 */
export async function mayHaveAddress(scope: Scope, doc: FormLinkDoc): Promise<boolean> {
  const { ownerId } = scope;
  const theCase = await assertSees(scope, doc);
  const [newest, begun] = await Promise.all([
    getPublished(ownerId, doc.formId),
    SubmissionModel.findOne({ ownerId, _id: doc.submissionId }, { formNumber: 1 }).lean(),
  ]);
  const next = await askedBy(doc, newest);
  const asked = begun ? [next, await getVersion(ownerId, doc.formId, begun.formNumber)] : [next];
  const reads = readsAnswers(scope, theCase, doc);
  return asked.every(({ content }) =>
    content.pages.every(({ fields }) => fields.every((field) => !("sensitivity" in field) || reads(content, field))),
  );
}

/** Who of the staff entered the client's address since the link was made; empty where nobody did. */
export async function enteredSince({ ownerId, clientId, createdAt }: FormLinkDoc): Promise<string> {
  const userId = await addressEnteredBy(ownerId, clientId, createdAt);
  return userId === ownerId ? "" : userId;
}

/** Whether that is somebody who may not have the link. */
export async function isEnteredByOther(doc: FormLinkDoc, log: Logger): Promise<boolean> {
  const userId = await enteredSince(doc);
  if (userId === "") return false;
  const person = await scopeNow({ ownerId: doc.ownerId, userId }, ["clients.read"], log);
  const mayHave = person !== null && (await mayHaveAddress(person, doc).catch(unlessNotFound));
  return !mayHave;
}

/** Whether everybody who had its address may have it still. */
export async function mayAllHaveIt(doc: FormLinkDoc): Promise<boolean> {
  const { ownerId, shownNumber } = doc;
  // Of one that was shown before it was noted to whom, it may have been anybody, also who left since.
  const anybody = shownNumber === undefined ? [] : (await colleagues(ownerId)).map(({ userId }) => userId);
  for (const userId of doc.shownTo ?? anybody) {
    if (userId === ownerId) continue;
    const person = await rightsNow({ ownerId, userId });
    if (!person || !can(person, "clients.read")) return false;
    if (!(await mayHaveAddress(person, doc).catch(unlessNotFound))) return false;
  }
  return true;
}

/** Whoever may not know of it may not have it either. */
function unlessNotFound(error: unknown): false {
  if (!isNotFound(error)) throw error;
  return false;
}

export async function addressOf(doc: FormLinkDoc): Promise<string> {
  const form = (await formNames(doc.ownerId, [doc.formId])).get(doc.formId);
  if (!form) throw notFound("Form");
  return formAddress(form.publicId, tokenOf(doc));
}

/** From then on the link leads nowhere; what was saved by it stays with the practice once it was sent in. */
export async function revokeFormLink(scope: Scope, { id }: { id: string }): Promise<FormLink> {
  const doc = await findFormLink(scope, id);
  await inTransaction(async () => {
    const { modifiedCount } = await FormLinkModel.updateOne(
      { ownerId: scope.ownerId, _id: id, revokedAt: null },
      { $set: { revokedAt: now() } },
    );
    if (modifiedCount > 0) await tellOf(scope, doc, "Link to a form taken back");
  });
  return getFormLink(scope, id);
}

export async function tellOf(scope: Scope, { formId, caseId, clientId }: FormLinkDoc, text: string): Promise<void> {
  const needs = await needsOfForm(scope.ownerId, formId);
  await recordEvent(scope, { kind: "client", text, caseId, clientIds: [clientId], visibility: PRACTICE_ONLY, needs });
}

async function oneLink(scope: Scope, doc: FormLinkDoc): Promise<FormLink> {
  const [link] = await toLinks(scope, [doc]);
  if (!link) throw notFound("Link");
  return link;
}

async function toLinks(scope: Scope, docs: readonly FormLinkDoc[]): Promise<FormLink[]> {
  const { ownerId } = scope;
  const mailIds = docs.flatMap(({ mails }) => mails.map(({ mailId }) => mailId));
  const ids = mongoose.trusted({ $in: docs.map(({ submissionId }) => submissionId) });
  const [forms, states, begun] = await Promise.all([
    formNames(ownerId, [...new Set(docs.map(({ formId }) => formId))]),
    statesOfMails(scope, mailIds),
    SubmissionModel.find({ ownerId, _id: ids }, { contentEnc: 0 }).lean(),
  ]);
  return docs.map((doc) => {
    const submission = begun.find(({ _id }) => _id === doc.submissionId) ?? null;
    const left = doc.mails.filter(({ mailId }) => states.get(mailId) === "sent");
    const lastOf = (kind: "sent" | "reminded") => left.findLast((mail) => mail.kind === kind)?.at.toISOString() ?? null;
    const { _id: id, formId, clientId, caseId, createdByName, task } = doc;
    return {
      id,
      formId,
      formName: forms.get(formId)?.name ?? "A form",
      kind: forms.get(formId)?.kind ?? "questionnaire",
      clientId,
      caseId,
      state: stateOf(doc, submission, left.length > 0),
      createdAt: doc.createdAt.toISOString(),
      createdByName,
      expiresAt: doc.expiresAt.toISOString(),
      sentAt: lastOf("sent"),
      remindedAt: lastOf("reminded"),
      openedAt: doc.openedAt?.toISOString() ?? null,
      savedAt: submission?.savedAt.toISOString() ?? null,
      submittedAt: submission?.submittedAt?.toISOString() ?? null,
      task,
      submissionId: submission && submission.status !== "in_progress" ? submission._id : null,
    };
  });
}

/** What was recorded last; that it was sent in stays true also where the link is over. */
function stateOf(doc: FormLinkDoc, submission: Pick<SubmissionDoc, "submittedAt"> | null, hasLeft: boolean): LinkState {
  if (submission?.submittedAt) return "done";
  if (doc.revokedAt) return "revoked";
  if (doc.expiresAt <= now()) return "expired";
  if (submission) return "half_done";
  if (doc.openedAt) return "opened";
  return hasLeft ? "sent" : "made";
}
