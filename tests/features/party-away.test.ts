// S72: who is away from a case learns of a meeting only that it does not take place as they knew it.
import { createLogger } from "@app/server/core/logger";
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { movedMeetingsAreNew } from "@app/server/features/meetings/meetings.migration";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { setMeetingStatus } from "@app/server/features/meetings/meetings.service";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { MIGRATIONS } from "@app/server/migrations";
import type { PartyStatus } from "@app/shared/case-states";
import type { MeetingStatus } from "@app/shared/meeting-states";
import type { CreateMeeting, Meeting } from "@app/shared/meetings";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aCase, aMeetingInput, aPractice, scopeOf } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { toldToParty } from "../support/visibility/party-record.ts";
import { moveTime } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const log = createLogger("silent");
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));
// Nobody else delivers here.
beforeAll(stopJobs);
afterEach(() => vi.restoreAllMocks());

type Built = Awaited<ReturnType<typeof aCase>>;

const WAYS_OUT: [string, PartyStatus[]][] = [
  ["refused", ["responded", "refused"]],
  ["withdrew", ["withdrawn"]],
  ["was found not suitable", ["responded", "intake_done", "miam_booked", "miam_attended", "not_suitable"]],
];

/** Moves P2 on by these steps. */
async function move({ theCase, p2 }: Built, ...steps: PartyStatus[]) {
  for (const to of steps) {
    const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
    const on = new Date().toISOString().slice(0, 10);
    const isOwnDecision = to === "refused" ? true : null;
    await practice.api.casework.moveParty.mutate({
      id,
      version,
      partyId: p2.partyId,
      to,
      on,
      reason: "They say so",
      isOwnDecision,
    });
  }
}
const goes = (built: Built) => move(built, "responded", "refused");
/** And is screened again, as everybody is who left. */
async function comesBack(built: Built): Promise<void> {
  await move(built, "responded");
  await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId));
}

let day = 0;
const aTime = () => new Date(Date.UTC(2034, 0, (day += 1), 9)).toISOString();
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

/** A meeting of both parties. */
const book = ({ theCase, p1, p2 }: Built, overrides: Partial<CreateMeeting> = {}) =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      startsAt: aTime(),
      caseId: theCase.id,
      partyIds: [p1.partyId, p2.partyId],
      location: { kind: "in_person", place: "Linden Room" },
      ...overrides,
    }),
  );

async function change(id: string, overrides: Partial<Meeting>) {
  const { type, title, mediatorIds, note, partyIds, arrivals, location, version } =
    await practice.api.meetings.get.query({ id });
  const details = { type, title, mediatorIds, note, partyIds, arrivals, location, ...overrides };
  return practice.api.meetings.update.mutate({ ...details, id, version });
}
const moveTo = (place: string) => ({ location: { kind: "in_person" as const, place } });

async function setStatus(id: string, ...steps: MeetingStatus[]) {
  for (const to of steps) {
    const { version } = await practice.api.meetings.get.query({ id });
    const ending = { id, version, changeId: newId(), reason: "Not needed", isLate: false, isWholeSeries: false };
    if (to === "cancelled") await practice.api.meetings.cancel.mutate(ending);
    // As somebody marks it once it has begun.
    else await setMeetingStatus(scopeOf(practice.ownerId), { id, version, to, unmetReason: "As it was" });
  }
}

async function moveAway(id: string) {
  const { version } = await practice.api.meetings.get.query({ id });
  const startsAt = aTime();
  const endsAt = new Date(Date.parse(startsAt) + HOUR_MS).toISOString();
  const to = { id, version, startsAt, endsAt, reason: "Asked for", allowsOverlap: false };
  return practice.api.meetings.reschedule.mutate({ ...to, changeId: newId() });
}

const seenBy = async ({ theCase }: Built, { partyId }: { partyId: string }) =>
  (await practice.api.partyView.preview.query({ caseId: theCase.id, partyId })).items;
const linesOf = async (built: Built, party: { partyId: string }) =>
  (await seenBy(built, party)).filter(({ kind }) => kind === "history").map(({ title }) => title);
const meetingsOf = async (built: Built, party: { partyId: string }) =>
  (await seenBy(built, party)).filter(({ kind }) => kind === "meeting");

async function mailsTo({ theCase }: Built, { partyId }: { partyId: string }) {
  const docs = await OutboxModel.find({ ownerId: practice.ownerId, caseId: theCase.id, partyId }).lean();
  return docs.map((doc) => ({ id: doc._id, purpose: doc.purpose, state: doc.state, ...contentOf(doc) }));
}
const remindersTo = async (built: Built, party: { partyId: string }) =>
  (await mailsTo(built, party)).filter(({ purpose }) => purpose === "reminder");
