// S72: a change of a meeting is told to whom it concerns, in their own entry, and costs nobody else their answer.
import { newId } from "@app/server/core/ids";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { noteCalendarReply } from "@app/server/features/meetings/replies.service";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import type { Meeting, updateMeetingSchema } from "@app/shared/meetings";
import ICAL from "ical.js";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import type { z } from "zod";
import { aCase, aMeetingInput, aPractice, clientFields } from "../support/server/people.ts";
import { anInvitedMeeting } from "../support/mail/watched-mailbox.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

type Invited = Awaited<ReturnType<typeof anInvitedMeeting>>;
type Details = Omit<z.input<typeof updateMeetingSchema>, "id" | "version">;

async function change(id: string, other: Partial<Details>): Promise<Meeting> {
  const { version, ...before } = await practice.api.meetings.get.query({ id });
  const { type, title, location, mediatorIds, partyIds, arrivals, note } = before;
  const details = { type, title, location, mediatorIds, partyIds, arrivals, note };
  return practice.api.meetings.update.mutate({ id, version, ...details, ...other });
}

async function cancel({ id, version }: Meeting) {
  const why = { changeId: newId(), reason: "Ill", isLate: false, isWholeSeries: false };
  await practice.api.meetings.cancel.mutate({ id, version, ...why });
}

/** What this party got, mail by mail: the method, the count and the place of their entry; one name for all. */
async function gotBy({ theCase }: Pick<Invited, "theCase">, { partyId }: { partyId: string }) {
  const docs = await OutboxModel.find({ caseId: theCase.id, partyId })
    .setOptions({ anyOwner: true })
    .sort({ createdAt: 1 })
    .lean();
  const entries = docs.flatMap((doc) =>
    contentOf(doc).attachments.map(({ content }) => {
      const calendar = new ICAL.Component(ICAL.parse(content));
      const event = calendar.getFirstSubcomponent("vevent");
      const value = (name: string) => String(event?.getFirstPropertyValue(name) ?? "");
      return {
        uid: value("uid"),
        told: `${String(calendar.getFirstPropertyValue("method"))} ${value("sequence")} ${value("location")}`,
      };
    }),
  );
  expect(new Set(entries.map(({ uid }) => uid)).size).toBeLessThanOrEqual(1);
  return entries.map(({ told }) => told);
}

const answer = (uid: string, address: string, sequence: number, isProved = true) =>
  noteCalendarReply(practice.ownerId, { uid, address, sequence, reply: "accepted" }, isProved);
const elsewhere = { kind: "in_person" as const, place: "Room 2" };

test("S72: meetings.update: when one party is dropped and the place changes, then that one is told it is off for them, the other where it is now", async () => {
  const invited = await anInvitedMeeting(practice);
  const { meeting, p1, p2 } = invited;
  const changed = await change(meeting.id, { partyIds: [p1.partyId], location: elsewhere });
  const first = ["REQUEST 0 In person: Room 1", "REQUEST 1 In person: Room 2"];
  expect(await gotBy(invited, p1)).toEqual(first);
  const second = ["REQUEST 0 In person: Room 1", "CANCEL 1 In person: Room 1"];
  expect(await gotBy(invited, p2)).toEqual(second);
  await cancel(changed);
  expect(await gotBy(invited, p1)).toEqual([...first, "CANCEL 2 In person: Room 2"]);
  expect(await gotBy(invited, p2)).toEqual(second);
});

test("meetings.update: when the note and the title alone change, then nobody is told and every answer stands", async () => {
  const invited = await anInvitedMeeting(practice);
  const { meeting, p1, p2, uid1, uid2, first, second } = invited;
  expect(await answer(uid1, first.email, 0)).toBe(true);
  await change(meeting.id, { title: "Ours", note: "Bring the file" });
  for (const party of [p1, p2]) expect(await gotBy(invited, party)).toHaveLength(1);
  expect(await invited.replies()).toEqual([{ partyId: p1.partyId, reply: "accepted" }]);
  expect(await answer(uid2, second.email, 0, false)).toBe(true);
  expect(await invited.claims()).toEqual([{ partyId: p2.partyId, reply: "accepted" }]);
  const stored = await MeetingModel.findOne({ ownerId: practice.ownerId, _id: meeting.id }).lean();
  expect(stored).not.toHaveProperty("changedAt");
  expect(stored?.past).toEqual([]);
});

test("meetings.update: when the place changes, then both are asked anew, and answers to the old place are none", async () => {
  const invited = await anInvitedMeeting(practice);
  const { meeting, p1, p2, uid1, first } = invited;
  await answer(uid1, first.email, 0);
  expect(await change(meeting.id, { location: elsewhere })).toMatchObject({ replies: [] });
  const told = ["REQUEST 0 In person: Room 1", "REQUEST 1 In person: Room 2"];
  for (const party of [p1, p2]) expect(await gotBy(invited, party)).toEqual(told);
  expect(await answer(uid1, first.email, 0)).toBe(false);
  expect(await answer(uid1, first.email, 1)).toBe(true);
  expect(await invited.replies()).toEqual([{ partyId: p1.partyId, reply: "accepted" }]);
});

