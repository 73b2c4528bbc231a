import mongoose from "mongoose";
import type { z } from "zod";
import { isAided } from "@app/shared/aided";
import { countSides, everSigned } from "@app/shared/case-states";
import { CASE_IS_OVER, ENDED_BEFORE_RECORDED, mediates, takesSessions } from "@app/shared/case-sessions";
import type { Case } from "@app/shared/cases";
import type { Note, SessionNote } from "@app/shared/notes";
import type { addSessionNoteSchema, Session, SessionRow } from "@app/shared/sessions";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { wasThere } from "@app/shared/session-states";
import { now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { conflict, notFound, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { type Keep, KEPT_BY_NOBODY, makeOnce } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { findVisibleCases, getCase } from "../cases/cases.service.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { createSessionNote, getNote } from "../notes/notes.service.ts";
import { assertMayTell, assertState, changeSession, toSession, visibleSession } from "./session-changes.ts";
import { assertSessionMayRun } from "./session-gates.ts";
import { explainMeasures } from "./session-measures.ts";
import { assertItsTime, assertNoteReaders, awaitedNow, meetingTypeOf, planOf } from "./session-meetings.ts";
import { holdersNow } from "./session-mediators.ts";
import {
  missingOf,
  ROW_FIELDS,
  type SessionDoc,
  SessionModel,
  type SessionRowDoc,
  toSessionRow,
} from "./sessions.model.ts";

const SESSIONS_OF_CASE_MAX = 200;
const NUMBERING_TRIES = 5;

export async function getSession(scope: Scope, id: string): Promise<Session> {
  const { doc, theCase } = await visibleSession(scope, id);
  return toSession(scope, doc, theCase);
}

/** The sessions of a case without what was written in them; the one that took place last comes first. */
export async function sessionDocs(scope: Scope, caseId: string): Promise<SessionRowDoc[]> {
  const docs = await SessionModel.find({ ownerId: scope.ownerId, caseId }, ROW_FIELDS)
    .sort({ number: -1 })
    .limit(SESSIONS_OF_CASE_MAX)
    .lean();
  const dayOf = ({ startedAt, createdAt }: SessionRowDoc) => (startedAt ?? createdAt).getTime();
  return docs.toSorted((one, other) => dayOf(other) - dayOf(one));
}

/** The sessions of a case, the last one first. */
export async function sessionsOfCase(scope: Scope, caseId: string): Promise<SessionRow[]> {
  await getCase(scope, caseId);
  return (await sessionDocs(scope, caseId)).map(toSessionRow);
}

/** The numbers of the sessions that lack their attendance or outcome; a case is not concluded while there is one. */
export async function unfinishedSessions(scope: Scope, caseId: string): Promise<number[]> {
  const docs = await sessionDocs(scope, caseId);
  return docs.filter((doc) => missingOf(doc).length > 0).map(({ number }) => number);
}

/** The numbers of the sessions that are under way. */
export async function runningSessions(scope: Scope, caseId: string): Promise<number[]> {
  const docs = await sessionDocs(scope, caseId);
  return docs.filter(({ status }) => status === "in_progress").map(({ number }) => number);
}

/** The number of the last session of a case that was begun, or written up, after this moment; null where none was. */
export async function sessionBegunSince({ ownerId }: Scope, caseId: string, since: Date): Promise<number | null> {
  const isSince = mongoose.trusted({ $gte: since });
  const [last] = await SessionModel.find(
    {
      ownerId,
      caseId,
      startedAt: mongoose.trusted({ $ne: null }),
      status: mongoose.trusted({ $ne: "struck" }),
      $or: [{ startedAt: isSince }, { createdAt: isSince }],
    },
    { number: 1 },
  )
    .sort({ number: -1 })
    .limit(1)
    .lean();
  return last?.number ?? null;
}

/** When the last session of a case began; null where none did. */
export async function lastBegunAt({ ownerId }: Scope, caseId: string): Promise<Date | null> {
  const [last] = await SessionModel.find(
    { ownerId, caseId, startedAt: mongoose.trusted({ $ne: null }), status: mongoose.trusted({ $ne: "struck" }) },
    { startedAt: 1 },
  )
    .sort({ startedAt: -1 })
    .limit(1)
    .lean();
  return last?.startedAt ?? null;
}

export interface NewSession {
  caseId: string;
  meetingId: string | null;
  unmetReason?: string;
}

/** Prepares a session that begins later: its agenda can be written before. */
export const createSession = (scope: Scope, input: NewSession, keep: Keep = KEPT_BY_NOBODY): Promise<Session> =>
  openSession(scope, { ...input, keep });

/** Starts a session of a case, or that of a meeting: the one that exists, else a new one. */
export async function startSession(scope: Scope, input: NewSession, keep: Keep = KEPT_BY_NOBODY): Promise<Session> {
  const session = await openSession(scope, { ...input, keep, isStarted: true });
  if (session.status !== "scheduled") return session;
  return changeSession(scope, session, async (draft, theCase) => {
    // Somebody else, or another click, may have been faster.
    if (draft.status !== "scheduled") return;
    await keep(draft._id);
    await begin(scope, draft, { theCase, reason: input.unmetReason ?? "" });
  });
}

interface Beginning {
  theCase: Case;
  /** Why it goes without what was agreed for somebody's safety; asked for only where it does. */
  reason: string;
}

export async function begin(scope: Scope, draft: SessionDoc, beginning: Beginning): Promise<void> {
  const { meetingId, attendance } = draft;
  const came = attendance.filter(wasThere).map(({ partyId }) => partyId);
  const awaited = await awaitedNow(scope, beginning.theCase, meetingId);
  draft.partyIds = [...new Set([...awaited, ...came])];
  await assertItsTime(scope, meetingId);
  await assertSessionMayRun(scope, draft);
  await explainMeasures(scope, draft, beginning);
  draft.status = "in_progress";
  draft.startedAt = now();
  draft.mediatorIds = await holdersNow(scope, draft.mediatorIds);
}

interface Opening extends NewSession {
  isStarted?: boolean;
  keep: Keep;
  /** Where it took place already: whoever was in the case then is asked for. */
  heldAt?: Date;
  /** What comes at once of the session, in the transaction in which it is made or found. */
  goOn?: (session: Session) => Promise<Session>;
}

export async function openSession(scope: Scope, input: Opening): Promise<Session> {
  const theCase = await getCase(scope, input.caseId);
  const known = await sessionOfMeeting(scope, input);
  if (known) return goOnWith(scope, theCase, known, input);
  if (!takesSessions(theCase.status)) throw wrongState(input.heldAt ? ENDED_BEFORE_RECORDED : CASE_IS_OVER);
  const plan = await planOf(scope, theCase, input);
  const { goOn = (made) => Promise.resolve(made) } = input;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(async () => goOn(await insertSession(scope, theCase, { ...input, plan })));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const made = await sessionOfMeeting(scope, input);
      if (made) return goOnWith(scope, theCase, made, input);
      if (attempt === NUMBERING_TRIES) throw conflict("Many sessions were started at this moment. Try again.");
    }
  }
}