const taskTitles = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);

const GOING_ON: [MeetingStatus[], "proposed" | "booked"][] = [
  [["confirmed"], "booked"],
  [["completed"], "booked"],
  [["booked", "confirmed", "completed"], "proposed"],
];

test.each(WAYS_OUT)(
  "S72: a meeting that goes on after a party %s, when its states are set, then nothing new is told to them",
  async (_way, steps) => {
    const built = await aCase(practice);
    const meetings = [];
    for (const [states, status] of GOING_ON) meetings.push({ ...(await book(built, { status })), states });
    await move(built, ...steps);
    const before = await seenBy(built, built.p2);
    for (const { id, states } of meetings) await setStatus(id, ...states);
    expect(await seenBy(built, built.p2)).toEqual(before);
    expect(await toldToParty(app, practice, built.theCase.id, built.p2)).not.toMatch(/confirmed|completed/);
    expect((await linesOf(built, built.p1)).join()).toMatch(/completed.*confirmed/s);
  },
);

test("S72: what became of a meeting while a party was in the case, when they leave, then they keep it", async () => {
  const built = await aCase(practice);
  const { id } = await book(built);
  await setStatus(id, "confirmed");
  await goes(built);
  await setStatus(id, "completed");
  const lines = (await linesOf(built, built.p2)).join();
  expect(lines).toContain("confirmed");
  expect(lines).toContain("Refused");
  expect(lines).not.toContain("completed");
});

test.each(["cancelled", "expired"] as const)(
  "S72: a meeting that a party knew, when it is %s while they are away, then that stands in their history",
  async (ending) => {
    const built = await aCase(practice);
    const { id } = await book(built, { status: "proposed" });
    await goes(built);
    await change(id, moveTo("SHELTER NINE"));
    await setStatus(id, ending);
    expect((await linesOf(built, built.p2)).join()).toMatch(new RegExp(`Mediation on [\\w ]+ at 09:00 ${ending}`));
    expect(await meetingsOf(built, built.p2)).toMatchObject([
      { detail: expect.stringMatching(/Cancelled|Not booked/) },
    ]);
    await comesBack(built);
    expect((await linesOf(built, built.p2)).join()).toContain(ending);
    expect(JSON.stringify(await meetingsOf(built, built.p2))).not.toContain("SHELTER NINE");
  },
);

test.each(WAYS_OUT)(
  "S72: a meeting of tomorrow, when a party %s, then they are not reminded of it, and the other is",
  async (_way, steps) => {
    const built = await aCase(practice);
    await book(built, { type: "pre_meeting", startsAt: ahead(20 * HOUR_MS), isInvitationSent: true });
    await move(built, ...steps);
    await remindOfMeetings(log);
    expect(await remindersTo(built, built.p1)).toHaveLength(1);
    expect(await remindersTo(built, built.p2)).toEqual([]);
    expect((await taskTitles()).filter((title) => title.startsWith("Tell P2"))).toEqual([]);
  },
);

test.each(WAYS_OUT)(
  "S72: a mediation of tomorrow, when the one of two sides %s, then nobody is reminded, and whoever booked it looks at it",
  async (_way, steps) => {
    const built = await aCase(practice);
    await book(built, { startsAt: ahead(20 * HOUR_MS), isInvitationSent: true });
    await move(built, ...steps);
    await remindOfMeetings(log);
    for (const party of [built.p1, built.p2]) expect(await remindersTo(built, party)).toEqual([]);
    expect(await taskTitles()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^P2 left the case: look at the meeting of /),
        expect.stringMatching(/^Nobody was reminded of an appointment/),
      ]),
    );
  },
);

const statesOf = async (built: Built, party: { partyId: string }) =>
  (await mailsTo(built, party)).map(({ purpose, state }) => `${purpose} ${state}`).toSorted();

/** The mailbox works, and all that waits is due. */
async function deliver() {
  moveTime(5 * MINUTE_MS);
  for (let round = 0; round < 2; round += 1) await deliverCaseMail(log);
  vi.restoreAllMocks();
}
const connect = () =>
  connectMailbox(practice.ownerId, { email: "ines@practice.example.org", smtpPort: smtp.port, imapPort: 1 });

test("S69: an invitation that waits, when a party leaves before it is sent, then they do not get it, and the other does", async () => {
  const built = await aCase(practice);
  const { id } = await book(built, { type: "pre_meeting", isInvitationSent: true });
  await goes(built);
  await connect();
  await deliver();
  expect(await statesOf(built, built.p1)).toEqual(["invitation sent"]);
  expect(await statesOf(built, built.p2)).toEqual(["invitation superseded"]);
  expect(smtp.received.flatMap(({ to }) => to)).not.toContain(built.second.email);
  await setStatus(id, "cancelled");
  await deliver();
  expect(await statesOf(built, built.p1)).toEqual(["cancellation sent", "invitation sent"]);
  expect(await statesOf(built, built.p2)).toEqual(["invitation superseded"]);
  expect(smtp.received.flatMap(({ to }) => to)).not.toContain(built.second.email);
});

