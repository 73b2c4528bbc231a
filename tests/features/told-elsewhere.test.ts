// That somebody is found not safe is told in every other running case of the same people, to whoever works there, and in
// words that tell nothing of where it was found.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import type { Permission } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aMeetingInput, aPractice, aStaffUser, type Api } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, withMeasures } from "../support/server/screened.ts";
import { mediatingToo, screenedCaseOf } from "../support/server/screened-case.ts";
import { AGREED, ending as endingOf } from "../support/server/ending.ts";
import { dismissEntries } from "../support/server/safeguarded.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HOUR_MS = 3_600_000;
const WAITS = "This has to wait for the safety screening.";
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const ASSIGNED: Permission[] = ["clients.read", "clients.write", "calendar.manage", "screening.read", "assigned_only"];
/** Each mediates one of two cases, and sees nothing of the other. */
const here = forAllTests(() => aStaffUser(app, practice, { role: 2, permissions: ASSIGNED }));
const there = forAllTests(() => aStaffUser(app, practice, { role: 2, permissions: ASSIGNED }));
/** Sees every case, and may not read screenings. */
const blind = forAllTests(() => aStaffUser(app, practice, { permissions: ["clients.read", "calendar.manage"] }));

const { hold, conclude } = endingOf(practice);

const idOf = async ({ api }: { api: Api }) => (await api.auth.status.query()).user?.userId ?? "";
const partyOf = ({ parties }: Case, index: number) => parties[index]?.partyId ?? "";
const fresh = ({ id }: Case) => practice.api.cases.get.query({ id });
const screen = (theCase: Case, more: object = {}, api: Api = practice.api) =>
  api.screenings.complete.mutate(aScreening(theCase, partyOf(theCase, 1), more));
const tasksOf = async ({ id: caseId }: Case, api: Api = practice.api) => (await api.tasks.list.query({ caseId })).items;
const titlesOf = async (theCase: Case, api: Api = practice.api) =>
  (await tasksOf(theCase, api)).map(({ title }) => title);
const LOOK = expect.stringMatching(/^Safety: look again whether .+ is safe to mediate, and screen them again$/);
const CANCEL = expect.stringMatching(/^Safety: cancel the meeting of .+, or screen again before it$/);
const END = expect.stringMatching(/^Safety: end session 1, which is under way/);

let hour = 0;
const book = (theCase: Case, mediatorId = practice.ownerId, more: object = {}) =>
  practice.api.meetings.create.mutate(
    aMeetingInput(mediatorId, {
      caseId: theCase.id,
      partyIds: theCase.parties.map(({ partyId }) => partyId),
      startsAt: new Date(Date.UTC(2031, 5, 4) + (hour += 2) * HOUR_MS).toISOString(),
      ...more,
    }),
  );
const start = ({ id }: Case) => practice.api.sessions.start.mutate({ id: newId(), caseId: id, meetingId: null });

/** Two running cases of the same two: in the first somebody will be found not safe. */
async function twoRunning(leadThere?: string, leadHere = practice.ownerId) {
  const { theCase: first } = await screenedCaseOf(practice, [{}, {}], leadHere);
  const clientIds = first.parties.map(({ clientId }) => clientId);
  return { first, clientIds, other: await mediatingToo(practice, clientIds, leadThere) };
}

const historyOf = async ({ id: caseId }: Case, api: Api = practice.api) =>
  (await api.timeline.list.query({ caseId })).items.map(({ text }) => text);

