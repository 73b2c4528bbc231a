// What was written and kept in the cases of the invented practice: sessions with proposals, notes and files.
import { Readable } from "node:stream";
import type { Case } from "@app/shared/cases";
import { mayHold } from "@app/shared/confidences";
import { isTakingPart } from "@app/shared/case-states";
import { addDays } from "@app/shared/days";
import type { NoteKind } from "@app/shared/notes";
import { richTextOf } from "@app/shared/rich-text";
import { JOINT } from "@app/shared/sessions";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { newId } from "@app/server/core/ids";
import { paragraph, title } from "@app/server/core/pdf-document";
import { work as drawPdf } from "@app/server/core/pdf.foreign";
import { inTransaction } from "@app/server/core/database";
import type { Scope } from "@app/server/core/trpc";
import { getCase } from "@app/server/features/cases/cases.service";
import { storeFile } from "@app/server/features/files/files.service";
import { confidentialityIn } from "@app/server/features/mail-templates/confidentiality";
import { createNote } from "@app/server/features/notes/notes.service";
import { recordSession } from "@app/server/features/sessions/session-times.service";
import { moveSession } from "@app/server/features/sessions/session-transitions.service";
import { addProposal, setProposalStatus } from "@app/server/features/sessions/session-proposals.service";
import {
  saveNextStep,
  saveTopic,
  reviewSafety,
  setAttendance,
  updateSession,
} from "@app/server/features/sessions/session-work.service";
import { addNote, createSession } from "@app/server/features/sessions/sessions.service";

/** Fills these cases with what a practice writes in the course of its work. */
export async function demoRecords(scope: Scope, cases: readonly Case[]): Promise<void> {
  for (const { id } of cases) {
    const theCase = await getCase(scope, id);
    await demoNotes(scope, theCase);
    await demoFiles(scope, theCase);
    if (theCase.status !== "in_mediation") continue;
    await endSession(scope, await demoSession(scope, theCase), {
      code: "agreed_some",
      text: "Holidays settled, the house open",
    });
    await demoSession(scope, theCase);
  }
}

/** What somebody says apart: theirs, unless they signed that nobody keeps confidences; then it is for both. */
const apart = (theCase: Case, partyId: string, secret: string, open: string): [NoteKind, Visibility, string] =>
  mayHold(theCase, { aboutPartyIds: [partyId] }) ? ["caucus", caucusOf(partyId), secret] : ["separate", SHARED, open];

const idsOf = ({ parties: [first, second] }: Case) => ({ p1: first?.partyId ?? "", p2: second?.partyId ?? "" });

async function demoNotes(scope: Scope, theCase: Case): Promise<void> {
  const { p1 } = idsOf(theCase);
  const notes: [NoteKind, Visibility, string][] = [
    ["phone", PRACTICE_ONLY, "Rang back. Prefers mornings, and wants to know how long it takes."],
    apart(
      theCase,
      p1,
      "Would move out by spring if the deposit for a flat is found. Not to be told to P2.",
      "Would move out by spring if the deposit for a flat is found.",
    ),
    ["private", MEDIATOR_ONLY, "Talk through the pace of this case in supervision."],
    ["file_note", SHARED, "Both are sent the list of papers to bring."],
  ];
  for (const [kind, visibility, text] of notes)
    await createNote(scope, {
      caseId: theCase.id,
      clientId: null,
      kind,
      visibility,
      body: richTextOf(text),
    });
}

async function demoFiles(scope: Scope, theCase: Case): Promise<void> {
  const { p1 } = idsOf(theCase);
  const files: [string, Buffer, Visibility][] = [
    [
      "Agreement to mediate.pdf",
      await letter("Agreement to mediate", `Mediation is voluntary. ${confidentialityIn(theCase.domain)}`),
      SHARED,
    ],
    [
      "Budget of the household.pdf",
      await letter("Budget", "Income, rent and the costs of the children."),
      mayHold(theCase, { aboutPartyIds: [p1] }) ? forParty(p1) : SHARED,
    ],
    ["Pension figures.csv", Buffer.from("Scheme,Value\nStaff pension,84200\nOld scheme,12950\n"), PRACTICE_ONLY],
  ];
  for (const [name, content, visibility] of files)
    await storeFile(scope, Readable.from([content]), { name, clientId: null, caseId: theCase.id, visibility });
}

async function letter(name: string, text: string): Promise<Buffer> {
  const parts = [title(name), paragraph(text)];
  const { bytes } = await drawPdf({ title: name, footer: "Quillfeather Mediation", parts });
  return Buffer.from(bytes);
}

