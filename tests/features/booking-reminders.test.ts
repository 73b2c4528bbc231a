// Whoever booked from outside is reminded of it, but not of what they read of just now.
import { createLogger } from "@app/server/core/logger";
import { systemScope } from "@app/server/core/system-scope";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { setMeetingStatus } from "@app/server/features/meetings/meetings.service";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { beforeEach, expect, test } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { bookAs, mailsOf, makeLink, opened } from "../support/server/booked.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const log = createLogger("silent");
beforeEach(() => forgetAttempts());

const AHEAD_MS = 20 * 3_600_000;
const reminders = async () => (await mailsOf(practice.ownerId)).filter(({ purpose }) => purpose === "reminder");

test.each([
  ["days before", "one reminder", false, 1],
  ["less than a day before", "no reminder", true, 0],
])("a booking: when it is confirmed %s, then %s follows", async (_when, _what, isLate, count) => {
  const link = await makeLink(practice, { needsConfirmation: true });
  const visitor = aVisitor(app).api;
  const { times } = await opened(visitor, link.publicId);
  const { appointment } = await bookAs(visitor, link.publicId, { startsAt: times[90] ?? "" });
  const confirm = async () => {
    const doc = await MeetingModel.findOne({ ownerId: practice.ownerId }).lean();
    const of = { id: doc?._id ?? "", version: doc?.version ?? 0 };
    // By then whoever is signed in here is not any more.
    await setMeetingStatus(systemScope(practice.ownerId), { ...of, to: "booked" });
  };
  if (!isLate) await confirm();
  moveTime(Date.parse(appointment.startsAt) - AHEAD_MS - Date.now());
  if (isLate) await confirm();
  await remindOfMeetings(log);
  expect(await reminders()).toHaveLength(count);
});
