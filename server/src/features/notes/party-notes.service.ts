// The notes that a party may read: what they get of a session, and of the whole case.
import type { Case } from "@app/shared/cases";
import { type Note, NOTE_KIND_NAMES } from "@app/shared/notes";
import { plainText } from "@app/shared/rich-text";
import type { Scope } from "../../core/trpc.ts";
import { type ForParty, readableFor, type Recipient } from "../visibility/for-party.ts";
import { type GuardedItem, partyReader, readableFilter } from "../visibility/visibility.ts";
import { NoteModel, toNote } from "./notes.model.ts";

const SUMMARY_MAX = 500;
const PREVIEW_MAX = 100;

/** The notes of a session that this party may read, the oldest first. */
export async function sessionNotesForParty(
  scope: Scope,
  sessionId: string,
  to: Recipient,
): Promise<ForParty<readonly Note[]>> {
  const docs = await NoteModel.find({
    ownerId: scope.ownerId,
    sessionId,
    deletedAt: null,
    ...readableFilter(partyReader(to.partyId)),
  })
    .sort({ createdAt: 1, _id: 1 })
    .limit(SUMMARY_MAX)
    .lean();
  return readableFor(to, docs.map(toNote));
}

/** The notes of a case that this party may read, the newest first. */
export async function partyNotes(
  scope: Scope,
  theCase: Case,
  partyId: string,
): Promise<ForParty<readonly GuardedItem[]>> {
  const docs = await NoteModel.find({
    ownerId: scope.ownerId,
    caseId: theCase.id,
    deletedAt: null,
    ...readableFilter(partyReader(partyId)),
  })
    .sort({ createdAt: -1, _id: -1 })
    .limit(PREVIEW_MAX)
    .lean();
  const items = docs.map(({ _id, kind, body, createdAt, visibility }): GuardedItem => ({
    kind: "note",
    id: _id,
    title: NOTE_KIND_NAMES[kind],
    detail: plainText(body),
    at: createdAt.toISOString(),
    visibility,
  }));
  return readableFor({ theCase, partyId }, items);
}
