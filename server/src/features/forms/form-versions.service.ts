// What people fill in: the published versions of forms, found by what stands in the address.
import type { FormContent } from "@app/shared/form-content";
import type { FormKind } from "@app/shared/form-kinds";
import type { FormSharing } from "@app/shared/form-sharing";
import type { FormStatus } from "@app/shared/forms";
import { notFound } from "../../core/errors.ts";
import { memoryOf } from "../../core/memory.ts";
import { type FormDoc, FormModel, FormVersionModel } from "./forms.model.ts";
import { contentOfVersion } from "./version-contents.ts";

const VERSIONS_AT_ONCE = 5;

export interface PublishedForm {
  ownerId: string;
  formId: string;
  kind: FormKind;
  /** Within the practice. */
  name: string;
  publicId: string;
  number: number;
  content: FormContent;
  sharing: FormSharing;
  /** Nobody begins it any more. */
  isArchived: boolean;
}

export const statusOf = ({ isArchived, published }: Pick<FormDoc, "isArchived" | "published">): FormStatus => {
  if (isArchived) return "archived";
  return published ? "published" : "draft";
};

const published = memoryOf(["forms"], async (publicId) => {
  const doc = await FormModel.findOne({ publicId }).setOptions({ anyOwner: true }).lean();
  return doc?.published ? versionNumbered(doc, doc.published.number) : null;
});

/** The version that people fill in now, by the public id; null where there is none. Whose it is the answer says. */
export const findPublished = (publicId: string): Promise<PublishedForm | null> => published.recall(publicId);

/** The same by its id within a practice: NOT_FOUND where it was never published. */
export async function getPublished(ownerId: string, formId: string): Promise<PublishedForm> {
  const doc = await FormModel.findOne({ ownerId, _id: formId }).lean();
  const found = doc?.published ? await versionNumbered(doc, doc.published.number) : null;
  if (!found) throw notFound("Form");
  return found;
}

/** All that was ever asked, the newest first. */
export async function* contentsOfAllVersions(
  ownerId: string,
  formId: string,
): AsyncGenerator<Pick<PublishedForm, "number" | "content">> {
  const versions = FormVersionModel.find({ ownerId, formId }, { number: 1, content: 1 }).sort({ number: -1 }).lean();
  for await (const { number, content } of versions.cursor({ batchSize: VERSIONS_AT_ONCE })) yield { number, content };
}

/** A version that somebody began with, also where there are later ones. */
export async function getVersion(ownerId: string, formId: string, number: number): Promise<PublishedForm> {
  const doc = await FormModel.findOne({ ownerId, _id: formId }).lean();
  const found = doc && (await versionNumbered(doc, number));
  if (!found) throw notFound("Form");
  return found;
}

async function versionNumbered(doc: FormDoc, number: number): Promise<PublishedForm | null> {
  const { ownerId, _id: formId, kind, name, publicId, sharing, isArchived } = doc;
  const content = await contentOfVersion(doc, number);
  return content && { ownerId, formId, kind, name, publicId, number, content, sharing, isArchived };
}