test("S69: a reminder that waits, when a party leaves before it is sent, then they do not get it, and the other does", async () => {
  const built = await aCase(practice);
  await connect();
  await book(built, { type: "pre_meeting", startsAt: ahead(20 * HOUR_MS), isInvitationSent: true });
  await deliver();
  await remindOfMeetings(log);
  expect(await remindersTo(built, built.p2)).toHaveLength(1);
  await goes(built);
  await deliver();
  expect(await statesOf(built, built.p1)).toEqual(["invitation sent", "reminder sent"]);
  expect(await statesOf(built, built.p2)).toEqual(["invitation sent", "reminder superseded"]);
});

test("S69: an invitation that waits, when its meeting was changed while its party was away, then somebody is asked to tell them", async () => {
  const built = await aCase(practice);
  const { id } = await book(built, { type: "pre_meeting", isInvitationSent: true });
  await goes(built);
  await change(id, moveTo("Birch Room"));
  await comesBack(built);
  await connect();
  await deliver();
  expect(await statesOf(built, built.p2)).toEqual(["invitation failed"]);
  expect(await taskTitles()).toEqual([expect.stringMatching(/was changed while this person was away/)]);
});

test("S72: a meeting that was changed and held while a party was away, when they come back, then they know it as before", async () => {
  const built = await aCase(practice);
  const { id, startsAt } = await book(built);
  await goes(built);
  await change(id, {
    ...moveTo("SHELTER NINE"),
    type: "call",
    arrivals: [{ partyId: built.p2.partyId, minutesBefore: 45 }],
  });
  await setStatus(id, "confirmed", "completed");
  const away = await meetingsOf(built, built.p2);
  await comesBack(built);
  expect(await meetingsOf(built, built.p2)).toEqual(away);
  expect(away).toMatchObject([{ id, title: "Mediation", detail: "In person: Linden Room", at: startsAt }]);
  const told = await toldToParty(app, practice, built.theCase.id, built.p2);
  expect(told).not.toMatch(/shelter nine|call|confirmed|completed/);
  expect(await toldToParty(app, practice, built.theCase.id, built.p1)).toMatch(/shelter nine.*completed/s);
});

test.each([
  ["", false],
  [" and changed before", true],
])(
  "S72: a meeting that was moved while a party was away%s, when they come back, then they know nothing but that it was",
  async (_how, wasChanged) => {
    const built = await aCase(practice);
    const { id } = await book(built, { isInvitationSent: true });
    if (wasChanged) await change(id, moveTo("Birch Room"));
    await goes(built);
    const next = await moveAway(id);
    await setStatus(next.id, "confirmed");
    await comesBack(built);
    expect(await meetingsOf(built, built.p2)).toMatchObject([
      { id, detail: expect.stringContaining("Moved to another") },
    ]);
    expect((await linesOf(built, built.p2)).join()).not.toMatch(/moved|confirmed/);
    expect(JSON.stringify(await mailsTo(built, built.p2))).not.toContain(next.startsAt.slice(0, 10));
    // As it was stored once, until the migration.
    await MeetingModel.updateOne({ ownerId: practice.ownerId, _id: next.id }, { changedAt: new Date(0) });
    await movedMeetingsAreNew(log);
    // Changing what nobody is told of tells nobody either.
    await change(next.id, { note: "Bring water" });
    expect(await meetingsOf(built, built.p2)).toHaveLength(1);
  },
);

test("S72: a meeting that was arranged while a party was away, when they are named or told of it after their return, then it is theirs", async () => {
  const built = await aCase(practice);
  const known = await book(built, { isInvitationSent: true });
  await goes(built);
  await change(known.id, moveTo("Birch Room"));
  const added = await book(built, { partyIds: [built.p1.partyId], isInvitationSent: true });
  await comesBack(built);
  expect(await meetingsOf(built, built.p2)).toMatchObject([{ id: known.id, detail: "In person: Linden Room" }]);
  await change(added.id, { partyIds: [built.p1.partyId, built.p2.partyId] });
  await change(known.id, moveTo("Alder Room"));
  const places = (await meetingsOf(built, built.p2)).map(({ id, detail }) => `${id} ${detail}`);
  expect(places.toSorted()).toEqual(
    [`${known.id} In person: Alder Room`, `${added.id} In person: Linden Room`].toSorted(),
  );
  const mails = (await mailsTo(built, built.p2)).map(({ text }) => text).join();
  expect(mails).toContain("Alder Room");
  expect(mails).not.toContain("Birch Room");
  await setStatus(known.id, "confirmed");
  expect((await linesOf(built, built.p2)).join()).toContain("confirmed");
});

