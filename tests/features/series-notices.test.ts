// The parties of a series are told after it is booked, each of each meeting once.
import { stopJobs } from "@app/server/core/jobs";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { tellOfSeries } from "@app/server/features/meetings/series-notices";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import type { Meeting } from "@app/shared/meetings";
import { beforeAll, expect, test } from "vitest";
import { aCase, aMeetingInput, aPractice, aStaffUser, type TestPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const TIMES = 8;
const log = createLogger("silent");

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
// Nobody else tells them here.
beforeAll(stopJobs);

const aSeries = (by: Pick<TestPractice, "api"> = practice): Promise<Meeting> =>
  by.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: built.theCase.id,
      partyIds: [built.p1.partyId, built.p2.partyId],
      isInvitationSent: true,
      repeat: { everyWeeks: 1, times: TIMES },
    }),
  );

const ofPractice = () => ({ ownerId: practice.ownerId });
const mails = async () => (await OutboxModel.find(ofPractice()).lean()).map((doc) => ({ doc, ...contentOf(doc) }));
/** Each meeting and party that was told something, and what. */
const told = async () =>
  (await mails()).map(({ doc, meeting }) => `${doc.purpose} ${meeting?.id} ${doc.partyId}`).toSorted();
const meetingIds = async () =>
  (await MeetingModel.find(ofPractice()).sort({ startsAt: 1 }).lean()).map(({ _id }) => _id);
const tellings = (purpose: string, ids: string[]) =>
  ids.flatMap((id) => [built.p1, built.p2].map(({ partyId }) => `${purpose} ${id} ${partyId}`)).toSorted();

test("a series: when it is booked, then its mails wait with its meetings, and each is written once by whoever comes", async () => {
  await aSeries();
  expect(await told()).toEqual([]);
  expect(await MeetingModel.countDocuments({ ...ofPractice(), "untold.purpose": "invitation" })).toBe(TIMES);
  await Promise.all([tellOfSeries(log), tellOfSeries(log), tellOfSeries(log)]);
  await tellOfSeries(log);
  expect(await told()).toEqual(tellings("invitation", await meetingIds()));
});

test("a series: when a colleague booked it, then its mails are theirs, as if they had been written at once", async () => {
  const colleague = await aStaffUser(app, practice, { role: 3 });
  await aSeries(colleague);
  await tellOfSeries(log);
  const writers = new Set((await mails()).map(({ doc }) => doc.createdBy));
  expect([...writers]).toEqual([(await colleague.api.auth.status.query()).user?.userId]);
});

test("a series: when one meeting is moved, one changed and one cancelled before anybody was told, then each is told once as it is", async () => {
  await aSeries();
  const [moved = "", changed = "", cancelled = "", ...others] = await meetingIds();
  const change = (id: string) => ({ changeId: newId(), id, version: 0 });
  const [startsAt, endsAt] = ["2031-03-04T14:00:00.000Z", "2031-03-04T15:00:00.000Z"];
  const { meetings: api } = practice.api;
  const next = await api.reschedule.mutate({ ...change(moved), startsAt, endsAt, reason: "", allowsOverlap: false });
  const { type, title, location, mediatorIds, partyIds, arrivals, note } = next;
  const details = { type, title, location: { ...location, place: "Room 2" }, mediatorIds, partyIds, arrivals, note };
  await api.update.mutate({ id: changed, version: 0, ...details });
  await api.cancel.mutate({ ...change(cancelled), reason: "Ill", isLate: false, isWholeSeries: false });
  await tellOfSeries(log);
  expect(await told()).toEqual(tellings("invitation", [next.id, changed, ...others]));
  const ofChanged = (await mails()).filter(({ meeting }) => meeting?.id === changed);
  expect(ofChanged.map(({ text }) => text.includes("Room 2"))).toEqual([true, true]);
});

test("a series: when it is cancelled as a whole after everybody was invited, then each is told so once, and not in its transaction", async () => {
  const { id, version } = await aSeries();
  await tellOfSeries(log);
  const change = { changeId: newId(), id, version, reason: "Ill", isLate: false, isWholeSeries: true };
  await practice.api.meetings.cancel.mutate(change);
  const invited = tellings("invitation", await meetingIds());
  expect(await told()).toEqual(invited);
  await Promise.all([tellOfSeries(log), tellOfSeries(log)]);
  expect(await told()).toEqual([...tellings("cancellation", await meetingIds()), ...invited]);
});

test("a series: booked beside other meetings, when it is cancelled as a whole, then none of its meetings stands", async () => {
  const input = aMeetingInput(practice.ownerId, { allowsOverlap: true, repeat: { everyWeeks: 1, times: TIMES } });
  const { id, version } = await practice.api.meetings.create.mutate(input);
  const change = { changeId: newId(), id, version, reason: "Ill", isLate: false, isWholeSeries: true };
  await practice.api.meetings.cancel.mutate(change);
  expect(await MeetingModel.distinct("status", ofPractice())).toEqual(["cancelled"]);
});
