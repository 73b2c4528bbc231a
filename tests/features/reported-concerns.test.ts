// Whoever hears of a risk may tell of it, also without the permission to read what is recorded.
import type { Permission } from "@app/shared/access";
import { ENTRIES_MAX } from "@app/shared/safeguarding";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type Api, ledBy } from "../support/server/people.ts";
import { aCompletion, anEntry, aReport } from "../support/server/safeguarded.ts";
import { startTestApp } from "../support/server/test-app.ts";

const WITHOUT: Permission[] = ["clients.read", "clients.write", "screening.read", "notes.private.read"];
const TITLE = "Complete a safeguarding entry";

const app = forAllTests(startTestApp);

async function aHouse() {
  const practice = await aPractice(app);
  const { theCase } = await aCase(practice, ledBy(practice.ownerId));
  const caseworker = await aStaffUser(app, practice, { role: 3, permissions: WITHOUT });
  return { practice, theCase, caseworker };
}

const entriesOf = async (api: Api, caseId: string) => (await api.safeguarding.list.query({ caseId })).items;
const tasksOf = async (api: Api) =>
  (await api.tasks.list.query({ page: 1, assignee: "anyone" })).items.filter(({ title }) => title === TITLE);

test("safeguarding.report: by somebody who may not read the record, is kept and waits for those who may, and tells its author nothing else", async () => {
  const { practice, theCase, caseworker } = await aHouse();
  const { api } = caseworker;
  await practice.api.safeguarding.add.mutate(anEntry(theCase.id));
  const report = aReport(theCase.id, { immediacy: "now", concern: "He hit her" });
  const answer = await api.safeguarding.report.mutate(report);
  expect(Object.keys(answer)).toEqual(["id"]);
  expect(await api.safeguarding.report.mutate(report)).toEqual(answer);
  const [entry, ...others] = await entriesOf(practice.api, theCase.id);
  expect(others).toHaveLength(1);
  expect(entry).toMatchObject({
    id: answer.id,
    kind: "concern",
    state: "to_complete",
    opened: null,
    latest: { personAtRisk: "Her daughter, 7", concern: "He hit her", immediacy: "now", byName: "Tom Birch" },
  });
  expect(await tasksOf(practice.api)).toMatchObject([{ caseId: theCase.id, clientId: null }]);
  expect(await tasksOf(api)).toEqual([]);
  const refused = [
    () => entriesOf(api, theCase.id),
    () => api.safeguarding.listWordings.query({ id: answer.id }),
    () => api.safeguarding.complete.mutate(aCompletion(answer.id, theCase.id)),
    () => api.safeguarding.add.mutate(anEntry(theCase.id, { kind: "suspicious_activity" })),
  ];
  for (const ask of refused) expect(await refusal(ask())).toMatchObject({ code: "FORBIDDEN" });
  await practice.api.safeguarding.complete.mutate(aCompletion(answer.id, theCase.id));
  expect(await tasksOf(practice.api)).toEqual([]);
});

test("safeguarding.report: of a case that its author does not see, or without what is needed, is refused", async () => {
  const { practice, theCase } = await aHouse();
  const elsewhere = await aStaffUser(app, practice, { permissions: [...WITHOUT, "assigned_only"] });
  expect(await refusal(elsewhere.api.safeguarding.report.mutate(aReport(theCase.id)))).toMatchObject({
    code: "NOT_FOUND",
  });
  const bare = { ...aReport(theCase.id), concern: " " };
  expect(await refusal(practice.api.safeguarding.report.mutate(bare))).toMatchObject({
    fields: { concern: "Write what the concern is" },
  });
});

test("safeguarding.report: as often as one person may of one case, then it is refused, whatever others wrote", async () => {
  const { practice, theCase, caseworker } = await aHouse();
  const { id } = await practice.api.safeguarding.add.mutate(anEntry(theCase.id));
  const entries = mongoose.connection.collection<{ _id: string }>("safeguarding_entries");
  const stored = await entries.findOne({ _id: id });
  await entries.insertMany(Array.from({ length: ENTRIES_MAX }, (_, at) => ({ ...stored, _id: `${id}-${at}` })));
  const own = await caseworker.api.safeguarding.report.mutate(aReport(theCase.id));
  const kept = await entries.findOne({ _id: own.id });
  await entries.insertMany(Array.from({ length: ENTRIES_MAX - 1 }, (_, at) => ({ ...kept, _id: `${own.id}-${at}` })));
  expect(await refusal(caseworker.api.safeguarding.report.mutate(aReport(theCase.id)))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: `You wrote ${ENTRIES_MAX} entries about this case, which is the most. Tell a mediator of the case, or the owner.`,
  });
});
