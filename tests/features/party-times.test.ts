// S72: what is shared is shared with whoever is in the case then.
import { createLogger } from "@app/server/core/logger";
import { newId } from "@app/server/core/ids";
import { absencesOfParties, timesOfParties } from "@app/server/features/cases/case-parties.migration";
import { FileModel } from "@app/server/features/files/files.model";
import { timesOfFiles } from "@app/server/features/files/files.migration";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { MIGRATIONS } from "@app/server/migrations";
import { richTextOf } from "@app/shared/rich-text";
import { JOINT } from "@app/shared/sessions";
import { SHARED, type Visibility } from "@app/shared/visibility";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aMediatedCase } from "../support/server/led.ts";
import { aCase, aClient, aMeetingInput, aPractice } from "../support/server/people.ts";
import { toldToParty } from "../support/visibility/party-record.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

type Kept = Awaited<ReturnType<typeof keep>>;
type Built = Awaited<ReturnType<typeof aCase>>;

/** A note, a file and a proposal, each with this word. */
async function keep({ theCase }: Built, sessionId: string, word: string, visibility: Visibility = SHARED) {
  const { api } = practice;
  const proposalId = newId();
  const note = { id: newId(), kind: "file_note" as const, visibility, body: richTextOf(`${word} note`) };
  const { id: noteId } = await api.notes.create.mutate({ ...note, caseId: theCase.id, clientId: null });
  const { id: sessionNoteId } = await api.sessions.addNote.mutate({
    sessionId,
    note: { ...note, id: newId(), body: richTextOf(`${word} sessionnote`) },
  });
  await api.sessions.addProposal.mutate({
    id: sessionId,
    changeId: newId(),
    proposalId,
    issue: "Home",
    text: `${word} proposal`,
    byPartyId: JOINT,
    visibility,
    countersId: null,
    release: null,
  });
  const input = { id: newId(), name: `${word}-file.txt`, clientId: null, caseId: theCase.id, visibility };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
    body: word,
  });
  const file: { id: string } = await response.json();
  return { noteId, sessionNoteId, proposalId, fileId: file.id };
}

async function join({ theCase }: Built) {
  const client = await practice.api.clients.create.mutate(
    aClient({ firstName: "Lena", email: `${newId()}@example.org` }),
  );
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const party = { clientId: client.id, role: "participant" as const, side: "" };
  const { parties } = await practice.api.casework.addParty.mutate({
    changeId: newId(),
    id: theCase.id,
    version,
    party,
  });
  const [, , p3] = parties;
  if (!p3) throw new Error("nobody joined");
  return p3;
}

const told = ({ theCase }: Built, party: { partyId: string; clientId: string }) =>
  toldToParty(app, practice, theCase.id, party);

/** What the check of a mail says of a file for this party. */
async function checked({ theCase }: Built, { clientId }: { clientId: string }, fileId: string) {
  const draft = {
    clientId,
    caseId: theCase.id,
    to: [],
    cc: [],
    subject: "Papers",
    body: richTextOf("Here"),
    fileIds: [fileId],
    meetingId: null,
    inReplyTo: "",
    references: [],
  };
  return (await practice.api.compose.check.mutate(draft)).files;
}

const KINDS = ["note", "sessionnote", "proposal"];

test("S72: a party who joins later gets only what is shared from then on", async () => {
  const built = await aCase(practice);
  const session = await practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });
  const before = await keep(built, session.id, "earlier");
  const p3 = await join(built);
  await keep(built, session.id, "later");
  expect(p3).toMatchObject({ label: "P3", joinedAt: expect.any(String), leftAt: null });
  const late = await told(built, p3);
  expect(late).not.toContain("earlier");
  for (const kind of KINDS) expect(late).toContain(`later ${kind}`);
  expect(late).toContain("later-file");
  for (const party of [built.p1, built.p2])
    for (const kind of KINDS) expect(await told(built, party)).toContain(`earlier ${kind}`);
  expect(await checked(built, p3, before.fileId)).toMatchObject([{ id: before.fileId, mayGo: false }]);
});

