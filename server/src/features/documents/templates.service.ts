import mongoose from "mongoose";
import type { z } from "zod";
import { EMPTY_DOCUMENT } from "@app/shared/document-content";
import { ROLES } from "@app/shared/access";
import { type DocumentKind, DOCUMENT_KINDS } from "@app/shared/document-kind-list";
import { isWritten } from "@app/shared/document-kinds";
import { imagesIn } from "@app/shared/document-walk";
import {
  type attendTextSchema,
  type CreateTemplate,
  type getTextVersionSchema,
  type listTemplatesSchema,
  type listTextVersionsSchema,
  type renameTemplateSchema,
  type SaveTemplate,
  type setTemplateStatusSchema,
  type Template,
  TEMPLATE_NAME_MAX_LENGTH,
  type templateListSchema,
  TEMPLATES_MAX,
} from "@app/shared/document-templates";
import { PAGE_SIZE } from "@app/shared/product";
import { mediatorTypeSchema, regionSchema } from "@app/shared/users";
import { now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { badField, forbidden, notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { matchingWords } from "../../core/word-search.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { attend } from "./attendants.ts";
import { assertCertificateWords } from "./certificate-text.service.ts";
import { copyPictures, assertOwnPictures, stored } from "./document-pictures.ts";
import { starterDocuments } from "./starters/starter-documents.ts";
import { namedFields, type TemplateDoc, TemplateModel, toTemplate, toTemplateRow } from "./templates.model.ts";
import { getTextVersion, keepTextVersion, listTextVersions } from "./text-versions.ts";

/** The practice gets those to begin with that its kind of mediation has and it never had. */
export async function listTemplates(
  scope: Scope,
  { page, search, isArchived, kind, isWritten: isOfWritten }: z.output<typeof listTemplatesSchema>,
): Promise<z.infer<typeof templateListSchema>> {
  await insertStarters(scope);
  const kinds = DOCUMENT_KINDS.filter((one) => (!kind || one === kind) && (!isOfWritten || isWritten(one)));
  const filter = {
    ownerId: scope.ownerId,
    isArchived,
    kind: mongoose.trusted({ $in: kinds }),
    ...matchingWords(search),
  };
  const [docs, total] = await Promise.all([
    TemplateModel.find(filter, { content: 0 })
      .sort({ sortName: 1, _id: 1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    TemplateModel.countDocuments(filter),
  ]);
  return { items: docs.map(toTemplateRow), total, isTotalExact: true };
}

async function insertStarters({ ownerId }: Scope): Promise<void> {
  const owner = await findIdentityUser(ownerId);
  if (!owner) throw notFound("Practice");
  const starters = starterDocuments(mediatorTypeSchema.parse(owner.mediator_type), regionSchema.parse(owner.region));
  const keys = starters.map(({ starterKey }) => starterKey);
  const had = await TemplateModel.distinct("starterKey", { ownerId, starterKey: mongoose.trusted({ $in: keys }) });
  for (const { starterKey, name, kind, content } of starters.filter((one) => !had.includes(one.starterKey))) {
    try {
      await TemplateModel.create([
        { ownerId, starterKey, ...namedFields(name), kind, ...stored(content), savedAt: now() },
      ]);
    } catch (error) {
      // Somebody else of the practice opened the list in the same moment.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

export async function getTemplate(scope: Scope, id: string): Promise<Template> {
  return toTemplate(await findTemplate(scope, id));
}

export function createTemplate(scope: Scope, { name, kind }: CreateTemplate): Promise<Template> {
  assertWritten(kind);
  return insertTemplate(scope, { name, kind, content: EMPTY_DOCUMENT });
}

/** Of what the product makes by itself there is one template. */
function assertWritten(kind: DocumentKind): void {
  if (!isWritten(kind))
    throw badField("kind", "There is one template for certificates. Change that one, or choose another kind.");
}

/** A text of its own, with the same words. */
export async function copyTemplate(scope: Scope, { templateId }: { templateId: string }): Promise<Template> {
  const { name, kind, content } = await findTemplate(scope, templateId);
  assertWritten(kind);
  const copied = { name: `Copy of ${name}`.slice(0, TEMPLATE_NAME_MAX_LENGTH), kind, content };
  return inTransaction(async () => {
    const made = await insertTemplate(scope, copied);
    await copyPictures(scope.ownerId, content, { from: templateId, to: made.id });
    return made;
  });
}

async function insertTemplate(
  scope: Scope,
  { name, kind, content }: { name: string; kind: DocumentKind; content: TemplateDoc["content"] },
): Promise<Template> {
  if ((await TemplateModel.countDocuments({ ownerId: scope.ownerId })) >= TEMPLATES_MAX)
    throw wrongState(`There are ${TEMPLATES_MAX} templates, which is the most. Change one that is there already.`);
  const [doc] = await TemplateModel.create([
    { ownerId: scope.ownerId, ...namedFields(name), kind, ...stored(content), ...savedNow(scope) },
  ]);
  if (!doc) throw new Error("the template that was just stored is missing");
  return toTemplate(doc.toObject());
}

const savedNow = (scope: Scope) => ({ savedAt: now(), savedBy: scope.userId, savedByName: scope.userName });

export async function saveTemplate(scope: Scope, input: SaveTemplate): Promise<Template> {
  const { id, version, name, content, isRestored } = input;
  return inTransaction(async () => {
    const before = await assertChangeable(scope, { id, version });
    if (!isWritten(before.kind)) assertCertificateWords(content);
    if (!isWritten(before.kind) && imagesIn(content).length > 0)
      throw badField("content", "A certificate has no pictures but the logo of the practice. Take them out.");
    await assertOwnPictures(scope.ownerId, id, content);
    await keepTextVersion(scope, before, isRestored);
    return change(scope, { id, version }, { ...namedFields(name), ...stored(content) });
  });
}

export async function renameTemplate(
  scope: Scope,
  { id, version, name }: z.output<typeof renameTemplateSchema>,
): Promise<Template> {
  return inTransaction(async () => {
    await assertChangeable(scope, { id, version });
    return change(scope, { id, version }, namedFields(name));
  });
}

interface Versioned {
  id: string;
  version: number;
}

async function assertChangeable(scope: Scope, { id, version }: Versioned): Promise<TemplateDoc> {
  const doc = await findTemplate(scope, id);
  assertMayWord(scope, doc);
  assertNotArchived(doc);
  if (doc.version !== version) throw stale("template");
  return doc;
}

/** What a certificate says is the word of the practice. */
function assertMayWord({ role }: Scope, { kind }: Pick<TemplateDoc, "kind">): void {
  if (!isWritten(kind) && role !== ROLES.owner)
    throw forbidden("Only the owner of the practice changes how certificates read. Ask them.");
}

export function assertNotArchived({ isArchived }: Pick<TemplateDoc, "isArchived">): void {
  if (isArchived) throw wrongState("This template is archived. Bring it back before you change it.");
}

async function change(scope: Scope, { id, version }: Versioned, fields: Partial<TemplateDoc>): Promise<Template> {
  const doc = await TemplateModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: id, version, isArchived: false },
    { $set: { ...fields, ...savedNow(scope) }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) throw stale("template");
  return toTemplate(doc);
}

/** Archived, nothing is made of it any more; what was made of it stays. */
export async function setTemplateStatus(
  scope: Scope,
  { id, isArchived }: z.output<typeof setTemplateStatusSchema>,
): Promise<Template> {
  assertMayWord(scope, await findTemplate(scope, id));
  const doc = await TemplateModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: id },
    { $set: { isArchived } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) throw notFound("Template");
  return toTemplate(doc);
}

export async function listTemplateVersions(scope: Scope, input: z.output<typeof listTextVersionsSchema>) {
  await findTemplate(scope, input.id);
  return listTextVersions(scope, input);
}

export async function getTemplateVersion(scope: Scope, input: z.output<typeof getTextVersionSchema>) {
  await findTemplate(scope, input.id);
  return getTextVersion(scope, input);
}

export async function attendTemplate(scope: Scope, input: z.output<typeof attendTextSchema>) {
  await findTemplate(scope, input.id);
  return attend(scope, input);
}

async function findTemplate({ ownerId }: Scope, id: string): Promise<TemplateDoc> {
  const doc = await TemplateModel.findOne({ ownerId, _id: id }).lean();
  if (!doc) throw notFound("Template");
  return doc;
}

/** What a document is made of: an archived one is none. */
export async function templateForDocument(scope: Scope, id: string): Promise<Template> {
  const template = await getTemplate(scope, id);
  if (template.isArchived) throw badField("templateId", "This template is archived. Choose another one.");
  return template;
}
