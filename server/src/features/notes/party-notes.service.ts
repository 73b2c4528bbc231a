// The notes that a party may read: what they get of a session, and of the whole case.
import type { Case } from "@app/shared/cases";
import { noteKindName } from "@app/shared/notes";
import { ASKED_MAX, lengthOf } from "@app/shared/party-preview";
import { plainText } from "@app/shared/rich-text";
import type { Readable } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { definePartyTrace, isAboutParty, KEPT } from "../cases/party-traces.service.ts";
import { type ForParty, partyOf, readableFor, type Recipient } from "../visibility/for-party.service.ts";
import { readShown } from "../visibility/shown-items.service.ts";
import { type GuardedItem, readableByParty, type PartyItems } from "../visibility/visibility.service.ts";
import { type NoteDoc, NoteModel } from "./notes.model.ts";

definePartyTrace(KEPT, async ({ ownerId }, of) => Boolean(await NoteModel.exists({ ownerId, ...isAboutParty(of) })));

/** So many notes of a session are shown, the oldest. */
export const SUMMARY_MAX = 500;

type SessionNote = { at: string; text: string; length: number } & Readable;

/** Few words can be made of very many parts, each of which is read. */
const storedLength = ({ body }: Pick<NoteDoc, "body">): number => JSON.stringify(body).length;

/** The notes of a session that this party may read, the oldest first, and one more where there are more than are shown. */
export async function sessionNotesForParty(
  scope: Scope,
  sessionId: string,
  to: Recipient,
): Promise<ForParty<readonly SessionNote[]>> {
  const found = NoteModel.find({
    ownerId: scope.ownerId,
    sessionId,
    deletedAt: null,
    ...readableByParty(partyOf(to), "note"),
  })
    .sort({ createdAt: 1, _id: 1 })
    .limit(SUMMARY_MAX + 1)
    .lean();
  const noteOf = ({ body, createdAt, savedAt, visibility }: NoteDoc): SessionNote => ({
    at: createdAt.toISOString(),
    text: plainText(body),
    length: storedLength({ body }),
    since: createdAt,
    changedAt: savedAt,
    visibility,
  });
  return readableFor(to, await readShown(found, noteOf, ({ length }) => length));
}

/** The notes of a case that this party may read, the newest first. */
export async function partyNotes(scope: Scope, theCase: Case, partyId: string): Promise<PartyItems> {
  const to = { theCase, partyId };
  const found = NoteModel.find({
    ownerId: scope.ownerId,
    caseId: theCase.id,
    deletedAt: null,
    ...readableByParty(partyOf(to), "note"),
  })
    .sort({ createdAt: -1, _id: -1 })
    .limit(ASKED_MAX)
    .lean();
  const itemOf = ({ _id, kind, body, createdAt, savedAt, visibility }: NoteDoc): GuardedItem => ({
    kind: "note",
    id: _id,
    title: noteKindName(kind, theCase.domain),
    detail: plainText(body),
    length: storedLength({ body }),
    at: createdAt.toISOString(),
    since: createdAt,
    changedAt: savedAt,
    visibility,
  });
  return readableFor(to, await readShown(found, itemOf, lengthOf));
}