test("S72: the summary of a session that was over before somebody joined is not for them", async () => {
  const built = await aCase(practice);
  const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });
  await keep(built, id, "earlier");
  const { partyId } = await join(built);
  const during = await practice.api.sessions.partySummary.query({ id, partyId });
  expect(JSON.stringify(during)).not.toContain("earlier");
  await mongoose.connection
    .collection<{ _id: string }>("sessions")
    .updateOne({ _id: id }, { $set: { endedAt: new Date(Date.now() - 3_600_000) } });
  expect((await refusal(practice.api.sessions.partySummary.query({ id, partyId }))).message).toContain(
    "was not in the case",
  );
  expect((await practice.api.sessions.partySummary.query({ id, partyId: built.p1.partyId })).notes).toHaveLength(1);
});

test("S72: naming a later party as the reader of what was shared before is refused; a release to them is a new file", async () => {
  const built = await aCase(practice);
  const session = await practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });
  const { noteId, fileId } = await keep(built, session.id, "earlier");
  const { partyId, clientId } = await join(built);
  const visibility: Visibility = { scope: "party", partyIds: [partyId], aboutPartyIds: [] };
  const note = practice.api.notes.update.mutate({ id: noteId, version: 0, saveId: newId(), visibility });
  expect((await refusal(note)).fields).toHaveProperty("visibility");
  const file = { id: fileId, version: 0, name: "earlier-file.txt", tags: [], visibility };
  expect((await refusal(practice.api.files.update.mutate(file))).fields).toHaveProperty("visibility");
  expect(await told(built, { partyId, clientId })).not.toContain("earlier");
  await practice.api.files.release.mutate({ id: fileId, newId: newId(), readers: visibility, consent: null });
  expect(await told(built, { partyId, clientId })).toContain("earlier-file.txt");
});

test("S72: a party who left keeps what was shared with them, and gets nothing that is shared after", async () => {
  const built = await aCase(practice);
  const session = await practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });
  await keep(built, session.id, "earlier");
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  const on = new Date().toISOString().slice(0, 10);
  const leave = { id, version, partyId: built.p2.partyId, to: "withdrawn" as const, on, reason: "Went to court" };
  await practice.api.casework.moveParty.mutate(leave);
  await keep(built, session.id, "later");
  const text = await told(built, built.p2);
  expect(text).not.toContain("later");
  for (const kind of KINDS) expect(text).toContain(`earlier ${kind}`);
  expect(await told(built, built.p1)).toContain("later note");
});

/** Moves P2 to another state. */
async function move({ theCase, p2 }: Built, to: "responded" | "refused" | "withdrawn") {
  const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
  const on = new Date().toISOString().slice(0, 10);
  const isOwnDecision = to === "refused" ? true : null;
  const step = { partyId: p2.partyId, to, on, reason: "They say so", isOwnDecision };
  await practice.api.casework.moveParty.mutate({ id, version, ...step });
}

async function storedFile(id: string) {
  const doc = await FileModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
  if (!doc) throw new Error("the file is gone");
  return doc;
}

/** Other words for all that was kept, and another state for the proposal. */
async function change(sessionId: string, { noteId, sessionNoteId, proposalId, fileId }: Kept, word: string) {
  const { api } = practice;
  for (const id of [noteId, sessionNoteId]) {
    const { version } = await api.notes.get.query({ id });
    await api.notes.update.mutate({ id, version, saveId: newId(), body: richTextOf(`${word} note`) });
  }
  const { version } = await storedFile(fileId);
  const file = { id: fileId, version, name: `${word}-file.txt`, tags: [], visibility: SHARED };
  await api.files.update.mutate(file);
  const to = "withdrawn" as const;
  await api.sessions.setProposalStatus.mutate({ id: sessionId, changeId: newId(), proposalId, to });
}

