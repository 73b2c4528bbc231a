import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import {
  type CreateNote,
  type ListedNote,
  type listNotesSchema,
  type Note,
  type notePageSchema,
  type SessionNote,
  type UpdateNote,
} from "@app/shared/notes";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import type { RichText } from "@app/shared/rich-text";
import { lineVisibility, type Visibility } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, stale } from "../../core/errors.ts";
import { mapFewAtATime } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertPartiesStay } from "../cases/named-parties.service.ts";
import { narrowed, readableFilter, staffReader } from "../visibility/visibility.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { narrowLines, recordEvent } from "../history/history.service.ts";
import {
  assertMayHold,
  assertMayWriteFor,
  assertNotReleased,
  assertOpen,
  assertSaidAtMiam,
  eventText,
  placeOfNew,
  readableNote,
} from "./note-access.ts";
import { matchingSearch, searchNotes } from "./note-search.ts";
import { keepVersion, makesVersion } from "./note-versions.service.ts";
import { assertNotTakenBack } from "./taken-back.service.ts";
import { IN_ORDER, type NoteDoc, NoteModel, storedBody, toNote } from "./notes.model.ts";

type ListInput = z.output<typeof listNotesSchema>;
type Filter = QueryFilter<NoteDoc>;

/** Of the notes of one page. */
const RELEASES_MAX = 200;

async function readablePlaces(scope: Scope, { clientId, caseId }: ListInput): Promise<Filter[]> {
  const places: Filter[] = [];
  if (caseId) {
    const theCase = await getCase(scope, caseId);
    places.push({ caseId, ...readableFilter(staffReader(scope, theCase)) });
  }
  if (clientId) {
    await assertClientsVisible(scope, [clientId]);
    places.push({ clientId, caseId: null, ...readableFilter(staffReader(scope, null)) });
  }
  if (places.length === 0) throw badField("caseId", "Choose a client or a case.");
  return places;
}

/** The notes of a case, or those of a client that belong to no case, the newest first and pinned ones before all. */
export async function listNotes(scope: Scope, input: ListInput): Promise<z.infer<typeof notePageSchema>> {
  const readable = { ownerId: scope.ownerId, deletedAt: null, $or: await readablePlaces(scope, input) };
  const place = { ...readable, ...(input.sessionId ? { sessionId: input.sessionId } : {}) };
  const skipped = (input.page - 1) * PAGE_SIZE;
  const words = matchingSearch(input.search);
  if (words.length > 0) {
    const { ids, isComplete } = await searchNotes(place, words);
    const _id = mongoose.trusted({ $in: ids.slice(skipped, skipped + PAGE_SIZE) });
    const found = NoteModel.find({ ...place, _id })
      .sort(IN_ORDER)
      .lean();
    const items = await withReleases(readable, await mapFewAtATime(found, toNote));
    return { items, total: ids.length, isTotalExact: isComplete };
  }
  const found = NoteModel.find(place).sort(IN_ORDER).skip(skipped).limit(PAGE_SIZE).lean();
  const [items, total] = await Promise.all([
    mapFewAtATime(found, toNote).then((notes) => withReleases(readable, notes)),
    NoteModel.countDocuments(place).limit(COUNT_MAX + 1),
  ]);
  return { items, total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/** With each of these what was released of it: it stands elsewhere where its session was locked before. */
async function withReleases(readable: Filter, notes: Note[]): Promise<ListedNote[]> {
  const ids = notes.filter(({ partyId }) => partyId !== null).map(({ id }) => id);
  const released =
    ids.length === 0
      ? []
      : await NoteModel.find(
          { ...readable, releasedFromId: mongoose.trusted({ $in: ids }) },
          { releasedFromId: 1, visibility: 1, createdAt: 1, createdByName: 1 },
        )
          .sort({ createdAt: 1, _id: 1 })
          .limit(RELEASES_MAX)
          .lean();
  const ofNotes = Map.groupBy(released, ({ releasedFromId }) => releasedFromId);
  return notes.map((note) => ({
    ...note,
    releases: (ofNotes.get(note.id) ?? []).map(({ _id, visibility, createdAt, createdByName }) => ({
      id: _id,
      visibility,
      createdAt: createdAt.toISOString(),
      createdByName,
    })),
  }));
}

export async function getNote(scope: Scope, id: string): Promise<Note> {
  const { doc } = await readableNote(scope, id);
  if (doc.deletedAt !== null) throw notFound("Note");
  return toNote(doc);
}

export async function createNote(scope: Scope, input: CreateNote): Promise<Note> {
  const theCase = await placeOfNew(scope, input);
  assertMayWriteFor(scope, theCase, input.visibility);
  const { assessmentId, visibility } = input;
  if (assessmentId) await assertSaidAtMiam(scope, theCase, { assessmentId, visibility });
  else assertMayHold(theCase, visibility);
  return inTransaction(() => insertNote(scope, theCase, { ...input, assessmentId: assessmentId ?? null }));
}

/** For the session's own service, which has asked for the session: writes one of its notes. */
export async function createSessionNote(
  scope: Scope,
  { theCase, sessionId, note }: { theCase: Case; sessionId: string; note: Omit<SessionNote, "id"> },
): Promise<Note> {
  assertMayWriteFor(scope, theCase, note.visibility);
  assertMayHold(theCase, note.visibility);
  return insertNote(scope, theCase, { ...note, caseId: theCase.id, clientId: null, sessionId });
}

type NewNote = Omit<CreateNote, "caseId" | "clientId" | "assessmentId"> &
  Pick<NoteDoc, "caseId" | "clientId"> &
  Partial<Pick<NoteDoc, "sessionId" | "assessmentId" | "releasedFromId" | "consent">>;

/** Stores a note and its line of the history; call it in a transaction, with everything asked before. */
export async function insertNote(
  scope: Scope,
  theCase: Pick<Case, "domain"> | null,
  { body, assessmentId = null, ...input }: NewNote,
): Promise<Note> {
  await assertPartiesStay(scope.ownerId, input);
  const at = now();
  const [about, ...others] = input.visibility.aboutPartyIds;
  const [doc] = await NoteModel.create([
    {
      ...input,
      assessmentId,
      ...storedBody(body),
      ownerId: scope.ownerId,
      partyId: others.length === 0 ? (about ?? null) : null,
      createdBy: scope.userId,
      createdByName: scope.userName,
      createdAt: at,
      savedBy: scope.userId,
      savedByName: scope.userName,
      savedAt: at,
    },
  ]);
  if (!doc) throw new Error("the note that was just stored is missing");
  const did = input.releasedFromId ? "released with consent" : "added";
  await tell(scope, doc.toObject(), theCase, did);
  return toNote(doc.toObject());
}

const tell = (scope: Scope, doc: NoteDoc, theCase: Pick<Case, "domain"> | null, did: string) =>
  recordEvent(scope, {
    kind: "note",
    text: eventText(doc, theCase, did),
    caseId: doc.caseId,
    clientIds: doc.clientId ? [doc.clientId] : [],
    visibility: lineVisibility(doc.visibility),
    subjectId: doc._id,
  });

/** Saves where the version is still the one on the screen. */
export async function updateNote(scope: Scope, input: UpdateNote): Promise<Note> {
  const { id, version, saveId, body, visibility, isPinned } = input;
  return inTransaction(async () => {
    const { doc, theCase } = await readableNote(scope, id);
    assertOpen(doc);
    if (doc.version !== version) return savedBefore(doc, saveId, body);
    if (body) assertNotReleased(doc);
    const readers = visibility && narrower(scope, theCase, doc, visibility);
    if (readers) await assertPartiesStay(scope.ownerId, { caseId: doc.caseId, visibility: readers });
    if (body && makesVersion(doc, scope)) await keepVersion(doc);
    const saved = await NoteModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id, version },
      {
        $set: {
          ...(isPinned === undefined ? {} : { isPinned }),
          ...(readers ? { visibility: readers } : {}),
          ...(body ? { ...storedBody(body), ...savedNow(scope) } : {}),
          saveId,
        },
        $inc: { version: 1 },
      },
      { returnDocument: "after", lean: true },
    );
    if (!saved) throw stale("note");
    if (readers) await narrowLines(scope.ownerId, id, readers);
    return toNote(saved);
  });
}

