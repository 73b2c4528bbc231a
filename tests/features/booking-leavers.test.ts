// Whoever mediates leaves the practice after somebody booked with them: nobody moves into the diary of somebody who is gone.
import { SystemMailModel } from "@app/server/features/mail/system-mail.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { bookAs, makeLink, opened } from "../support/server/booked.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, aVisitor } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app).api;
beforeEach(() => forgetAttempts());

const lastMeeting = async () =>
  (await MeetingModel.find({ ownerId: practice.ownerId }).sort({ createdAt: 1 }).lean()).at(-1);

/** A booking with somebody who is suspended afterwards, by a link of theirs and of others. */
async function bookedWithLeaver(others: readonly string[]) {
  const { api, email } = await aStaffUser(app, practice, { role: 2 });
  const { user } = await api.auth.status.query();
  const goneId = user?.userId ?? "";
  const link = await makeLink(practice, { mediatorIds: [goneId, ...others], mediatorChoice: "visitor" });
  const { manageId } = await bookAs(visitor(), link.publicId, { mediatorId: goneId });
  expect(await lastMeeting()).toMatchObject({ mediatorIds: [goneId] });
  const stale = await opened(visitor(), manageId);
  await practice.api.staff.suspend.mutate({ id: goneId });
  return { goneId, email, manageId, stale };
}

test("bookings.move: booked with somebody who works here no more, goes to another of the link, who is told", async () => {
  const { manageId } = await bookedWithLeaver([practice.ownerId]);
  const { page, times } = await opened(visitor(), manageId);
  expect(page).toMatchObject({ isMovable: true });
  const sent = { id: manageId, formToken: page.formToken, website: "" };
  await visitor().bookings.move.mutate({ ...sent, startsAt: times[40] ?? "" });
  expect(await lastMeeting()).toMatchObject({ status: "booked", mediatorIds: [practice.ownerId] });
  const told = await SystemMailModel.find({ owner_id: practice.ownerId, subject: "A meeting was moved" }).lean();
  expect(told.map(({ to }) => to)).toEqual([practice.email]);
});

test("bookings.move: booked with the only one of its link, who works here no more, is refused, and a colleague is asked once", async () => {
  const { manageId, stale } = await bookedWithLeaver([]);
  const { page, times } = await opened(visitor(), manageId);
  expect(page).toMatchObject({ isMovable: false, isChangeable: true });
  expect(times).toEqual([]);
  const sent = { id: manageId, startsAt: stale.times[40] ?? "", formToken: page.formToken, website: "" };
  for (let tries = 0; tries < 2; tries += 1)
    expect(await refusal(visitor().bookings.move.mutate(sent))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: "This appointment cannot be moved on this page. Please phone us.",
    });
  const { items } = await practice.api.tasks.list.query({ page: 1 });
  expect(items.filter(({ title }) => title.startsWith("Somebody wanted to move their appointment"))).toHaveLength(1);
});
