// A session that was locked in the wrong case: it stays to be read, and nothing rests on it any more.
import { createLogger } from "@app/server/core/logger";
import { newId } from "@app/server/core/ids";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import type { SessionOutcomeCode } from "@app/shared/session-states";
import { NoteModel } from "@app/server/features/notes/notes.model";
import { notesOfStruckSessions } from "@app/server/features/sessions/sessions.migration";
import { richTextOf } from "@app/shared/rich-text";
import { forParty, SHARED, type Visibility } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { apart } from "../support/server/apart.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aPractice, aStaffUser } from "../support/server/people.ts";
import { OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const log = createLogger("silent");
const practice = forAllTests(() => aPractice(app));
const { hold, mediated, choicesOf } = apart(practice);
const WHY = "It was in the case about money";

async function locked(code: SessionOutcomeCode = "not_agreed") {
  const built = await mediated();
  const { api } = practice;
  const caseId = built.theCase.id;
  const both = [built.p1.partyId, built.p2.partyId];
  const { id, number, lock } = await hold(built, both, code, { isLeftOpen: true });
  const step = { id: "step", text: "Send the list", partyId: null, dueOn: null };
  await api.sessions.saveNextStep.mutate({ id, changeId: newId(), step });
  await lock();
  const strike = (cancelReason = WHY, by: Pick<typeof practice, "api"> = practice) =>
    by.api.sessions.move.mutate({ id, changeId: newId(), to: "struck", cancelReason });
  const tasks = async () => (await api.tasks.list.query({ caseId, isOpen: true })).items.map(({ title }) => title);
  const steps = () => api.casework.steps.query({ id: caseId });
  return { ...built, api, caseId, id, number, strike, tasks, steps };
}

test("sessions.move: one that is locked is struck with a reason, stays to be read, and counts for nothing", async () => {
  const built = await locked();
  const { api, caseId, id, strike, tasks, steps, p1 } = built;
  expect(await steps()).toMatchObject({ hasSession: true });
  expect((await refusal(strike(" - "))).fields).toEqual({
    cancelReason: expect.stringContaining("Say why it is struck"),
  });
  const struck = await strike();
  expect(struck).toMatchObject({
    status: "struck",
    cancelReason: WHY,
    outcome: { code: "not_agreed" },
    amendments: [{ text: "Struck as recorded in error", byName: "Ines Marchbank" }],
  });
  expect(struck.startedAt).not.toBeNull();
  expect(struck.attendance).toHaveLength(2);
  expect(await steps()).toMatchObject({ hasSession: false, lastSession: null });
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
  expect(await tasks()).toEqual([]);
  const { items } = await api.timeline.list.query({ caseId });
  expect(items.map(({ text }) => text)).toContainEqual(`Session 1: struck, because: ${WHY}`);
  expect((await refusal(api.sessions.partySummary.query({ id, partyId: p1.partyId }))).message).toContain("struck");
  const amendment = { id, changeId: newId(), text: "More", attendance: [] };
  expect((await refusal(api.sessions.amend.mutate(amendment))).message).toContain("This session is struck");
});

test("sessions.move: when the only session was struck, then another of the same hours is asked nothing, and the case may end as opened in error", async () => {
  const built = await locked();
  const { api, caseId, strike } = built;
  const end = async () => {
    const { version } = await api.cases.get.query({ id: caseId });
    const outcome = { ...OUTCOME, code: "not_agreed" as const, issues: [] };
    const reason = "It was opened twice";
    return api.casework.move.mutate({
      id: caseId,
      version,
      reason,
      outcome,
      to: "terminated",
      ending: "opened_in_error",
    });
  };
  expect((await refusal(end())).fields).toHaveProperty("ending");
  await strike();
  const second = await hold(built, [built.p1.partyId, built.p2.partyId], "not_agreed");
  expect(second.number).toBe(2);
  expect(await choicesOf(built, built.p1)).toMatchObject({ lastOn: TODAY, blockers: [] });
  const { id } = second;
  await api.sessions.move.mutate({ id, changeId: newId(), to: "struck", cancelReason: WHY });
  expect(await end()).toMatchObject({ status: "terminated", ending: "opened_in_error" });
});

test("sessions.move: when a certificate rests on a session that is struck, then whoever signed it is asked to look", async () => {
  const { api, caseId, p1, strike, tasks } = await locked();
  const whose = { id: newId(), caseId, partyId: p1.partyId, replaceReason: "" };
  const { number } = await api.certificates.issueMediation.mutate(whose);
  await strike();
  expect(await tasks()).toEqual([
    expect.stringMatching(`^Look again at certificate ${number}: .+ not recorded any more`),
  ]);
});

test("sessions.move: whoever neither owns the practice, mediates the case nor held the session strikes none", async () => {
  const { strike } = await locked();
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  expect(await refusal(strike(WHY, caseworker))).toMatchObject({ code: "FORBIDDEN" });
});

test("sessions.amend: nobody says of themselves that they held a session, to strike it then, who is none of the case", async () => {
  const { id, strike, api } = await locked();
  const other = await aStaffUser(app, practice, { role: 2 });
  const otherId = (await other.api.auth.status.query()).user?.userId ?? "";
  const name = (by: Pick<typeof practice, "api">) =>
    by.api.sessions.amend.mutate({ id, changeId: newId(), text: "I held it", attendance: [], mediatorIds: [otherId] });
  expect((await refusal(name(other))).fields).toEqual({
    mediatorIds: expect.stringContaining("This mediator is none of the case"),
  });
  expect(await refusal(strike(WHY, other))).toMatchObject({ code: "FORBIDDEN" });
  expect((await name({ api })).mediatorIds).toEqual([otherId]);
  expect(await strike(WHY, other)).toMatchObject({ status: "struck" });
});

test("sessions.move: when the session of a meeting that was held is struck, then it is to be written up again", async () => {
  const { id, strike, tasks } = await locked();
  const { meetingId } = await practice.api.sessions.get.query({ id });
  const its = { ownerId: practice.ownerId, _id: meetingId ?? "" };
  await MeetingModel.updateOne(its, { $set: { status: "completed" } });
  expect((await tasks()).filter((title) => title.startsWith("Write up"))).toEqual([]);
  await strike();
  expect((await tasks()).filter((title) => title.startsWith("Write up"))).toHaveLength(1);
});

const SECRET = "the Okafors will sell the shop";

/** A locked session with a note for both, one for one of them, and one in confidence of which something was let out. */
async function noted() {
  const built = await mediated();
  const { api } = practice;
  const { p1, p2, theCase } = built;
  const { id, lock } = await hold(built, [p1.partyId, p2.partyId], "not_agreed", { isLeftOpen: true });
  const note = async (visibility: Visibility) => {
    const words = { kind: "file_note" as const, body: richTextOf(SECRET), visibility };
    return api.sessions.addNote.mutate({ sessionId: id, note: { id: newId(), ...words } });
  };
  const notes = [await note(SHARED), await note(forParty(p1.partyId))];
  await lock();
  const read = async (partyId: string) =>
    JSON.stringify(await api.partyView.preview.query({ caseId: theCase.id, partyId }));
  const strike = () => api.sessions.move.mutate({ id, changeId: newId(), to: "struck", cancelReason: WHY });
  return { ...built, api, id, notes, read, strike };
}

test("sessions.move: no party reads the notes of a session that was struck, and the practice still does", async () => {
  const { api, id, p1, p2, theCase, read, strike } = await noted();
  for (const { partyId } of [p1, p2]) expect(await read(partyId)).toContain(SECRET);
  await strike();
  for (const { partyId } of [p1, p2]) {
    expect(await read(partyId)).not.toContain(SECRET);
    expect(await read(partyId)).not.toContain("File note");
  }
  const { items } = await api.notes.list.query({ caseId: theCase.id, sessionId: id, page: 1, search: "" });
  expect(items.map(({ visibility }) => visibility.scope)).toEqual(["staff", "staff"]);
});

test("migrations: what parties read of a session that was struck before is the practice's", async () => {
  const { id, notes, p1, read, strike } = await noted();
  await strike();
  const [{ id: shown } = { id: "" }] = notes;
  await NoteModel.updateOne({ ownerId: practice.ownerId, _id: shown }, { $set: { visibility: SHARED } });
  expect(await read(p1.partyId)).toContain(SECRET);
  await notesOfStruckSessions(log);
  expect(await read(p1.partyId)).not.toContain(SECRET);
  expect(await NoteModel.countDocuments({ ownerId: practice.ownerId, sessionId: id, struckAt: null })).toBe(0);
});