test("S72: a meeting that was held while a party was away, when it is corrected after their return, then they know it as before", async () => {
  const built = await aCase(practice);
  const { id } = await book(built, { startsAt: ahead(2500) });
  await goes(built);
  await sleep(2600);
  await comesBack(built);
  await change(id, moveTo("SHELTER NINE"));
  expect(await meetingsOf(built, built.p2)).toMatchObject([{ id, detail: "In person: Linden Room" }]);
  expect(await meetingsOf(built, built.p1)).toMatchObject([{ id, detail: "In person: SHELTER NINE" }]);
});

test("S72: a separate meeting that was held while a party was away, when they are named in its stead, then they are told nothing of the other's", async () => {
  const built = await aCase(practice);
  const { id } = await book(built, {
    type: "pre_meeting",
    partyIds: [built.p1.partyId],
    startsAt: ahead(2500),
    ...moveTo("REFUGE ONE"),
  });
  await goes(built);
  await sleep(2600);
  await comesBack(built);
  await change(id, { partyIds: [built.p2.partyId], ...moveTo("Birch Room") });
  expect(await meetingsOf(built, built.p2)).toEqual([]);
  expect(await toldToParty(app, practice, built.theCase.id, built.p2)).not.toContain("refuge one");
  expect(await meetingsOf(built, built.p1)).toEqual([]);
});

test("a migration shows what was told of a meeting before to whom alone it ever named, and else to nobody", async () => {
  const built = await aCase(practice);
  const alone = await book(built, { type: "pre_meeting", partyIds: [built.p2.partyId] });
  const both = await book(built);
  await goes(built);
  for (const { id } of [alone, both]) await change(id, moveTo("Birch Room"));
  const meetings = mongoose.connection.collection<{ _id: string }>("meetings");
  for (const { id } of [alone, both]) await meetings.updateOne({ _id: id }, { $unset: { "past.0.partyIds": "" } });
  await MIGRATIONS.find(({ name }) => name.includes("whom meetings named"))?.run(log);
  const seen = await meetingsOf(built, built.p2);
  expect(seen).toMatchObject([{ id: alone.id, detail: "In person: Linden Room" }]);
  expect(await meetingsOf(built, built.p1)).toMatchObject([{ id: both.id, detail: "In person: Birch Room" }]);
});

test("S72: a party who is away, when they are written to, then no meeting goes with it, nor one of which they know less", async () => {
  const built = await aCase(practice);
  const { id } = await book(built);
  const codes = async () => {
    const to = [{ name: "", address: built.second.email }];
    const place = { clientId: built.second.id, caseId: built.theCase.id, meetingId: id };
    const text = { subject: "Your appointment", body: richTextOf("Here"), inReplyTo: "", references: [] };
    const { problems } = await practice.api.compose.check.mutate({ ...place, ...text, to, cc: [], fileIds: [] });
    return problems.map(({ code }) => code);
  };
  expect(await codes()).toEqual([]);
  await goes(built);
  expect(await codes()).toHaveLength(1);
  await change(id, moveTo("Birch Room"));
  await comesBack(built);
  expect(await codes()).toHaveLength(1);
  await change(id, moveTo("Alder Room"));
  expect(await codes()).toEqual([]);
});

test("a meeting of tomorrow, when it was changed while a party was away who is back, then somebody is asked to tell them", async () => {
  const built = await aCase(practice);
  const { id } = await book(built, { type: "pre_meeting", startsAt: ahead(20 * HOUR_MS), isInvitationSent: true });
  await goes(built);
  await change(id, moveTo("Birch Room"));
  await comesBack(built);
  await remindOfMeetings(log);
  expect(await remindersTo(built, built.p1)).toHaveLength(1);
  expect(await remindersTo(built, built.p2)).toEqual([]);
  expect(await taskTitles()).toEqual([expect.stringMatching(/^Tell P2 again of the appointment on/)]);
});

test("a migration finds the lines that say that a meeting does not take place", async () => {
  const built = await aCase(practice);
  const { id } = await book(built);
  await goes(built);
  await setStatus(id, "cancelled");
  const lines = mongoose.connection.collection<{ _id: string }>("history");
  await lines.updateMany({ "meeting.meetingId": id }, { $unset: { "meeting.isOff": "" } });
  expect((await linesOf(built, built.p2)).join()).not.toContain("cancelled");
  await MIGRATIONS.find(({ name }) => name.includes("does not take place"))?.run(log);
  expect((await linesOf(built, built.p2)).join()).toContain("cancelled");
});