test("S72: what was changed after a party left is not for them any more, by no way", async () => {
  const built = await aMediatedCase(practice);
  const { id } = await practice.api.sessions.start.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });
  const kept = await keep(built, id, "earlier");
  await move(built, "withdrawn");
  expect(await told(built, built.p2)).toContain("earlier-file.txt");
  expect((await checked(built, built.p2, kept.fileId))[0]?.mayGo).toBe(true);
  await change(id, kept, "changed");
  const summary = await practice.api.sessions.partySummary.query({ id, partyId: built.p2.partyId });
  expect(summary).toMatchObject({ notes: [], proposals: [] });
  expect(await told(built, built.p2)).not.toMatch(/changed|earlier/);
  expect((await checked(built, built.p2, kept.fileId))[0]?.mayGo).toBe(false);
  expect(await told(built, built.p1)).toMatch(/changed note.*changed-file/s);
});

test("S72: what was there before a party joined stays hidden from them when its words change", async () => {
  const built = await aCase(practice);
  const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });
  const kept = await keep(built, id, "earlier");
  const p3 = await join(built);
  await change(id, kept, "changed");
  expect(await told(built, p3)).not.toMatch(/changed|earlier/);
});

test("S72: a party who comes back gets nothing of what was shared or changed while they were away", async () => {
  const built = await aCase(practice);
  const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });
  await keep(built, id, "earlier");
  const changed = await keep(built, id, "older");
  await move(built, "responded");
  await move(built, "refused");
  const away = await keep(built, id, "away");
  await change(id, changed, "rewritten");
  await move(built, "responded");
  await keep(built, id, "returned");
  const { parties } = await practice.api.cases.get.query({ id: built.theCase.id });
  expect(parties[1]).toMatchObject({ leftAt: null, absences: [{ from: expect.any(String), to: expect.any(String) }] });
  const summary = await practice.api.sessions.partySummary.query({ id, partyId: built.p2.partyId });
  for (const text of [await told(built, built.p2), JSON.stringify(summary)]) {
    expect(text).not.toMatch(/away|rewritten|older/);
    expect(text).toMatch(/earlier proposal/);
    expect(text).toMatch(/returned proposal/);
  }
  expect((await checked(built, built.p2, away.fileId))[0]?.mayGo).toBe(false);
  const { version } = await practice.api.notes.get.query({ id: away.noteId });
  const edit = { id: away.noteId, version, saveId: newId(), body: richTextOf("away note, edited") };
  await practice.api.notes.update.mutate(edit);
  expect(await told(built, built.p2)).not.toContain("away");
  // Leaving once more ends it again, and forgets nothing.
  await move(built, "refused");
  await keep(built, id, "gone");
  await move(built, "responded");
  const again = await told(built, built.p2);
  expect(again).not.toMatch(/away|rewritten|gone/);
  expect(again).toMatch(/earlier note/);
  expect(again).toMatch(/returned note/);
  expect(await told(built, built.p1)).toMatch(/gone note/);
});

