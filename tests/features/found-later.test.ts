// What is found, or happens, after a meeting was booked.
import { newId } from "@app/server/core/ids";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import type { CaseStatus } from "@app/shared/case-states";
import type { Permission } from "@app/shared/access";
import { dayIn } from "@app/shared/days";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFamily, bookChild } from "../support/server/heard-child.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, aStaffUser, type Api } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { screenedCaseOf } from "../support/server/screened-case.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const BOOKING: Permission[] = ["clients.read", "clients.write", "calendar.manage"];
/** Books, and may not read screenings. */
const blind = forAllTests(() => aStaffUser(app, practice, { permissions: BOOKING }));

const HOUR_MS = 3_600_000;
const today = () => dayIn("Europe/London", new Date());
const toCancel = async ({ tasks }: Api, caseId: string) =>
  (await tasks.list.query({ page: 1, caseId })).items.filter(({ title }) => title.includes("cancel the meeting"));

test("screenings.complete: where joint meetings are booked already, somebody who is not safe makes a task of each, for who may read screenings", async () => {
  const { theCase, p1, both, input } = await screenedCaseOf(practice, [{}, {}]);
  const { api } = practice;
  await api.meetings.create.mutate(input());
  await api.meetings.create.mutate(input({ type: "shuttle" }));
  await api.meetings.create.mutate(input({ type: "call", partyIds: [both[1] ?? ""] }));
  await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
  const title = expect.stringMatching(/^Safety: cancel the meeting of .* 2031.*, or screen again before it$/);
  expect(await toCancel(api, theCase.id)).toMatchObject([
    { title, dueOn: today() },
    { title, dueOn: today() },
  ]);
  expect(await toCancel(blind.api, theCase.id)).toEqual([]);
});

test("sessions.reviewSafety: where a review finds that it is not safe, the joint meetings that are to come are somebody's task", async () => {
  const { theCase, p1, input, start } = await screenedCaseOf(practice, [{}, {}]);
  const { api } = practice;
  await api.meetings.create.mutate(input());
  const { id } = await start(api);
  const place = { id, changeId: newId(), partyId: p1.partyId };
  const found = { hasChanged: true, isSafe: false, doMeasuresFit: true, note: "He waits outside" };
  await api.sessions.reviewSafety.mutate({ ...place, ...found });
  expect(await toCancel(api, theCase.id)).toHaveLength(1);
  expect(await toCancel(blind.api, theCase.id)).toEqual([]);
});

test("a meeting with a child: where somebody in the case is not safe, then it is neither booked nor confirmed", async () => {
  const { theCase, p1 } = await aFamily(practice);
  const { id, version } = await bookChild(practice, theCase.id);
  await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
  const told = { code: "PRECONDITION_FAILED", message: expect.stringContaining("not safe to mediate") };
  expect(await refusal(bookChild(practice, theCase.id))).toMatchObject(told);
  expect(await refusal(practice.api.meetings.setStatus.mutate({ id, version, to: "confirmed" }))).toMatchObject(told);
  expect(
    await practice.api.meetings.cancel.mutate({
      id,
      version,
      changeId: newId(),
      reason: "Not safe",
      isLate: false,
      isWholeSeries: false,
    }),
  ).toMatchObject({ status: "cancelled" });
});

test.each<CaseStatus>(["not_proceeding", "terminated", "concluded", "closed"])(
  "a meeting with a child: where the case is in “%s”, then it is not booked, and one that was held is still told",
  async (status) => {
    const { theCase } = await aFamily(practice);
    const held = await bookChild(practice, theCase.id, { startsAt: "2026-02-09T10:00:00.000Z", allowsOverlap: true });
    await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: { status } });
    expect(await refusal(bookChild(practice, theCase.id))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: "Mediation in this case is over, so no child is heard in it who was not heard before.",
    });
    const done = { id: held.id, version: held.version, to: "completed" as const };
    expect(await practice.api.meetings.setStatus.mutate(done)).toMatchObject({ status: "completed" });
  },
);

test("meetings: one that is over when it is written down, or is moved to a time that is over, is told to nobody", async () => {
  const { theCase, p1 } = await aCase(practice);
  const { meetings } = practice.api;
  const past = (hours: number) => {
    const startsAt = new Date(Date.now() - hours * HOUR_MS);
    return { startsAt: startsAt.toISOString(), endsAt: new Date(startsAt.getTime() + HOUR_MS).toISOString() };
  };
  const place = { type: "call" as const, caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true };
  const mails = () => OutboxModel.countDocuments({ ownerId: practice.ownerId, caseId: theCase.id });
  await meetings.create.mutate(aMeetingInput(practice.ownerId, { ...place, ...past(5) }));
  expect(await mails()).toBe(0);
  const { id, version } = await meetings.create.mutate(aMeetingInput(practice.ownerId, place));
  expect(await mails()).toBe(1);
  const moved = { id, version, changeId: newId(), ...past(3), reason: "They came early", allowsOverlap: false };
  expect(await meetings.reschedule.mutate(moved)).toMatchObject({ startsAt: moved.startsAt });
  expect(await mails()).toBe(1);
});
