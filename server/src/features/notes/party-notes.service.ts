// The notes that a party may read: what they get of a session, and of the whole case.
import type { Case } from "@app/shared/cases";
import { type Note, NOTE_KIND_NAMES } from "@app/shared/notes";
import { plainText } from "@app/shared/rich-text";
import type { Scope } from "../../core/trpc.ts";
import { type GuardedItem, partyReader, readableFilter } from "../cases/visibility.ts";
import { NoteModel, toNote } from "./notes.model.ts";

const SUMMARY_MAX = 500;
const PREVIEW_MAX = 100;

/** The notes of a session that this party may read, the oldest first. */
export async function sessionNotesForParty(scope: Scope, sessionId: string, partyId: string): Promise<Note[]> {
  const docs = await NoteModel.find({
    ownerId: scope.ownerId,
    sessionId,
    deletedAt: null,
    ...readableFilter(partyReader(partyId)),
  })
    .sort({ createdAt: 1, _id: 1 })
    .limit(SUMMARY_MAX)
    .lean();
  return docs.map(toNote);
}

/** The notes of a case that this party may read, the newest first. */
export async function partyNotes(scope: Scope, { id }: Case, partyId: string): Promise<GuardedItem[]> {
  const docs = await NoteModel.find({
    ownerId: scope.ownerId,
    caseId: id,
    deletedAt: null,
    ...readableFilter(partyReader(partyId)),
  })
    .sort({ createdAt: -1, _id: -1 })
    .limit(PREVIEW_MAX)
    .lean();
  return docs.map(({ _id, kind, body, createdAt, visibility }) => ({
    kind: "note",
    id: _id,
    title: NOTE_KIND_NAMES[kind],
    detail: plainText(body),
    at: createdAt.toISOString(),
    visibility,
  }));
}
