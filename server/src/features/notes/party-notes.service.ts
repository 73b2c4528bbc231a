// The notes that a party may read: what they get of a session, and of the whole case.
import type { Case } from "@app/shared/cases";
import { type Note, noteKindName } from "@app/shared/notes";
import { ASKED_MAX } from "@app/shared/party-preview";
import { plainText } from "@app/shared/rich-text";
import type { Readable } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { type ForParty, partyOf, readableFor, type Recipient } from "../visibility/for-party.service.ts";
import { type GuardedItem, readableByParty } from "../visibility/visibility.service.ts";
import { NoteModel, toNote } from "./notes.model.ts";

const SUMMARY_MAX = 500;

/** The notes of a session that this party may read, the oldest first. */
export async function sessionNotesForParty(
  scope: Scope,
  sessionId: string,
  to: Recipient,
): Promise<ForParty<readonly (Note & Pick<Readable, "since" | "changedAt">)[]>> {
  const docs = await NoteModel.find({
    ownerId: scope.ownerId,
    sessionId,
    deletedAt: null,
    ...readableByParty(partyOf(to), "note"),
  })
    .sort({ createdAt: 1, _id: 1 })
    .limit(SUMMARY_MAX)
    .lean();
  return readableFor(
    to,
    docs.map((doc) => ({ ...toNote(doc), since: doc.createdAt, changedAt: doc.savedAt })),
  );
}

/** The notes of a case that this party may read, the newest first. */
export async function partyNotes(
  scope: Scope,
  theCase: Case,
  partyId: string,
): Promise<ForParty<readonly GuardedItem[]>> {
  const to = { theCase, partyId };
  const docs = await NoteModel.find({
    ownerId: scope.ownerId,
    caseId: theCase.id,
    deletedAt: null,
    ...readableByParty(partyOf(to), "note"),
  })
    .sort({ createdAt: -1, _id: -1 })
    .limit(ASKED_MAX)
    .lean();
  const items = docs.map(({ _id, kind, body, createdAt, savedAt, visibility }): GuardedItem => ({
    kind: "note",
    id: _id,
    title: noteKindName(kind, theCase.domain),
    detail: plainText(body),
    at: createdAt.toISOString(),
    since: createdAt,
    changedAt: savedAt,
    visibility,
  }));
  return readableFor(to, items);
}