describe("screenings.complete: somebody is found not safe, who is in another running case of the same people", () => {
  test("then that case is paused, and whoever works it is asked to cancel its joint meetings", async () => {
    const { first, other } = await twoRunning(await idOf(there));
    await book(other, await idOf(there));
    await screen(first, NOT_SAFE);
    const now = await fresh(other);
    expect(now).toMatchObject({ status: "paused", reason: WAITS });
    // Where they stand was not found there.
    expect(now.parties.map(({ status }) => status)).toEqual(["active", "active"]);
    const tasks = await tasksOf(other);
    expect(tasks.map(({ title }) => title)).toEqual(expect.arrayContaining([CANCEL, LOOK]));
    const theirs = await idOf(there);
    expect(tasks.every(({ assigneeId }) => assigneeId === theirs)).toBe(true);
    expect(await historyOf(other)).toContain(`${WAITS} Case moved to Paused`);
  });

  test("then who sees that case alone reads nothing of the first, and who found it learns nothing of that case", async () => {
    const { first, other } = await twoRunning(await idOf(there), await idOf(here));
    await book(other, await idOf(there));
    const done = await screen(first, NOT_SAFE, here.api);
    const told = [await tasksOf(other, there.api), await historyOf(other, there.api), await fresh(other)];
    expect(await titlesOf(other, there.api)).toEqual(expect.arrayContaining([CANCEL, LOOK]));
    expect(JSON.stringify(told)).not.toContain(first.caseRef);
    expect(JSON.stringify(told[1])).not.toContain("another case");
    expect(JSON.stringify(done)).not.toContain(other.id);
    const seen = await here.api.tasks.list.query({});
    expect(seen.items.filter(({ caseId }) => caseId !== first.id)).toEqual([]);
    expect(await refusal(here.api.cases.get.query({ id: other.id }))).toMatchObject({ code: "NOT_FOUND" });
    expect(await tasksOf(other, blind.api)).toEqual([]);
  });

  test("then a session that is under way there is to be ended, and that task goes as it ends", async () => {
    const { first, other } = await twoRunning();
    const { id } = await start(other);
    await screen(first, NOT_SAFE);
    expect(await titlesOf(other)).toEqual(expect.arrayContaining([END, LOOK]));
    await practice.api.sessions.move.mutate({ id, changeId: newId(), to: "ended" });
    expect(await titlesOf(other)).not.toEqual(expect.arrayContaining([END]));
  });

  test("then nobody is reminded of a joint meeting there", async () => {
    const [{ other: safe }, { first, other }] = [await twoRunning(), await twoRunning()];
    const soon = { startsAt: new Date(Date.now() + 20 * HOUR_MS).toISOString(), isInvitationSent: true };
    for (const one of [safe, other]) await book(one, practice.ownerId, { ...soon, allowsOverlap: true });
    await screen(first, NOT_SAFE);
    await remindOfMeetings(createLogger("silent"));
    const reminders = ({ id: caseId }: Case) =>
      OutboxModel.countDocuments({ caseId, ownerId: practice.ownerId, purpose: "reminder" });
    expect([await reminders(safe), await reminders(other)]).toEqual([2, 0]);
  });

  test("then that case is concluded as agreed only with a reason", async () => {
    const { first, other } = await twoRunning();
    await hold(other, "agreed_all");
    await screen(first, NOT_SAFE);
    await dismissEntries(practice.api, other.id);
    expect((await refusal(conclude(await fresh(other), AGREED))).fields).toEqual({
      reason: expect.stringContaining("Somebody was last found not safe to mediate"),
    });
  });

  test("then a case that was ready waits in its assessment, and one that is over is left as it is", async () => {
    const { first, clientIds, other: ready } = await twoRunning();
    const over = await mediatingToo(practice, clientIds);
    const stand = ({ id }: Case, status: string) =>
      CaseModel.updateOne({ _id: id, ownerId: practice.ownerId }, { $set: { status } });
    await stand(ready, "ready");
    await stand(over, "closed");
    await screen(first, NOT_SAFE);
    expect(await fresh(ready)).toMatchObject({ status: "assessing", reason: WAITS });
    expect(await fresh(over)).toMatchObject({ status: "closed", version: over.version });
    expect(await titlesOf(over)).toEqual([]);
  });

  test("then a case with only one of them, and one that they left, are left as they are", async () => {
    const { first, clientIds, other: left } = await twoRunning();
    const { id } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const alone = await mediatingToo(practice, [id, clientIds[1] ?? ""]);
    await CaseModel.updateOne(
      { _id: left.id, ownerId: practice.ownerId },
      { $set: { "parties.1.status": "withdrawn", status: "assessing" } },
    );
    await screen(first, NOT_SAFE);
    for (const one of [left, alone]) expect(await titlesOf(one)).toEqual([]);
    expect(await fresh(alone)).toMatchObject({ status: "in_mediation" });
  });

  test("then two others of three go on there, and are told", async () => {
    const { first, clientIds } = await twoRunning();
    const { id } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const three = await mediatingToo(practice, [...clientIds, id]);
    await screen(first, NOT_SAFE);
    expect(await fresh(three)).toMatchObject({ status: "in_mediation" });
    expect(await titlesOf(three)).toEqual([LOOK]);
  });
});