test("S72: a meeting that is changed or moved after a party left is theirs as it was, and a cancelled one is cancelled", async () => {
  const built = await aCase(practice);
  const { theCase, p1, p2 } = built;
  const booking = (startsAt: string) =>
    practice.api.meetings.create.mutate({
      ...aMeetingInput(practice.ownerId, { startsAt }),
      caseId: theCase.id,
      partyIds: [p1.partyId, p2.partyId],
    });
  const kept = await booking("2031-05-05T09:00:00.000Z");
  const changed = await booking("2031-05-06T09:00:00.000Z");
  const moved = await booking("2031-05-07T09:00:00.000Z");
  const called = await booking("2031-05-08T09:00:00.000Z");
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const leaving = {
    id: theCase.id,
    version,
    partyId: p2.partyId,
    to: "withdrawn" as const,
    on: "2026-11-22",
    reason: "Moved away",
  };
  await practice.api.casework.moveParty.mutate(leaving);
  const { type, title, mediatorIds, arrivals, note, partyIds } = changed;
  const details = { type, title, mediatorIds, arrivals, note, partyIds };
  const place = { kind: "in_person" as const, place: "New secret place" };
  await practice.api.meetings.update.mutate({ id: changed.id, version: changed.version, ...details, location: place });
  const [startsAt, endsAt] = ["2031-06-09T09:00:00.000Z", "2031-06-09T10:00:00.000Z"];
  const to = { id: moved.id, version: moved.version, startsAt, endsAt, reason: "Asked for", allowsOverlap: false };
  const next = await practice.api.meetings.reschedule.mutate({ ...to, changeId: newId() });
  const off = {
    id: called.id,
    version: called.version,
    reason: "Not needed",
    isLate: false,
    isWholeSeries: false,
    changeId: newId(),
  };
  await practice.api.meetings.cancel.mutate(off);
  const seen = async (partyId: string) =>
    (await practice.api.partyView.preview.query({ caseId: theCase.id, partyId })).items
      .map(({ id, detail }) => `${id} ${detail}`)
      .join("\n");
  const theirs = await seen(p2.partyId);
  for (const { id } of [kept, moved, called]) expect(theirs).toContain(id);
  expect(theirs).toContain(`${changed.id} In person: Room 1`);
  for (const word of [next.id, "New secret place"]) expect(theirs).not.toContain(word);
  expect(theirs).toContain("Cancelled");
  for (const word of [changed.id, next.id, "New secret place"]) expect(await seen(p1.partyId)).toContain(word);
  const naming = booking("2031-05-12T09:00:00.000Z");
  expect((await refusal(naming)).fields["partyIds"]).toContain("takes no part in this case now");
});

let day = 0;
const nextDay = () => new Date(Date.UTC(2033, 0, (day += 1), 9)).toISOString();

/** How a meeting comes not to take place as it stands. */
const ENDINGS = ["cancelled", "rescheduled", "expired"] as const;

test.each(ENDINGS)(
  "S72: a meeting that was changed after a party left, when it is %s, then they are told so of what they knew",
  async (ending) => {
    const built = await aCase(practice);
    const { theCase, p1, p2 } = built;
    const meeting = await practice.api.meetings.create.mutate({
      ...aMeetingInput(practice.ownerId, { startsAt: nextDay() }),
      caseId: theCase.id,
      partyIds: [p1.partyId, p2.partyId],
      isInvitationSent: true,
      status: ending === "expired" ? "proposed" : "booked",
    });
    await move(built, "withdrawn");
    const { id, title, mediatorIds, note, partyIds } = meeting;
    const changed = await practice.api.meetings.update.mutate({
      id,
      title,
      mediatorIds,
      note,
      partyIds,
      version: meeting.version,
      type: "call",
      arrivals: [{ partyId: p2.partyId, minutesBefore: 45 }],
      location: { kind: "in_person", place: "New secret place" },
    });
    const { api } = practice;
    const whole = { id, changeId: newId(), version: changed.version, reason: "Not needed" };
    if (ending === "cancelled") await api.meetings.cancel.mutate({ ...whole, isLate: false, isWholeSeries: false });
    else if (ending === "expired") await api.meetings.setStatus.mutate({ id, version: changed.version, to: ending });
    else {
      const startsAt = nextDay();
      const endsAt = new Date(Date.parse(startsAt) + 3_600_000).toISOString();
      await api.meetings.reschedule.mutate({ ...whole, startsAt, endsAt, allowsOverlap: false });
    }
    const docs = await OutboxModel.find({ caseId: theCase.id, partyId: p2.partyId })
      .setOptions({ anyOwner: true })
      .lean();
    const mails = docs.map((doc) => JSON.stringify(contentOf(doc)));
    const { items } = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p2.partyId });
    const shown = items.filter((item) => item.id === id);
    expect(shown).toMatchObject([{ title: "Mediation", at: meeting.startsAt }]);
    const told = [...mails, JSON.stringify(items)].join("\n");
    for (const word of ["New secret place", "Call"]) expect(told).not.toContain(word);
    if (ending === "cancelled") expect(mails.filter((mail) => mail.includes("METHOD:CANCEL"))).toHaveLength(1);
  },
);

