// The practice changes its link while a visitor has its page open: nothing is taken for what they did not see.
import { newToken } from "@app/server/core/ids";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import type { BookingLink, CreateLink } from "@app/shared/bookings";
import { PAGE_CHANGED } from "@app/shared/booking-limits";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { bookAs, makeLink, opened, SAM } from "../support/server/booked.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app).api;
beforeEach(() => forgetAttempts());

const CHANGED = { code: "PRECONDITION_FAILED", message: PAGE_CHANGED };
const meetings = () => MeetingModel.find({ ownerId: practice.ownerId }).sort({ createdAt: 1 }).lean();

function change(link: BookingLink, changes: Partial<CreateLink>) {
  const {
    publicId: _p,
    uses: _u,
    isArchived: _a,
    clientName: _c,
    mediatorNames: _m,
    asksNow: _n,
    createdAt: _at,
    ...fields
  } = link;
  return practice.api.bookings.updateLink.mutate({ ...fields, ...changes });
}

const [free, safe] = ["Do you need step-free access?", "Is it safe to call you?"].map((label) => ({
  label,
  kind: "yes_no" as const,
  isRequired: true,
}));

test.each<[string, Partial<CreateLink>]>([
  ["its questions in another order", { questions: [safe, free].flatMap((one) => one ?? []) }],
  ["one question less", { questions: [safe].flatMap((one) => one ?? []) }],
  ["another length", { minutes: 180 }],
  ["another place", { location: { kind: "in_person", place: "Leeds office" } }],
])(
  "bookings.book: with %s, when the page shows it otherwise, is refused in words, and goes from the page as it is now",
  async (_what, changes) => {
    const link = await makeLink(practice, { questions: [free, safe].flatMap((one) => one ?? []) });
    const { page, times } = await opened(visitor(), link.publicId);
    const version = page.kind === "book" ? page.version : -1;
    const startsAt = times[0] ?? "";
    const chosen = { id: link.publicId, version, mediatorId: null, startsAt, holder: newToken(), timeZone: "UTC" };
    const answers = ["Yes", "No"];
    const sent = { ...chosen, person: SAM, answers, formToken: page.formToken, website: "" };
    await change(link, changes);
    expect(await refusal(visitor().bookings.hold.mutate(chosen))).toMatchObject(CHANGED);
    expect(await refusal(visitor().bookings.book.mutate(sent))).toMatchObject(CHANGED);
    expect(await meetings()).toEqual([]);
    expect(await bookAs(visitor(), link.publicId, { answers })).toMatchObject({ appointment: { isConfirmed: true } });
  },
);

test("bookings.move: of what was booked for an hour, when its link asks for three by now, is for an hour still", async () => {
  const link = await makeLink(practice);
  const { manageId } = await bookAs(visitor(), link.publicId);
  await change(link, { minutes: 180, location: { kind: "in_person", place: "Leeds office" } });
  const { page, times } = await opened(visitor(), manageId);
  const startsAt = times[40] ?? "";
  const sent = { id: manageId, formToken: page.formToken, website: "" };
  const moved = await visitor().bookings.move.mutate({ ...sent, startsAt });
  expect(Date.parse(moved.endsAt) - Date.parse(moved.startsAt)).toBe(3_600_000);
  expect((await meetings()).at(-1)?.location).toMatchObject({ kind: "phone" });
});