/** A session in full swing; gives its id. */
async function demoSession(scope: Scope, theCase: Case): Promise<string> {
  const { p1, p2 } = idsOf(theCase);
  const id = await beginSession(scope, theCase.id, [p1, p2]);
  for (const [topic, minutes] of [
    ["Handovers and holidays", 30],
    ["The house", 40],
  ] as const)
    await saveTopic(scope, {
      before: null,
      id,
      topic: { id: newId(), topic, privilege: "none", minutes, isDone: minutes === 30 },
    });
  await setAttendance(scope, { id, partyId: p1, state: "present" });
  await setAttendance(scope, { id, partyId: p2, state: "late" });
  await demoProposals(scope, id, { p1, p2 });
  const fear = "Fears that the house has to be sold at once.";
  const notes: [NoteKind, Visibility, string][] = [
    ["file_note", SHARED, "Both agree that the children spend half of each holiday with each parent."],
    apart(theCase, p2, fear, fear),
  ];
  for (const [kind, visibility, text] of notes)
    await addNote(scope, { sessionId: id, note: { id: newId(), kind, visibility, body: richTextOf(text) } });
  const dueOn = addDays(new Date().toISOString().slice(0, 10), 10);
  await saveNextStep(scope, {
    before: null,
    id,
    step: { id: newId(), text: "Ask two agents for a valuation", partyId: p1, dueOn },
  });
  return id;
}

type SessionOutcome = NonNullable<Parameters<typeof updateSession>[1]["outcome"]>;

/** A session of all who take part in a case, which is over. */
export async function holdSession(scope: Scope, theCase: Case, outcome: SessionOutcome): Promise<void> {
  const partyIds = theCase.parties.filter(isTakingPart).map(({ partyId }) => partyId);
  const id = await beginSession(scope, theCase.id, partyIds);
  for (const partyId of partyIds) await setAttendance(scope, { id, partyId, state: "present" });
  await endSession(scope, id, outcome);
}

const SESSION_MS = 90 * 60_000;
const instant = (ms: number): string => new Date(ms).toISOString();

/** A session of all who take part in a case, written up after it was held on this day. */
export async function recordHeld(
  scope: Scope,
  theCase: Case,
  { day, hour, outcome }: { day: string; hour: number; outcome: SessionOutcome },
): Promise<void> {
  const partyIds = theCase.parties.filter(isTakingPart).map(({ partyId }) => partyId);
  const startedAt = new Date(`${day}T00:00:00Z`).setUTCHours(hour);
  const times = { startedAt: instant(startedAt), endedAt: instant(startedAt + SESSION_MS) };
  const { id } = await recordSession(scope, { caseId: theCase.id, meetingId: null, ...times, unmetReason: "" });
  for (const partyId of partyIds) {
    await askAgain(scope, { id, partyId, heldOn: day, wasAskedBefore: true });
    await setAttendance(scope, { id, partyId, state: "present" });
  }
  await updateSession(scope, { id, outcome, outcomeBefore: null });
  await moveSession(scope, { id, to: "locked", unmetReason: "", cancelReason: "" });
}

/** Each is asked whether it is still safe, and then it begins. */
async function beginSession(scope: Scope, caseId: string, partyIds: string[]): Promise<string> {
  const { id } = await createSession(scope, { caseId, meetingId: null });
  for (const partyId of partyIds) await askAgain(scope, { id, partyId, heldOn: "", wasAskedBefore: null });
  await moveSession(scope, { id, to: "in_progress", unmetReason: "", cancelReason: "" });
  return id;
}

type Asked = Pick<Parameters<typeof reviewSafety>[1], "id" | "partyId" | "heldOn" | "wasAskedBefore">;

const askAgain = (scope: Scope, asked: Asked): Promise<unknown> =>
  inTransaction(() =>
    reviewSafety(scope, { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "", ...asked }),
  );

/** Ends and locks a session: from now on there are only amendments. */
async function endSession(scope: Scope, id: string, outcome: SessionOutcome): Promise<void> {
  await updateSession(scope, { id, outcome, outcomeBefore: null });
  await moveSession(scope, { id, to: "ended", unmetReason: "", cancelReason: "" });
  await moveSession(scope, { id, to: "locked", unmetReason: "", cancelReason: "" });
}

async function demoProposals(scope: Scope, id: string, { p1, p2 }: { p1: string; p2: string }): Promise<void> {
  const offer = newId();
  const answer = newId();
  const common = { id, issue: "The house", visibility: SHARED, on: null, release: null };
  await addProposal(scope, {
    ...common,
    proposalId: offer,
    text: "Sell in spring and halve what is left",
    byPartyId: p1,
    countersId: null,
  });
  await addProposal(scope, {
    ...common,
    proposalId: answer,
    text: "Keep it until the younger one is twelve, and pay rent for the other half",
    byPartyId: p2,
    countersId: offer,
  });
  const holidays = newId();
  await addProposal(scope, {
    ...common,
    issue: "Holidays",
    proposalId: holidays,
    text: "Half of each holiday with each parent, handed over at noon",
    byPartyId: JOINT,
    countersId: null,
  });
  await setProposalStatus(scope, { id, proposalId: holidays, to: "agreed_in_principle", answer: null, mistake: "" });
}