describe("what was told elsewhere", () => {
  test("screenings.strike: when the finding is struck, then what was asked for it is asked no more, and the case can go on", async () => {
    const { first, other } = await twoRunning();
    await book(other);
    const { id } = await screen(first, NOT_SAFE);
    await practice.api.screenings.strike.mutate({ id, reason: "Of the wrong person" });
    expect(await titlesOf(other)).toEqual([
      "The case waited for the safety screening, and does so no more: look whether it goes on",
    ]);
    const { version } = await fresh(other);
    const resume = { id: other.id, version, to: "in_mediation" as const, ending: null, outcome: null, reason: "" };
    expect(await practice.api.casework.move.mutate(resume)).toMatchObject({ status: "in_mediation" });
    expect(await titlesOf(other)).toEqual([]);
  });

  test("screenings.complete: when they are screened with that in view, then it is asked no more; when that is struck, it is again", async () => {
    const { first, other } = await twoRunning();
    await book(other);
    const { id } = await screen(first, NOT_SAFE);
    const looked = await screen(other, { lookedAt: [id] });
    expect(await titlesOf(other)).toEqual([]);
    const { version } = await fresh(other);
    const resume = { id: other.id, version, to: "in_mediation" as const, ending: null, outcome: null, reason: "" };
    await practice.api.casework.move.mutate(resume);
    await practice.api.screenings.strike.mutate({ id: looked.id, reason: "Of the wrong person" });
    expect(await titlesOf(other)).toEqual(expect.arrayContaining([CANCEL]));
    expect(await fresh(other)).toMatchObject({ status: "paused" });
  });

  test("screenings.strike: when a screening that allowed mediation is struck after an earlier one that did not, then it is told again", async () => {
    const { first, other } = await twoRunning();
    await screen(first, NOT_SAFE);
    const { id } = await screen(first);
    expect(await titlesOf(other)).not.toEqual(expect.arrayContaining([LOOK]));
    await practice.api.screenings.strike.mutate({ id, reason: "Of the wrong person" });
    expect(await titlesOf(other)).toEqual(expect.arrayContaining([LOOK]));
  });

  test("casework.correct: a pause that is taken back while the finding stands is one again", async () => {
    const { first, other } = await twoRunning();
    await screen(first, NOT_SAFE);
    const { id, version } = await fresh(other);
    await practice.api.casework.correct.mutate({ id, version, partyId: "", reason: "We go on" });
    expect(await fresh(other)).toMatchObject({ status: "paused" });
  });

  test("screenings.complete: in the case itself, when they are found safe again, then its meeting stays as it was planned", async () => {
    const { first } = await twoRunning();
    await book(first);
    await screen(first, NOT_SAFE);
    expect(await titlesOf(first)).toEqual(expect.arrayContaining([CANCEL]));
    await screen(first);
    expect(await titlesOf(first)).not.toEqual(expect.arrayContaining([CANCEL]));
  });
});

test("screenings.measures: what was agreed in another case of the same people is told besides, to who may see that case", async () => {
  const { theCase: first } = await screenedCaseOf(practice, [{}, withMeasures("shuttle")]);
  const clientIds = first.parties.map(({ clientId }) => clientId);
  const other = await mediatingToo(practice, clientIds, await idOf(there));
  const told = async (api: Api) => (await api.screenings.measures.query({ caseId: other.id })).elsewhere;
  expect(await told(practice.api)).toEqual([
    { partyId: partyOf(other, 1), words: expect.stringMatching(new RegExp(`^P2 in case ${first.caseRef}: .*shuttle`)) },
  ]);
  expect(await told(there.api)).toEqual([]);
  await screen(first);
  expect(await told(practice.api)).toEqual([]);
});

describe("sessions.reviewSafety: a concern about somebody who is in another running case of the same people", () => {
  const CONCERN = { hasChanged: true, isSafe: false, doMeasuresFit: false, note: "Canaryhit yesterday" };
  const raise = async (first: Case) => {
    const { id } = await start(first);
    await practice.api.sessions.reviewSafety.mutate({ id, changeId: newId(), partyId: partyOf(first, 1), ...CONCERN });
  };
  const lookedAt = async (theCase: Case) =>
    (await practice.api.screenings.list.query({ caseId: theCase.id })).elsewhere.map(({ screeningId }) => screeningId);

  test("then nobody meets there before a screening that looked at it, and whoever works there is asked", async () => {
    const { first, other } = await twoRunning(await idOf(there));
    await book(other, await idOf(there));
    await raise(first);
    expect(await titlesOf(other)).toEqual(expect.arrayContaining([CANCEL, LOOK]));
    expect(await fresh(other)).toMatchObject({ status: (await fresh(first)).status });
    const words = expect.stringMatching(
      new RegExp(
        `^A safety review raised a concern about P2 on .+ in case ${first.caseRef}\\. Screen them in this case`,
      ),
    );
    const refused = { code: "PRECONDITION_FAILED", message: words };
    expect(await refusal(start(other))).toMatchObject(refused);
    expect(await refusal(book(other))).toMatchObject(refused);
    const seen = JSON.stringify([await tasksOf(other, there.api), await historyOf(other, there.api)]);
    for (const hidden of ["Canaryhit", first.caseRef, first.id]) expect(seen).not.toContain(hidden);
    await screen(other, { lookedAt: await lookedAt(other) });
    expect(await start(other)).toMatchObject({ status: "in_progress" });
    expect(await titlesOf(other)).not.toContainEqual(LOOK);
  });

  test("then a screening of its own case that answers it answers it there too", async () => {
    const { first, other } = await twoRunning();
    await raise(first);
    expect(await lookedAt(other)).toHaveLength(1);
    await screen(first);
    expect(await lookedAt(other)).toEqual([]);
    expect(
      (await tasksOf(other)).filter(({ status }) => status === "open").map(({ title }) => title),
    ).not.toContainEqual(LOOK);
    expect(await start(other)).toMatchObject({ status: "in_progress" });
  });
});
