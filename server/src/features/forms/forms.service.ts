import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import { formProblems } from "@app/shared/form-checks";
import type { setFormSharingSchema } from "@app/shared/form-sharing";
import { isAsked } from "@app/shared/form-fields";
import type { FormKind } from "@app/shared/form-kinds";
import {
  type CreateForm,
  type Form,
  FORM_NAME_MAX_LENGTH,
  type formListSchema,
  FORMS_MAX,
  type FormRow,
  type listFormsSchema,
  type publishFormSchema,
  type SaveForm,
  type setFormStatusSchema,
} from "@app/shared/forms";
import { PAGE_SIZE } from "@app/shared/product";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { matchingWords } from "../../core/word-search.ts";
import { assertPicturesKept } from "./form-pictures.service.ts";
import { type FormDoc, FormModel, FormVersionModel, namedFields } from "./forms.model.ts";
import { statusOf } from "./form-versions.service.ts";

/** Lead forms are the owner's: for everybody else they are not there. */
const visibleTo = (scope: Scope): QueryFilter<FormDoc> => ({
  ownerId: scope.ownerId,
  ...(scope.ownerId === scope.userId ? {} : { kind: mongoose.trusted({ $ne: "lead" }) }),
});

export async function listForms(
  scope: Scope,
  { page, search, isArchived, kind }: z.output<typeof listFormsSchema>,
): Promise<z.infer<typeof formListSchema>> {
  const filter = { $and: [visibleTo(scope), { isArchived, ...(kind ? { kind } : {}), ...matchingWords(search) }] };
  const owned = { ownerId: scope.ownerId, ...filter };
  const [docs, total] = await Promise.all([
    FormModel.find(owned)
      .sort({ sortName: 1, _id: 1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    FormModel.countDocuments(owned),
  ]);
  return { items: docs.map(toRow), total, isTotalExact: true };
}

export async function getForm(scope: Scope, id: string): Promise<Form> {
  const doc = await findForm(scope, id);
  const version = doc.published && (await versionOf(doc, doc.published.number));
  return toForm(doc, version?.content ?? null);
}

export async function createForm(scope: Scope, { name, kind, content }: CreateForm): Promise<Form> {
  assertMayHave(scope, kind);
  if ((await FormModel.countDocuments({ ownerId: scope.ownerId })) >= FORMS_MAX)
    throw wrongState(`There are ${FORMS_MAX} forms, which is the most. Use one that is there already.`);
  const by = { updatedBy: scope.userId, updatedByName: scope.userName };
  const [doc] = await FormModel.create([{ ownerId: scope.ownerId, ...namedFields(name), kind, content, ...by }]);
  if (!doc) throw new Error("the form that was just stored is missing");
  return toForm(doc.toObject(), null);
}

/** A draft of its own, with the same questions. */
export async function copyForm(scope: Scope, { formId }: { formId: string }): Promise<Form> {
  const { name, kind, content } = await findForm(scope, formId);
  return createForm(scope, { name: `Copy of ${name}`.slice(0, FORM_NAME_MAX_LENGTH), kind, content });
}

/** Keeps the draft, whatever is still missing in it. */
export async function saveForm(scope: Scope, { id, version, name, content }: SaveForm): Promise<Form> {
  const by = { updatedBy: scope.userId, updatedByName: scope.userName };
  const doc = await FormModel.findOneAndUpdate(
    { ...visibleTo(scope), ownerId: scope.ownerId, _id: id, version, isArchived: false },
    { $set: { ...namedFields(name), content, ...by }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (doc) return getForm(scope, id);
  const { isArchived } = await findForm(scope, id);
  if (isArchived) throw wrongState("This form is archived. Bring it back before you change it.");
  throw stale("form");
}

/** From then on people fill in what the draft says. Whoever has begun goes on with the version that they began with. */
export async function publishForm(scope: Scope, { id, version }: z.output<typeof publishFormSchema>): Promise<Form> {
  await inTransaction(async () => {
    const doc = await findForm(scope, id);
    if (doc.version !== version) throw stale("form");
    if (doc.isArchived) throw wrongState("This form is archived. Bring it back before you publish it.");
    if (doc.published?.version === version) throw wrongState("Nothing changed since this form was published.");
    const [problem, ...more] = formProblems(doc.content, doc.kind);
    if (problem) throw wrongState(more.length > 0 ? `${problem.text} And ${more.length} more.` : problem.text);
    await assertPicturesKept(doc.ownerId, doc.content);
    const number = (doc.published?.number ?? 0) + 1;
    const at = now();
    await FormVersionModel.create([
      {
        ownerId: doc.ownerId,
        formId: id,
        number,
        content: doc.content,
        publishedAt: at,
        publishedByName: scope.userName,
      },
    ]);
    await FormModel.updateOne(
      { ownerId: doc.ownerId, _id: id, version },
      { $set: { published: { number, version, at } } },
    );
  });
  return getForm(scope, id);
}

/** Archived, nobody can begin it any more; whoever has begun can still send it. */
export async function setFormStatus(
  scope: Scope,
  { id, isArchived }: z.output<typeof setFormStatusSchema>,
): Promise<Form> {
  await findForm(scope, id);
  await FormModel.updateOne({ ownerId: scope.ownerId, _id: id }, { $set: { isArchived } });
  return getForm(scope, id);
}

/** Of a form for enquiries: nothing else is shown on other websites. */
export async function setFormSharing(
  scope: Scope,
  { id, ...sharing }: z.output<typeof setFormSharingSchema>,
): Promise<Form> {
  const { kind } = await findForm(scope, id);
  if (kind !== "lead") throw wrongState("Only forms for enquiries are shown on websites.");
  await FormModel.updateOne({ ownerId: scope.ownerId, _id: id }, { $set: { sharing } });
  return getForm(scope, id);
}

async function findForm(scope: Scope, id: string): Promise<FormDoc> {
  const doc = await FormModel.findOne({ ...visibleTo(scope), ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Form");
  return doc;
}

const versionOf = ({ ownerId, _id }: FormDoc, number: number) =>
  FormVersionModel.findOne({ ownerId, formId: _id, number }).lean();

function assertMayHave(scope: Scope, kind: FormKind): void {
  if (kind === "lead" && scope.ownerId !== scope.userId) throw notFound("Form");
}

const isChanged = ({ published, version }: FormDoc): boolean => published !== null && published.version !== version;

const toForm = (doc: FormDoc, publishedContent: Form["publishedContent"]): Form => ({
  ...namesOf(doc),
  content: doc.content,
  version: doc.version,
  publishedContent,
  sharing: doc.sharing,
});

const toRow = (doc: FormDoc): FormRow => ({
  ...namesOf(doc),
  questions: doc.content.pages.reduce((sum, { fields }) => sum + fields.filter(isAsked).length, 0),
});

const namesOf = (doc: FormDoc) => ({
  id: doc._id,
  name: doc.name,
  kind: doc.kind,
  status: statusOf(doc),
  publicId: doc.publicId,
  publishedNumber: doc.published?.number ?? null,
  publishedAt: doc.published?.at.toISOString() ?? null,
  isChanged: isChanged(doc),
  updatedAt: doc.updatedAt.toISOString(),
  updatedByName: doc.updatedByName,
});