test("a migration notes when parties were away, as the history tells it", async () => {
  const built = await aCase(practice);
  await move(built, "responded");
  await move(built, "refused");
  await move(built, "responded");
  const known = (await practice.api.cases.get.query({ id: built.theCase.id })).parties[1]?.absences[0];
  const cases = mongoose.connection.collection<{ _id: string }>("cases");
  await cases.updateOne({ _id: built.theCase.id }, { $unset: { "parties.$[].absences": "" } });
  await absencesOfParties(createLogger("silent"));
  const { parties } = await practice.api.cases.get.query({ id: built.theCase.id });
  expect(parties.map(({ absences }) => absences.length)).toEqual([0, 1]);
  const noted = parties[1]?.absences[0];
  for (const end of ["from", "to"] as const)
    expect(Math.abs(Date.parse(noted?.[end] ?? "") - Date.parse(known?.[end] ?? ""))).toBeLessThan(1000);
});

test("a migration notes when the names of files changed", async () => {
  const built = await aCase(practice);
  const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });
  const [kept, renamed] = [await keep(built, id, "kept"), await keep(built, id, "renamed")];
  const files = mongoose.connection.collection<{ _id: string }>("files");
  await files.updateOne({ _id: renamed.fileId }, { $set: { version: 1 } });
  await files.updateMany({}, { $unset: { changedAt: "" } });
  const before = new Date();
  await timesOfFiles(createLogger("silent"));
  const file = await storedFile(kept.fileId);
  expect(file.changedAt).toEqual(file.createdAt);
  expect((await storedFile(renamed.fileId)).changedAt >= before).toBe(true);
});

test("a migration notes who joined later, and who has left", async () => {
  const built = await aCase(practice);
  const p3 = await join(built);
  const cases = mongoose.connection.collection<{ _id: string }>("cases");
  await cases.updateOne({ _id: built.theCase.id }, { $set: { "parties.1.status": "withdrawn" } });
  await cases.updateOne(
    { _id: built.theCase.id },
    { $unset: { "parties.$[].joinedAt": "", "parties.$[].leftAt": "" } },
  );
  await timesOfParties(createLogger("silent"));
  const { parties } = await practice.api.cases.get.query({ id: built.theCase.id });
  expect(parties.map(({ joinedAt }) => joinedAt !== null)).toEqual([false, false, true]);
  expect(Math.abs(Date.parse(parties[2]?.joinedAt ?? "") - Date.parse(p3.joinedAt ?? ""))).toBeLessThan(1000);
  expect(parties.map(({ leftAt }) => leftAt)).toEqual([null, parties[1]?.statusSince, null]);
});

test("a migration takes the lines about meetings that told of their kind and time from the parties", async () => {
  const built = await aCase(practice);
  const line = {
    _id: newId(),
    ownerId: practice.ownerId,
    at: new Date(),
    kind: "meeting",
    actorName: "",
    clientIds: [built.first.id],
    text: "Shuttle mediation on 2031-05-06 at 10:00 booked",
    caseId: built.theCase.id,
    visibility: { scope: "party", partyIds: [built.p1.partyId], aboutPartyIds: [built.p1.partyId] },
  };
  await mongoose.connection.collection<{ _id: string }>("history").insertOne(line);
  expect(await told(built, built.p1)).toContain("shuttle");
  const migration = MIGRATIONS.find(({ name }) => name.includes("lines about meetings"));
  await migration?.run(createLogger("silent"));
  expect(await told(built, built.p1)).not.toContain("shuttle");
});
