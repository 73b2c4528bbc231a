// A mediator leaves the practice: whoever owns it is asked to whom the meetings go that are theirs alone.
import { HOUR_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, aStaffUser, ledBy, meetingDetailsOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
let hour = 8;

async function withLeaver() {
  const { api, ownerId } = practice;
  const { api: theirs } = await aStaffUser(app, practice, { role: 2 });
  const id = (await theirs.auth.status.query()).user?.userId ?? "";
  const { theCase, p1 } = await aCase(practice, ledBy(id));
  const book = (mediatorIds: string[]) => {
    hour += 1;
    const startsAt = new Date(Date.UTC(2033, 4, 3, hour)).toISOString();
    const input = { type: "miam" as const, caseId: theCase.id, partyIds: [p1.partyId], mediatorIds, startsAt };
    return api.meetings.create.mutate(aMeetingInput(ownerId, input));
  };
  const tasks = async () =>
    (await api.tasks.list.query({ caseId: theCase.id, isOpen: true })).items.filter(({ title }) =>
      title.includes("works here no more"),
    );
  return { api, ownerId, id, theCase, book, tasks, suspend: () => api.staff.suspend.mutate({ id }) };
}

test("staff.suspend: the owner is asked of each meeting to come that is theirs alone, and no more once it is another's or cancelled", async () => {
  const { api, ownerId, id, book, tasks, suspend } = await withLeaver();
  const [given, cancelled] = [await book([id]), await book([id])];
  await book([id, ownerId]);
  expect(await tasks()).toEqual([]);
  await suspend();
  expect(await tasks()).toMatchObject([
    { title: expect.stringMatching(/works here no more: give the meeting of .+ 3 May 2033/), assigneeId: ownerId },
    { assigneeId: ownerId },
  ]);
  const details = meetingDetailsOf(await api.meetings.get.query({ id: given.id }));
  await api.meetings.update.mutate({ ...details, mediatorIds: [ownerId] });
  expect(await tasks()).toHaveLength(1);
  const off = { id: cancelled.id, version: cancelled.version, changeId: newId(), reason: "Nobody is there" };
  await api.meetings.cancel.mutate({ ...off, isLate: false, isWholeSeries: false });
  expect(await tasks()).toEqual([]);
});

test("staff.reactivate: nobody is asked any more to whom their meetings go", async () => {
  const { api, id, book, tasks, suspend } = await withLeaver();
  await book([id]);
  await suspend();
  expect(await tasks()).toHaveLength(1);
  await api.staff.reactivate.mutate({ id });
  expect(await tasks()).toEqual([]);
});

test("meetings.setAttendance: once somebody came to it, nobody is asked any more to whom the meeting goes", async () => {
  const { api, ownerId, id, theCase, book, tasks, suspend } = await withLeaver();
  const meeting = await book([id]);
  await suspend();
  expect(await tasks()).toHaveLength(1);
  const startsAt = new Date(Date.now() - HOUR_MS);
  await MeetingModel.updateOne({ ownerId, _id: meeting.id }, { $set: { startsAt } });
  const partyId = theCase.parties[0]?.partyId ?? "";
  await api.meetings.setAttendance.mutate({ id: meeting.id, partyId, attendance: "present" });
  expect(await tasks()).toEqual([]);
});
