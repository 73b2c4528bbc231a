import type { z } from "zod";
import { type listNoteVersionsSchema, type noteVersionPageSchema, VERSION_AFTER_MINUTES } from "@app/shared/notes";
import { PAGE_SIZE } from "@app/shared/product";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { notFound } from "../../core/errors.ts";
import { mapFewAtATime } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { readableNote } from "./note-access.ts";
import { NoteVersionModel, toNoteVersion } from "./note-versions.model.ts";
import type { NoteDoc } from "./notes.model.ts";

/** Whether the text as it stands is kept before this person's save replaces it. */
export const makesVersion = (doc: NoteDoc, scope: Scope): boolean =>
  doc.savedBy !== scope.userId || now().getTime() - doc.savedAt.getTime() > VERSION_AFTER_MINUTES * MINUTE_MS;

/** Keeps the text as it stands; call it in the transaction of the save that replaces it. */
export async function keepVersion({
  ownerId,
  _id,
  version,
  body,
  savedAt,
  savedBy,
  savedByName,
}: NoteDoc): Promise<void> {
  await NoteVersionModel.create([{ ownerId, noteId: _id, version, body, savedAt, savedBy, savedByName }]);
}

/** Earlier texts of a note, the newest first, for whoever may read the note as it stands. */
export async function listNoteVersions(
  scope: Scope,
  { id, page }: z.output<typeof listNoteVersionsSchema>,
): Promise<z.infer<typeof noteVersionPageSchema>> {
  const { doc } = await readableNote(scope, id);
  if (doc.deletedAt !== null) throw notFound("Note");
  const filter = { ownerId: scope.ownerId, noteId: id };
  const found = NoteVersionModel.find(filter)
    .sort({ version: -1 })
    .skip((page - 1) * PAGE_SIZE)
    .limit(PAGE_SIZE)
    .lean();
  const [items, total] = await Promise.all([
    mapFewAtATime(found, toNoteVersion),
    NoteVersionModel.countDocuments(filter),
  ]);
  return { items, total, isTotalExact: true };
}
