// Many book by one link at once, each another time: none of them waits for what only another one needs.
import { newToken } from "@app/server/core/ids";
import { CalendarLockModel, MeetingModel } from "@app/server/features/meetings/meetings.model";
import mongoose from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { bookAs, makeLink, opened, SAM } from "../support/server/booked.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app).api;
beforeEach(() => forgetAttempts());

const AT_ONCE = 6;

test("bookings.book: several at once by one link, each another day, are all booked and all counted", async () => {
  const link = await makeLink(practice);
  const { times } = await opened(visitor(), link.publicId);
  const pages = await Promise.all(
    Array.from({ length: AT_ONCE }, () => visitor().bookings.page.query({ id: link.publicId })),
  );
  await opened(visitor(), link.publicId);
  await Promise.all(
    pages.map(({ formToken }, at) =>
      aVisitor(app, { "x-forwarded-for": `203.0.${at}.9` }).api.bookings.book.mutate({
        id: link.publicId,
        version: link.version,
        mediatorId: null,
        startsAt: times[at * 29] ?? "",
        holder: newToken(),
        timeZone: "UTC",
        person: { ...SAM, email: `sam${at}@example.org` },
        answers: [],
        formToken,
        website: "",
      }),
    ),
  );
  expect(await MeetingModel.countDocuments({ ownerId: practice.ownerId })).toBe(AT_ONCE);
  expect(await practice.api.bookings.getLink.query({ id: link.id })).toMatchObject({ uses: AT_ONCE });
});

test("bookings.book: while somebody else writes the same link, is booked without waiting for them", async () => {
  const link = await makeLink(practice);
  const links = mongoose.connection.collection<{ _id: string }>("booking_links");
  const session = await mongoose.startSession();
  session.startTransaction();
  await links.updateOne({ _id: link.id }, { $inc: { uses: 0 }, $set: { seen: true } }, { session });
  const booking = bookAs(visitor(), link.publicId);
  try {
    await expect.poll(() => MeetingModel.countDocuments({ ownerId: practice.ownerId }), { timeout: 5000 }).toBe(1);
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
  expect(await booking).toMatchObject({ manageId: expect.any(String) });
});

test("bookings.book: where any number of meetings a day will do, takes no turn of the whole day", async () => {
  const link = await makeLink(practice);
  await bookAs(visitor(), link.publicId);
  const turns = await CalendarLockModel.find({ ownerId: practice.ownerId }).lean();
  expect(turns.map(({ _id }) => _id).filter((id) => id.endsWith(":most"))).toEqual([]);
});
