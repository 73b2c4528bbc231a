// Which notes somebody may see and write: a note is reached through its case or its client, and passes the guard.
import type { Case } from "@app/shared/cases";
import { whyNotHeld } from "@app/shared/confidences";
import { noteKindName, RELEASED_AS_IT_IS } from "@app/shared/notes";
import type { Visibility } from "@app/shared/visibility";
import { badField, forbidden, missingWith, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getAssessment } from "../assessments/assessments.service.ts";
import { findVisibleCases, getCase } from "../cases/cases.service.ts";
import { assertVisibilityFits, mayRead, staffReader } from "../visibility/visibility.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { type NoteDoc, NoteModel } from "./notes.model.ts";

interface Place {
  caseId: string | null;
  clientId: string | null;
}

/** A stored note that this person may read, with its case; to everybody else it looks missing. */
export async function readableNote(scope: Scope, id: string): Promise<{ doc: NoteDoc; theCase: Case | null }> {
  const doc = await NoteModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Note");
  const theCase = await placeOf(scope, doc);
  if (!mayRead(staffReader(scope, theCase), doc.visibility)) throw notFound("Note");
  return { doc, theCase };
}

async function placeOf(scope: Scope, { caseId, clientId }: Place): Promise<Case | null> {
  if (caseId === null) {
    if (clientId !== null) await missingWith("Note", assertClientsVisible(scope, [clientId]));
    return null;
  }
  const [theCase] = await findVisibleCases(scope, [caseId]);
  if (!theCase) throw notFound("Note");
  return theCase;
}

/** The case that a new note is written in, where it is written in one; a client must then be a party to it. */
export async function placeOfNew(scope: Scope, { caseId, clientId }: Place): Promise<Case | null> {
  if (clientId !== null) await assertClientsVisible(scope, [clientId]);
  if (caseId === null) return null;
  const theCase = await getCase(scope, caseId);
  if (clientId !== null && !theCase.parties.some((party) => party.clientId === clientId))
    throw badField("clientId", "This client is not a party to the case. Choose another case.");
  return theCase;
}

/** Throws where nobody here could say who reads this, or where its own writer could not. */
export function assertMayWriteFor(scope: Scope, theCase: Case | null, visibility: Visibility): void {
  assertVisibilityFits(theCase, visibility);
  if (!theCase && visibility.scope === "shared")
    throw badField("visibility", "There is no case here, so there are no parties to share this with.");
  if (!mayRead(staffReader(scope, theCase), visibility))
    throw forbidden("You could not read this note yourself. Choose the practice team as its readers.");
}

/** Of something new: throws where the agreement keeps no confidences and this would be somebody's. */
export function assertMayHold(theCase: Case | null, visibility: Visibility): void {
  const why = theCase && whyNotHeld(theCase, visibility);
  if (why) throw badField("visibility", why);
}

/**
 * What somebody said at their MIAM is private to them, whatever they signed since: it is held in their confidence, and in
 * nobody else's.
 */
export async function assertSaidAtMiam(
  scope: Scope,
  theCase: Case | null,
  { assessmentId, visibility }: { assessmentId: string; visibility: Visibility },
): Promise<void> {
  const record = await getAssessment(scope, assessmentId);
  if (record.caseId !== theCase?.id || record.status !== "held")
    throw badField("assessmentId", "Choose a first meeting that is recorded in this case.");
  const [about, ...others] = visibility.aboutPartyIds;
  if (about !== record.partyId || others.length > 0)
    throw badField(
      "visibility",
      "What was said at a first meeting is private to whoever attended it. Choose them, in confidence.",
    );
}

/** What was written in a session that is locked stays as it is. */
export function assertOpen(doc: NoteDoc): void {
  if (doc.lockedAt !== null)
    throw wrongState("This note belongs to a locked session and cannot change. Add an amendment to the session.");
  if (doc.deletedAt !== null) throw wrongState("This note was deleted. Undo that first.");
}

/** What a party let out is what they agreed to: other words are a release of their own. */
export function assertNotReleased(doc: NoteDoc): void {
  if (doc.consent !== null) throw wrongState(RELEASED_AS_IT_IS);
}

/** The words of the history: what kind of note it was, and nothing that it says. */
export const eventText = ({ kind }: Pick<NoteDoc, "kind">, theCase: Pick<Case, "domain"> | null, did: string): string =>
  `${noteKindName(kind, theCase?.domain ?? null)} ${did}`;