async function goOnWith(scope: Scope, theCase: Case, doc: SessionDoc, { keep, goOn }: Opening): Promise<Session> {
  const session = await toSession(scope, doc, theCase);
  if (!goOn) return session;
  return inTransaction(async () => {
    await keep(doc._id);
    return goOn(session);
  });
}

/** The session that the meeting has already. */
async function sessionOfMeeting(scope: Scope, { caseId, meetingId }: NewSession): Promise<SessionDoc | null> {
  if (meetingId === null) return null;
  const doc = await SessionModel.findOne({ ownerId: scope.ownerId, meetingId }).lean();
  if (!doc || doc.caseId === caseId) return doc;
  const [seen] = await findVisibleCases(scope, [doc.caseId]);
  if (!seen) throw notFound("Meeting");
  throw conflict("This meeting has a session in another case. Open it from there.");
}

async function insertSession(
  scope: Scope,
  theCase: Case,
  {
    meetingId,
    isStarted = false,
    unmetReason: reason = "",
    keep,
    plan,
  }: Opening & { plan: Awaited<ReturnType<typeof planOf>> },
): Promise<Session> {
  const id = newId();
  await takeRecordTurns(scope.ownerId, [meetingId ?? ""]);
  await keep(id);
  await assertStillParties(scope.ownerId, theCase.id, plan.partyIds);
  const planned = { ...plan, meetingId, caseId: theCase.id, format: theCase.format, unmet: [] };
  if (isStarted) {
    await assertItsTime(scope, meetingId);
    await assertSessionMayRun(scope, { ...planned, _id: null });
    await explainMeasures(scope, planned, { theCase, reason });
  }
  const [last] = await SessionModel.find({ ownerId: scope.ownerId, caseId: theCase.id }, { number: 1 })
    .sort({ number: -1 })
    .limit(1)
    .lean();
  const at = now();
  const number = (last?.number ?? 0) + 1;
  if (isStarted) planned.mediatorIds = await holdersNow(scope, plan.mediatorIds);
  const [stored] = await SessionModel.create([
    {
      _id: id,
      ownerId: scope.ownerId,
      ...planned,
      number,
      status: isStarted ? "in_progress" : "scheduled",
      startedAt: isStarted ? at : null,
      countsForLegalAid: mediates(await meetingTypeOf(scope, meetingId)) && isAidedMediation(theCase, plan.partyIds),
      createdBy: scope.userId,
      createdAt: at,
    },
  ]);
  if (!stored) throw new Error("the session that was just stored is missing");
  await tellOfSession(scope, theCase, `Session ${number} ${isStarted ? "started" : "prepared"}`);
  return toSession(scope, stored.toObject(), theCase);
}

