// What a finding about somebody's safety opens in the safeguarding record by itself, and what then waits for it.
import { newId } from "@app/server/core/ids";
import { DEFAULT_PERMISSIONS } from "@app/shared/access";
import { entriesThatAreKept } from "@app/server/features/safeguarding/safeguarding.migration";
import { dayIn } from "@app/shared/days";
import type { CompleteScreening } from "@app/shared/screenings";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, type Api, type TestPractice } from "../support/server/people.ts";
import { aCompletion, anAmendment, anEntry } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE, told, withMeasures } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const TITLE = "Complete a safeguarding entry";
const CONCERN = { hasChanged: true, isSafe: false, doMeasuresFit: true, note: "He said that he would kill her" };
const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

const app = forAllTests(startTestApp);

async function aHouse() {
  const practice = await aPractice(app);
  const mediator = await aStaffUser(app, practice, { role: 2, permissions: [...DEFAULT_PERMISSIONS[2]] });
  const caseworker = await aStaffUser(app, practice, { role: 3, permissions: [...DEFAULT_PERMISSIONS[3]] });
  const mediatorId = (await mediator.api.auth.status.query()).user?.userId ?? "";
  const mediators = [practice.ownerId, mediatorId].map((userId) => ({ userId, isLead: userId === mediatorId }));
  const { theCase } = await aMediatedCase(practice, { mediators });
  const [p1, p2] = theCase.parties;
  if (!p1 || !p2) throw new Error("the case has no two parties");
  return { practice, mediator, caseworker, theCase, p1, p2 };
}

const tasksOf = async (api: Api, caseId: string, isOpen = true) =>
  (await api.tasks.list.query({ page: 1, caseId, isOpen })).items.filter(({ title }) => title === TITLE);
const entriesOf = async (api: Api, caseId: string) => (await api.safeguarding.list.query({ caseId })).items;

async function anEndedSession({ api }: TestPractice, caseId: string, partyIds: string[]) {
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  const change = () => ({ id, changeId: newId() });
  for (const partyId of partyIds) await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
  await api.sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "" } });
  await api.sessions.move.mutate({ ...change(), to: "ended" });
  return change;
}

test("sessions.reviewSafety: a concern that a caseworker records, then mediators and owner have an entry and a task, the caseworker neither, and the session waits", async () => {
  const { practice, mediator, caseworker, theCase, p1, p2 } = await aHouse();
  const change = await anEndedSession(practice, theCase.id, [p1.partyId, p2.partyId]);
  const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  const lock = (api: Api) =>
    api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });
  const refused = async (api: Api) => (await refusal(lock(api))).message;
  await caseworker.api.sessions.reviewSafety.mutate({ ...change(), partyId: p2.partyId, ...CONCERN });
  const withOneMissing = await refused(blind.api);
  await caseworker.api.sessions.reviewSafety.mutate({ ...change(), partyId: p1.partyId, ...STILL_SAFE });

  const [entry] = await entriesOf(mediator.api, theCase.id);
  expect(entry).toMatchObject({
    kind: "concern",
    state: "to_complete",
    opened: { partyId: p2.partyId, sessionId: change().id },
    latest: {
      personAtRisk: `${p2.name} (P2)`,
      concern: CONCERN.note,
      immediacy: null,
      consulted: null,
      clientTold: null,
    },
  });
  for (const { api } of [practice, mediator])
    expect(await tasksOf(api, theCase.id)).toMatchObject([{ dueOn: dayIn("Europe/London", new Date()) }]);
  expect(await tasksOf(caseworker.api, theCase.id)).toEqual([]);
  expect(await refusal(entriesOf(caseworker.api, theCase.id))).toMatchObject({ code: "FORBIDDEN" });
  const seen = [
    await caseworker.api.timeline.list.query({ clientId: p2.clientId }),
    await caseworker.api.dashboard.get.query(),
    await practice.api.timeline.list.query({ clientId: p2.clientId }),
  ];
  expect(JSON.stringify(seen)).not.toMatch(/safeguarding entry|would kill/i);

  expect(await refused(mediator.api)).toBe(
    "Complete the safeguarding entry about P2, or say there why none is needed.",
  );
  // Whoever reads neither reviews nor the record learns nothing from the words: a review that is missing has the same.
  expect(withOneMissing).toBe(
    "The safety reviews of this session have to be looked at first. Ask a mediator of the case, or the owner.",
  );
  for (const { api } of [blind, caseworker]) expect(await refused(api)).toBe(withOneMissing);
  await mediator.api.safeguarding.complete.mutate(aCompletion(entry?.id ?? "", theCase.id));
  expect((await lock(caseworker.api)).status).toBe("locked");
  for (const { api } of [practice, mediator]) {
    expect(await tasksOf(api, theCase.id)).toEqual([]);
    expect(await tasksOf(api, theCase.id, false)).toMatchObject([{ status: "done" }]);
  }
  const [kept] = await entriesOf(practice.api, theCase.id);
  expect(kept).toMatchObject({ id: entry?.id, state: "kept", earlierCount: 1, latest: { immediacy: "soon" } });
  const wordings = await practice.api.safeguarding.listWordings.query({ id: entry?.id ?? "" });
  expect(wordings.items).toMatchObject([{ concern: CONCERN.note }]);
});