export const savedNow = (scope: Scope) => ({
  savedAt: now(),
  savedBy: scope.userId,
  savedByName: scope.userName,
});

/** The answer to a save of an older version: the same save may have come before, and its answer been lost. */
export function savedBefore(doc: NoteDoc, saveId: string, body?: RichText): Note {
  const note = toNote(doc);
  // Under one name only one text is saved: whoever sends another one keeps it.
  const isSame = doc.saveId === saveId && (!body || JSON.stringify(body) === JSON.stringify(note.body));
  if (!isSame) throw stale("note");
  return note;
}

function narrower(scope: Scope, theCase: Case | null, doc: NoteDoc, visibility: Visibility): Visibility {
  assertMayWriteFor(scope, theCase, visibility);
  return narrowed(theCase, { visibility: doc.visibility, since: doc.createdAt, changedAt: doc.savedAt }, visibility);
}

/** Deletes a note, which can be undone. */
export const removeNote = (scope: Scope, id: string): Promise<Note> => setDeleted(scope, id, now());
export const restoreNote = (scope: Scope, id: string): Promise<Note> => setDeleted(scope, id, null);

async function setDeleted(scope: Scope, id: string, deletedAt: Date | null): Promise<Note> {
  return inTransaction(async () => {
    const { doc, theCase } = await readableNote(scope, id);
    assertOpen({ ...doc, deletedAt: null });
    if ((doc.deletedAt === null) === (deletedAt === null)) return toNote(doc);
    if (deletedAt === null) assertNotTakenBack(doc);
    const changed = await NoteModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id },
      { $set: { deletedAt } },
      { returnDocument: "after", lean: true },
    );
    if (!changed) throw notFound("Note");
    await tell(scope, changed, theCase, deletedAt ? "deleted" : "brought back");
    return toNote(changed);
  });
}

/** Whether anything was written in it that stands. */
export const hasNotesOfSession = async ({ ownerId }: Scope, sessionId: string): Promise<boolean> =>
  (await NoteModel.exists({ ownerId, sessionId, deletedAt: null })) !== null;

/** From now on nothing of these changes: the session that they were written in is locked. */
export async function lockNotesOfSession(scope: Scope, sessionId: string): Promise<void> {
  await NoteModel.updateMany({ ownerId: scope.ownerId, sessionId }, { $set: { lockedAt: now() } });
}