/**
 * Whether it is mediation that the agency pays for, where these come to it: of two sides, with somebody for whom it pays. Of
 * one that was held on a day, those count who had agreed to mediate by then.
 */
export function isAidedMediation(
  { parties }: Pick<Case, "parties">,
  partyIds: readonly string[],
  day: string | null = null,
): boolean {
  const come = parties.filter(
    (party) =>
      partyIds.includes(party.partyId) && (day === null || (everSigned(party) && party.agreementSignedOn <= day)),
  );
  return isAided(parties, partyIds) && countSides(come) > 1;
}

interface NewSessionNote {
  sessionId: string;
  note: Omit<SessionNote, "id">;
}

export const tellOfSession = (scope: Scope, theCase: Case, text: string): Promise<void> =>
  recordEvent(scope, { kind: "session", text, caseId: theCase.id, clientIds: [], visibility: PRACTICE_ONLY });

/** Writes a note in a session. The session itself is touched, so that no note slips in while it is being locked. */
export function addNote(
  scope: Scope,
  { sessionId, note: { id, ...note } }: z.output<typeof addSessionNoteSchema>,
): Promise<Note> {
  const input = { sessionId, note };
  const ways = { make: () => writeNote(scope, input), look: (madeId: string) => getNote(scope, madeId) };
  return makeOnce(scope, { id, what: "sessions.addNote", input }, ways);
}

async function writeNote(scope: Scope, { sessionId, note }: NewSessionNote): Promise<Note> {
  const { doc, theCase } = await visibleSession(scope, sessionId);
  assertState(doc.status);
  await assertNoteReaders(scope, doc.meetingId, note.visibility);
  await assertMayTell(scope, theCase, note.visibility);
  const touched = await SessionModel.updateOne(
    { ownerId: scope.ownerId, _id: sessionId, version: doc.version },
    { $inc: { version: 1 } },
  );
  if (touched.matchedCount === 0) throw conflict("Somebody else changed this session at the same moment. Try again.");
  return createSessionNote(scope, { theCase, sessionId, note });
}