test("S72: meetings.update: when one party is to come earlier, then the other hears nothing and keeps their answer", async () => {
  const invited = await anInvitedMeeting(practice);
  const { meeting, p1, p2, uid1, uid2, first, second } = invited;
  await answer(uid1, first.email, 0);
  await answer(uid2, second.email, 0);
  const arrivals = [{ partyId: p2.partyId, minutesBefore: 30 }];
  const kept = [{ partyId: p1.partyId, reply: "accepted" }];
  expect((await change(meeting.id, { arrivals })).replies).toEqual(kept);
  expect(await gotBy(invited, p1)).toHaveLength(1);
  expect(await gotBy(invited, p2)).toEqual(["REQUEST 0 In person: Room 1", "REQUEST 1 In person: Room 1"]);
  await change(meeting.id, { arrivals: [], partyIds: [p1.partyId] });
  expect(await gotBy(invited, p1)).toHaveLength(1);
  expect(await invited.replies()).toEqual(kept);
});

test("meetings.update: when somebody is dropped and asked again, then their entry counts on, the old answer is none, and the others hear nothing", async () => {
  const invited = await anInvitedMeeting(practice);
  const { meeting, p1, p2, uid1, uid2, first, second } = invited;
  await answer(uid1, first.email, 0);
  await answer(uid2, second.email, 0);
  await change(meeting.id, { partyIds: [p1.partyId] });
  expect(await answer(uid2, second.email, 0)).toBe(false);
  await change(meeting.id, { partyIds: [p1.partyId, p2.partyId] });
  const told = (await gotBy(invited, p2)).map((one) => one.slice(0, 9));
  expect(told).toEqual(["REQUEST 0", "CANCEL 1 ", "REQUEST 2"]);
  expect(await gotBy(invited, p1)).toHaveLength(1);
  expect(await invited.replies()).toEqual([{ partyId: p1.partyId, reply: "accepted" }]);
  expect(await answer(uid2, second.email, 2)).toBe(true);
});

test("meetings.update: when somebody is added, then they get their first invitation and the others nothing", async () => {
  const built = await aCase(practice);
  const input = { caseId: built.theCase.id, partyIds: [built.p1.partyId], isInvitationSent: true };
  const { id } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
  await change(id, { partyIds: [built.p1.partyId, built.p2.partyId] });
  for (const party of [built.p1, built.p2]) expect(await gotBy(built, party)).toEqual(["REQUEST 0 In person: Room 1"]);
});

test("meetings.update: whoever may not be mailed, when it changes or they are dropped, then somebody is asked to tell them", async () => {
  const { meeting, second, p1 } = await anInvitedMeeting(practice);
  const { version } = await practice.api.clients.get.query({ id: second.id });
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false, codeWord: "heron" };
  const client = clientFields({ email: second.email, safeContact });
  await practice.api.clients.update.mutate({ id: second.id, version, client });
  await change(meeting.id, { location: elsewhere });
  await change(meeting.id, { partyIds: [p1.partyId] });
  const { items } = await practice.api.tasks.list.query({ clientId: second.id });
  expect(items.map(({ title }) => title)).toEqual([
    expect.stringMatching(
      /^Tell P2 that the appointment is cancelled on Tuesday 4 March 2031 at 09:00: nothing says that they heard of it/,
    ),
  ]);
});

test("meetings.update: when nobody was invited, or it is over or cancelled, then nobody is told", async () => {
  const uninvited = await aCase(practice);
  const partyIds = [uninvited.p1.partyId, uninvited.p2.partyId];
  const startsAt = "2031-03-06T09:00:00.000Z";
  const input = aMeetingInput(practice.ownerId, { caseId: uninvited.theCase.id, partyIds, startsAt });
  const { id } = await practice.api.meetings.create.mutate(input);
  await change(id, { location: elsewhere, partyIds: [uninvited.p1.partyId] });
  expect(await OutboxModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
  const over = await anInvitedMeeting(practice);
  await answer(over.uid1, over.first.email, 0);
  const [from, to] = [new Date("2026-01-05T09:00:00.000Z"), new Date("2026-01-05T10:00:00.000Z")];
  await mongoose.connection
    .collection<{ _id: string }>("meetings")
    .updateOne({ _id: over.meeting.id }, { $set: { startsAt: from, endsAt: to } });
  await change(over.meeting.id, { location: elsewhere });
  expect(await gotBy(over, over.p1)).toHaveLength(1);
  expect(await over.replies()).toHaveLength(1);
  const off = await anInvitedMeeting(practice);
  await cancel(off.meeting);
  await change(off.meeting.id, { location: elsewhere, partyIds: [off.p1.partyId] });
  for (const party of [off.p1, off.p2]) expect(await gotBy(off, party)).toHaveLength(2);
});

test.each(["rescheduled", "expired"] as const)(
  "meetings.update: a meeting that is %s stays as it was planned",
  async (status) => {
    const { theCase } = await aCase(practice);
    const meeting = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { caseId: theCase.id }));
    await MeetingModel.updateOne(
      { ownerId: practice.ownerId, _id: meeting.id },
      { $set: { status, isHolding: false } },
    );
    expect(await refusal(change(meeting.id, { title: "Rewritten" }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("cannot change any more"),
    });
    expect((await practice.api.meetings.get.query({ id: meeting.id })).title).toBe(meeting.title);
  },
);
