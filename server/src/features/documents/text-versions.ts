// Earlier texts of templates and documents. Whoever calls has asked whether this person may read the text as it stands.
import mongoose from "mongoose";
import type { z } from "zod";
import { documentContentSchema } from "@app/shared/document-content";
import {
  type getTextVersionSchema,
  type listTextVersionsSchema,
  type TextVersion,
  type textVersionListSchema,
  VERSION_AFTER_MINUTES,
  VERSIONS_MAX,
  type wholeTextVersionSchema,
} from "@app/shared/document-templates";
import { PAGE_SIZE } from "@app/shared/product";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type TextVersionDoc, TextVersionModel } from "./text-versions.model.ts";

interface Text extends Pick<
  TextVersionDoc,
  "ownerId" | "version" | "content" | "pictureIds" | "savedAt" | "savedByName"
> {
  _id: string;
  savedBy: string;
}

/** Keeps the text as it stands, where it is not the same person's of just now; in the transaction of the save. */
export async function keepTextVersion(scope: Scope, text: Text, isAsked: boolean): Promise<void> {
  const isRecent = now().getTime() - text.savedAt.getTime() <= VERSION_AFTER_MINUTES * MINUTE_MS;
  if (text.savedBy === scope.userId && isRecent && !isAsked) return;
  const { ownerId, _id, version, content, pictureIds, savedAt, savedByName } = text;
  await TextVersionModel.create([{ ownerId, textId: _id, version, content, pictureIds, savedAt, savedByName }]);
  const [tooMany] = await TextVersionModel.find({ ownerId, textId: _id }, { version: 1 })
    .sort({ version: -1 })
    .skip(VERSIONS_MAX)
    .limit(1)
    .lean();
  if (!tooMany) return;
  const oldest = mongoose.trusted({ $lte: tooMany.version });
  await TextVersionModel.deleteMany({ ownerId, textId: _id, version: oldest });
}

export async function listTextVersions(
  { ownerId }: Scope,
  { id, page }: z.output<typeof listTextVersionsSchema>,
): Promise<z.infer<typeof textVersionListSchema>> {
  const filter = { ownerId, textId: id };
  const [docs, total] = await Promise.all([
    TextVersionModel.find(filter, { content: 0 })
      .sort({ version: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    TextVersionModel.countDocuments(filter),
  ]);
  return { items: docs.map(toTextVersion), total, isTotalExact: true };
}

export async function getTextVersion(
  { ownerId }: Scope,
  { id, version }: z.output<typeof getTextVersionSchema>,
): Promise<z.infer<typeof wholeTextVersionSchema>> {
  const doc = await TextVersionModel.findOne({ ownerId, textId: id, version }).lean();
  if (!doc) throw notFound("Version");
  return { ...toTextVersion(doc), content: documentContentSchema.parse(doc.content) };
}

const toTextVersion = ({
  version,
  savedAt,
  savedByName,
}: Pick<TextVersionDoc, "version" | "savedAt" | "savedByName">): TextVersion => ({
  version,
  savedAt: savedAt.toISOString(),
  savedByName,
});
