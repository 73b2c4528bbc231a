import type { Case } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import type { Consent, Note, ReleaseNote } from "@app/shared/notes";
import { SHARED, type Visibility } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, wrongState } from "../../core/errors.ts";
import { makeOnce } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive } from "../cases/case-days.service.ts";
import { takePartiesTurn } from "../cases/case-parties.service.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { assertNotOlder, assertReadersThere } from "../visibility/consent-age.service.ts";
import { assertAnswers } from "../visibility/releasers.service.ts";
import { keptConsent } from "../visibility/kept-consents.service.ts";
import { readableNote } from "./note-access.ts";
import { type NoteDoc, NoteModel } from "./notes.model.ts";
import { getNote, insertNote } from "./notes.service.ts";
import { defineTakenBack, takenBackAt, whenTakenBack } from "./taken-back.service.ts";

defineTakenBack(async ({ ownerId }, { caseId, id }) =>
  (await NoteModel.find({ ownerId, caseId, releasedFromId: id }).lean()).flatMap(whenTakenBack),
);

interface Released {
  id: string;
  visibility: Visibility;
  /** When it came to say what it says now: nobody consents to words that are not there yet. */
  saidAt: Date;
}

/**
 * A record in a party's confidence becomes a shared one only as a new record, and only with that party's consent; what
 * several have together with the consent of each.
 */
export async function assertConsent(
  scope: Scope,
  theCase: Case,
  { id, visibility: { aboutPartyIds }, saidAt }: Released,
  consent: Consent,
): Promise<void> {
  const { others = [], ...first } = consent;
  const grants = [first, ...others];
  if (aboutPartyIds.length === 0)
    throw wrongState("This is in nobody's confidence, so there is nothing to release. Write it as a shared note.");
  const since = [saidAt, ...(await takenBackAt(scope, { caseId: theCase.id, id }))];
  for (const [index, { grantedByPartyId, at }] of grants.entries()) {
    const field = index === 0 ? "consent" : `consent.others.${index - 1}`;
    const party = requireParty(theCase, grantedByPartyId);
    if (!aboutPartyIds.includes(grantedByPartyId))
      throw badField(`${field}.grantedByPartyId`, "Only the party whose confidence this is can release it.");
    if (Date.parse(at) > now().getTime())
      throw badField(`${field}.at`, "The consent lies in the future. Enter when it was given.");
    await assertAlive(scope, party, `${field}.at`, dayIn(await practiceTimeZone(scope.ownerId), new Date(at)));
    for (const said of since) assertNotOlder(`${field}.at`, new Date(at), said);
    assertReadersThere(`${field}.at`, new Date(at), theCase.parties);
  }
  assertEachOnce(theCase, aboutPartyIds, grants);
}

/** In the transaction that lets it out: of whoever joins the case at this moment, it is known whether they had before. */
export async function assertReadersNow(scope: Scope, caseId: string, consent: Consent): Promise<void> {
  await takePartiesTurn(scope.ownerId, caseId);
  const { parties } = await getCase(scope, caseId);
  const { others = [], ...first } = consent;
  for (const { at } of [first, ...others]) assertReadersThere("consent.at", new Date(at), parties);
}

/** What several have together is let out by nobody alone. */
function assertEachOnce(
  { parties }: Case,
  aboutPartyIds: readonly string[],
  grants: readonly { grantedByPartyId: string }[],
): void {
  const granted = grants.map(({ grantedByPartyId }) => grantedByPartyId);
  const labels = parties
    .filter(({ partyId }) => aboutPartyIds.includes(partyId) && !granted.includes(partyId))
    .map(({ label }) => label);
  if (labels.length > 0)
    throw badField(
      "consent.others",
      `They have this together, so each of them has to agree. Ask ${labels.join(" and ")} too, and record it here.`,
    );
  if (new Set(granted).size < granted.length)
    throw badField("consent.others", "Somebody’s consent is recorded twice. Record it once for each of them.");
}

async function noteToRelease(scope: Scope, id: string): Promise<{ doc: NoteDoc; theCase: Case }> {
  const { doc, theCase } = await readableNote(scope, id);
  if (!theCase || doc.deletedAt !== null) throw notFound("Note");
  assertAnswers(scope, theCase);
  if (doc.struckAt)
    throw wrongState("The session of this note is struck, so nothing of it is shared. Write it in the right case.");
  return { doc, theCase };
}

/** For what is released as something else, such as a proposal: the note's own confidence, with its consent checked. */
export async function assertReleasable(
  scope: Scope,
  noteId: string,
  consent: Consent,
): Promise<{ caseId: string; aboutPartyIds: readonly string[] }> {
  const { doc, theCase } = await noteToRelease(scope, noteId);
  await assertConsent(scope, theCase, { id: doc._id, visibility: doc.visibility, saidAt: doc.savedAt }, consent);
  return { caseId: theCase.id, aboutPartyIds: doc.visibility.aboutPartyIds };
}

/** Makes a shared note of what a party let out, with their consent; the note that it comes from stays as it was. */
export const releaseNote = (scope: Scope, { newId, ...release }: ReleaseNote): Promise<Note> =>
  makeOnce(
    scope,
    { id: newId, input: release, what: "notes.release" },
    { make: () => insertReleased(scope, release), look: (madeId) => getNote(scope, madeId) },
  );

async function insertReleased(scope: Scope, { id, body, consent }: Omit<ReleaseNote, "newId">): Promise<Note> {
  const { doc, theCase } = await noteToRelease(scope, id);
  await assertConsent(scope, theCase, { id: doc._id, visibility: doc.visibility, saidAt: doc.savedAt }, consent);
  const released = {
    body,
    kind: "file_note" as const,
    visibility: SHARED,
    caseId: doc.caseId,
    clientId: null,
    // A locked session takes no more notes; what is released later belongs to the case.
    sessionId: doc.lockedAt === null ? doc.sessionId : null,
    releasedFromId: id,
    consent: keptConsent(consent),
  };
  return inTransaction(async () => {
    await assertReadersNow(scope, theCase.id, consent);
    return insertNote(scope, theCase, released);
  });
}
