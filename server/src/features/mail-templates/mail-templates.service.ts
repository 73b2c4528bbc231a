import mongoose from "mongoose";
import type { z } from "zod";
import {
  type CreateTemplate,
  type MailTemplate,
  type templateListSchema,
  TEMPLATES_MAX,
  type TemplateRow,
  type updateTemplateSchema,
} from "@app/shared/mail-templates";
import type { MediatorType, Region } from "@app/shared/regions";
import { now } from "../../core/clock.ts";
import { isDuplicateKey } from "../../core/database.ts";
import { notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { invitationsOf } from "./invitation-templates.ts";
import { LEAD_REPLY } from "./lead-reply.ts";
import type { Starter } from "./starter.ts";
import { starterTemplates } from "./starter-templates.ts";
import { type TemplateDoc, TemplateModel } from "./mail-templates.model.ts";

/** The practice's templates by name; it gets those to begin with that its kind of mediation has and it never had. */
export async function listTemplates(
  scope: Scope,
  { mediatorType, region }: { mediatorType: MediatorType; region: Region },
): Promise<z.infer<typeof templateListSchema>> {
  await insertStarters(scope, starterTemplates(mediatorType, region));
  const docs = await TemplateModel.find({ ownerId: scope.ownerId, deletedAt: null }, { body: 0 })
    .sort({ name: 1, _id: 1 })
    .limit(TEMPLATES_MAX)
    .lean();
  return { items: docs.map(toRow) };
}

export async function getTemplate({ ownerId }: Scope, id: string): Promise<MailTemplate> {
  const doc = await TemplateModel.findOne({ ownerId, _id: id, deletedAt: null }).lean();
  if (!doc) throw notFound("Template");
  return toTemplate(doc);
}

/** The template for an attempt in a case of this kind, which may be another than the practice mostly has. Null for none. */
export async function invitationTemplate(
  scope: Scope,
  { kind, region }: { kind: MediatorType; region: Region },
  idOrKey: string,
): Promise<MailTemplate | null> {
  await insertStarters(
    scope,
    invitationsOf(kind, region).filter(({ starterKey }) => starterKey === idOrKey),
  );
  const { ownerId } = scope;
  const byEither = [{ _id: idOrKey }, { starterKey: idOrKey }];
  const doc = await TemplateModel.findOne({ ownerId, deletedAt: null, $or: byEither }).lean();
  return doc && toTemplate(doc);
}

/** What whoever sends an enquiry gets at once. Null where the practice deleted it. */
export async function leadReplyTemplate(scope: Scope): Promise<MailTemplate | null> {
  await insertStarters(scope, [LEAD_REPLY]);
  const { ownerId } = scope;
  const doc = await TemplateModel.findOne({ ownerId, deletedAt: null, starterKey: LEAD_REPLY.starterKey }).lean();
  return doc && toTemplate(doc);
}

async function insertStarters({ ownerId }: Scope, starters: readonly Starter[]): Promise<void> {
  const keys = starters.map(({ starterKey }) => starterKey);
  const had = await TemplateModel.distinct("starterKey", { ownerId, starterKey: mongoose.trusted({ $in: keys }) });
  for (const starter of starters.filter(({ starterKey }) => !had.includes(starterKey))) {
    try {
      await TemplateModel.create([{ ...starter, ownerId }]);
    } catch (error) {
      // Somebody else opened the list at the same moment.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

export async function createTemplate({ ownerId }: Scope, template: CreateTemplate): Promise<MailTemplate> {
  if ((await TemplateModel.countDocuments({ ownerId, deletedAt: null })) >= TEMPLATES_MAX)
    throw wrongState(`There are ${TEMPLATES_MAX} templates, which is the most. Delete one that nobody uses.`);
  const [doc] = await TemplateModel.create([{ ...template, ownerId }]);
  if (!doc) throw new Error("the template that was just stored is missing");
  return toTemplate(doc.toObject());
}

export async function updateTemplate(
  { ownerId }: Scope,
  { id, version, ...fields }: z.output<typeof updateTemplateSchema>,
): Promise<MailTemplate> {
  const doc = await TemplateModel.findOneAndUpdate(
    { ownerId, _id: id, version, deletedAt: null },
    { $set: fields, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (doc) return toTemplate(doc);
  if (await TemplateModel.exists({ ownerId, _id: id, deletedAt: null })) throw stale("template");
  throw notFound("Template");
}

/** Deletes, which can be undone. */
export const removeTemplate = (scope: Scope, id: string): Promise<MailTemplate> => setDeleted(scope, id, now());
export const restoreTemplate = (scope: Scope, id: string): Promise<MailTemplate> => setDeleted(scope, id, null);

async function setDeleted({ ownerId }: Scope, id: string, deletedAt: Date | null): Promise<MailTemplate> {
  const doc = await TemplateModel.findOneAndUpdate(
    { ownerId, _id: id },
    { $set: { deletedAt }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) throw notFound("Template");
  return toTemplate(doc);
}

type Row = Omit<TemplateDoc, "body">;
const toRow = ({ _id, starterKey, name, subject, version, updatedAt }: Row): TemplateRow => ({
  id: _id,
  starterKey,
  name,
  subject,
  version,
  updatedAt: updatedAt.toISOString(),
});

const toTemplate = (doc: TemplateDoc): MailTemplate => ({ ...toRow(doc), body: doc.body });