test("the task for an opened entry: closed, given away or opened again by hand, then it is refused", async () => {
  const { practice, theCase, p2 } = await aHouse();
  const { api } = practice;
  await api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  const [task] = await tasksOf(api, theCase.id);
  if (!task) throw new Error("there is no task");
  const { id, version, title } = task;
  const set = (status: "doing" | "done" | "cancelled" | "open") => api.tasks.setStatus.mutate({ id, status });
  for (const status of ["done", "cancelled"] as const)
    expect(await refusal(set(status))).toMatchObject({ code: "PRECONDITION_FAILED" });
  const given = { id, version, title, dueOn: null, assigneeId: practice.ownerId };
  expect(await refusal(api.tasks.update.mutate(given))).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect((await set("doing")).status).toBe("doing");
  const [entry] = await entriesOf(api, theCase.id);
  const why = { changeId: newId(), id: entry?.id ?? "", version: 0, why: "A misunderstanding" };
  await api.safeguarding.dismiss.mutate(why);
  expect(await refusal(set("open"))).toMatchObject({ code: "PRECONDITION_FAILED" });
});

test.each<[string, Partial<CompleteScreening>, string | null]>([
  ["that finds somebody not safe", NOT_SAFE, "Afraid of what follows"],
  ["that finds nothing", {}, null],
])("screenings.complete: one %s, opens an entry in its words or none", async (_what, found, concern) => {
  const { practice, theCase, p2 } = await aHouse();
  await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, found));
  const entries = await entriesOf(practice.api, theCase.id);
  expect(entries.map(({ latest }) => latest.concern)).toEqual(concern === null ? [] : [concern]);
});

test.each<["child_harm" | "weapons" | "mental_health", "yes" | "not_sure", string, string]>([
  ["child_harm", "not_sure", "She hides when he shouts", "About harm to children or others (not sure): "],
  ["weapons", "yes", "He showed her a knife", "About weapons: "],
  ["mental_health", "yes", "Says he will end his life", "About mental health or ending a life: "],
])(
  "screenings.complete: %s answered with %s, though mediation is suitable, opens an entry in the words of that answer",
  async (id, answer, words, before) => {
    const { practice, theCase, p2 } = await aHouse();
    const screening = aScreening(theCase, p2.partyId, withMeasures("shuttle"));
    const answers = { ...screening.answers, [id]: told(words, answer) };
    await practice.api.screenings.complete.mutate({ ...screening, answers });
    expect(await entriesOf(practice.api, theCase.id)).toMatchObject([
      {
        state: "to_complete",
        opened: { partyId: p2.partyId, sessionId: null },
        latest: { concern: before + words },
      },
    ]);
  },
);

test("screenings.complete: with everything told at full length, opens one entry that can be read and completed", async () => {
  const { practice, theCase, p2 } = await aHouse();
  const screening = aScreening(theCase, p2.partyId, { ...NOT_SAFE, reasons: "A".repeat(2000) });
  const said = ["physical", "sexual", "child_harm", "weapons", "mental_health"].map((id) => [
    id,
    told("a".repeat(1000)),
  ]);
  const answers = { ...screening.answers, ...Object.fromEntries(said) };
  await practice.api.screenings.complete.mutate({ ...screening, answers });
  const [entry] = await entriesOf(practice.api, theCase.id);
  const { concern = "" } = entry?.latest ?? {};
  expect(concern.length).toBeGreaterThan(7000);
  await practice.api.safeguarding.complete.mutate({ ...aCompletion(entry?.id ?? "", theCase.id), concern });
  expect(await entriesOf(practice.api, theCase.id)).toMatchObject([{ state: "kept" }]);
});

test("safeguarding.dismiss: with a reason in words, ends the wait, keeps the finding, and the entry may still be completed", async () => {
  const { practice, theCase, p2 } = await aHouse();
  const { api } = practice;
  await api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  const [entry] = await entriesOf(api, theCase.id);
  const id = entry?.id ?? "";
  expect(await refusal(api.safeguarding.amend.mutate(anAmendment(id, theCase.id)))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: "This entry was never completed. Complete it instead.",
  });
  const dismissal = { changeId: newId(), id, version: 0, why: "..." };
  expect((await refusal(api.safeguarding.dismiss.mutate(dismissal))).fields).toHaveProperty("why");
  await api.safeguarding.dismiss.mutate({ ...dismissal, why: "He meant the dog" });
  expect(await entriesOf(api, theCase.id)).toMatchObject([
    { id, state: "not_needed", latest: { concern: NOT_SAFE.reasons, why: "He meant the dog" } },
  ]);
  expect(await tasksOf(api, theCase.id)).toEqual([]);
  await api.safeguarding.complete.mutate({ ...aCompletion(id, theCase.id), version: 1 });
  expect(await entriesOf(api, theCase.id)).toMatchObject([{ id, state: "kept", earlierCount: 2 }]);
  const again = { ...aCompletion(id, theCase.id), version: 2 };
  expect(await refusal(api.safeguarding.complete.mutate(again))).toMatchObject({ code: "PRECONDITION_FAILED" });
});

test("entriesThatAreKept: of what people wrote before, is kept however often it runs, and what waits goes on waiting", async () => {
  const { practice, theCase, p2 } = await aHouse();
  const { id } = await practice.api.safeguarding.add.mutate(anEntry(theCase.id));
  await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  const stored = mongoose.connection.collection<{ _id: string }>("safeguarding_entries");
  await stored.updateOne({ _id: id }, { $unset: { state: "", opened: "" } });
  await entriesThatAreKept();
  await entriesThatAreKept();
  const entries = await entriesOf(practice.api, theCase.id);
  expect(entries.find((entry) => entry.id === id)).toMatchObject({ state: "kept", opened: null });
  expect(entries.map(({ state }) => state).toSorted()).toEqual(["kept", "to_complete"]);
});
