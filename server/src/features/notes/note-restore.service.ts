import type { z } from "zod";
import type { restoreNoteVersionSchema, Note } from "@app/shared/notes";
import { inTransaction } from "../../core/database.ts";
import { notFound, stale } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertNotReleased, assertOpen, readableNote } from "./note-access.ts";
import { NoteVersionModel } from "./note-versions.model.ts";
import { keepVersion } from "./note-versions.service.ts";
import { NoteModel, storedBody, toNote } from "./notes.model.ts";
import { savedNow, savedBefore } from "./notes.service.ts";

/** Brings an earlier text back. The present one is kept as a version, and who may read the note stays as it is. */
export async function restoreNoteVersion(
  scope: Scope,
  { id, version, restored, saveId }: z.infer<typeof restoreNoteVersionSchema>,
): Promise<Note> {
  return inTransaction(async () => {
    const { doc } = await readableNote(scope, id);
    assertOpen(doc);
    if (doc.version !== version) return savedBefore(doc, saveId);
    assertNotReleased(doc);
    const kept = await NoteVersionModel.findOne({ ownerId: scope.ownerId, noteId: id, version: restored }).lean();
    if (!kept) throw notFound("Version");
    await keepVersion(doc);
    const saved = await NoteModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id, version },
      { $set: { ...storedBody(kept.body), ...savedNow(scope), saveId }, $inc: { version: 1 } },
      { returnDocument: "after", lean: true },
    );
    if (!saved) throw stale("note");
    return toNote(saved);
  });
}
