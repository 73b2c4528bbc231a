// S72: a meeting is told to each party as they know it.
import { newId } from "@app/server/core/ids";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { forParty } from "@app/shared/visibility";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { anAssessment, authorise } from "../support/server/assessments.ts";
import { toldToParty } from "../support/visibility/party-record.ts";
import { aCase, aMeetingInput, aPractice, clientFields } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

type Built = Awaited<ReturnType<typeof aCase>>;

const told = ({ theCase }: Built, party: { partyId: string; clientId: string }) =>
  toldToParty(app, practice, theCase.id, party);

/** Shuttle mediation at 10:00, to which P2 comes half an hour earlier and may only be reached in a certain way. */
async function aShuttle() {
  const built = await aCase(practice);
  const { client, version } = await clientOf(built.second.id);
  const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord: "heron" };
  await practice.api.clients.update.mutate({ id: built.second.id, version, client: { ...client, safeContact } });
  const number = (shuttles += 1);
  const meeting = await practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      type: "shuttle",
      caseId: built.theCase.id,
      partyIds: [built.p2.partyId, built.p1.partyId],
      arrivals: [{ partyId: built.p2.partyId, minutesBefore: 30 }],
      startsAt: `2031-05-${String(number).padStart(2, "0")}T09:00:00.000Z`,
      isInvitationSent: true,
    }),
  );
  return { built, meeting };
}
let shuttles = 9;

async function clientOf(id: string) {
  const client = await practice.api.clients.get.query({ id });
  return {
    version: client.version,
    client: clientFields({ firstName: client.firstName, lastName: client.lastName, email: client.email }),
  };
}

async function historyOf({ theCase }: Built, { partyId }: { partyId: string }) {
  const { items } = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId });
  return items
    .filter(({ kind, title }) => kind === "history" && /mediation|appointment/i.test(title))
    .map(({ title }) => title);
}

test("what is told of a meeting is what the party knows of it, in history, preview, record and mails", async () => {
  const { built, meeting } = await aShuttle();
  expect(await historyOf(built, built.p1)).toEqual([
    expect.stringMatching(/^Mediation on [A-Z]\w+day \d+ May 2031 at 10:00 booked$/),
  ]);
  expect(await historyOf(built, built.p2)).toEqual([
    expect.stringMatching(/^Appointment on [A-Z]\w+day \d+ May 2031 at 09:30 booked$/),
  ]);
  const { version } = await practice.api.meetings.get.query({ id: meeting.id });
  const moved = await practice.api.meetings.reschedule.mutate({
    changeId: newId(),
    id: meeting.id,
    version,
    reason: "Room taken",
    allowsOverlap: true,
    startsAt: "2031-06-06T12:00:00.000Z",
    endsAt: "2031-06-06T13:00:00.000Z",
  });
  await practice.api.meetings.cancel.mutate({
    changeId: newId(),
    id: moved.id,
    version: moved.version,
    reason: "Ill",
    isLate: false,
    isWholeSeries: false,
  });
  for (const party of [built.p1, built.p2]) {
    const text = await told(built, party);
    expect(text).not.toContain("shuttle");
    expect(text).toContain("cancelled");
    expect(text).toContain("moved to another time");
  }
  const p2 = await told(built, built.p2);
  expect(p2).not.toMatch(/mediation on|at 10:00|at 13:00/);
  expect(p2).toContain("at 12:30");
  const docs = await OutboxModel.find({ partyId: built.p2.partyId }).setOptions({ anyOwner: true }).lean();
  expect(docs).toHaveLength(3);
  const mails = JSON.stringify(docs.map(contentOf));
  expect(mails).not.toMatch(/shuttle|Time: 10:00|Time: 13:00|SUMMARY:Mediation/);
});

test("S72: what the history told of meetings becomes neutral for whoever became so afterwards", async () => {
  const { built, meeting } = await aShuttle();
  const old = {
    ownerId: practice.ownerId,
    at: new Date(),
    kind: "meeting",
    actorName: "",
    caseId: built.theCase.id,
    clientIds: [built.first.id],
    text: "Mediation on Wednesday 1 January 2031 at 10:00 completed",
    visibility: forParty(built.p1.partyId),
  };
  await mongoose.connection.collection<{ _id: string }>("history").insertOne({ ...old, _id: newId() });
  const { version } = await practice.api.meetings.get.query({ id: meeting.id });
  await practice.api.meetings.cancel.mutate({
    changeId: newId(),
    id: meeting.id,
    version,
    reason: "Ill",
    isLate: false,
    isWholeSeries: false,
  });
  expect((await historyOf(built, built.p1)).toSorted()).toEqual([
    expect.stringMatching(/^Mediation on .* booked$/),
    expect.stringMatching(/^Mediation on .* cancelled$/),
    expect.stringContaining("Mediation on Wednesday 1 January 2031"),
  ]);
  const { client, version: before } = await clientOf(built.first.id);
  const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord: "heron" };
  await practice.api.clients.update.mutate({ id: built.first.id, version: before, client: { ...client, safeContact } });
  expect((await historyOf(built, built.p1)).toSorted()).toEqual([
    expect.stringMatching(/^Appointment on .* at 10:00 booked$/),
    expect.stringMatching(/^Appointment on .* at 10:00 cancelled$/),
  ]);
  const { items } = await practice.api.timeline.list.query({ caseId: built.theCase.id, page: 1, kind: "meeting" });
  expect(JSON.stringify(items)).toContain("Mediation on");
});

test("S72: a MIAM of somebody who must be reached discreetly, when they attended it, is an appointment wherever it is told of", async () => {
  await authorise(practice);
  const { built } = await aShuttle();
  const { theCase, p1, p2 } = built;
  const startsAt = new Date(Date.now() - 2 * 86_400_000);
  const endsAt = new Date(startsAt.getTime() + 3_600_000).toISOString();
  for (const { partyId } of [p1, p2]) {
    const place = { type: "miam" as const, caseId: theCase.id, partyIds: [partyId], allowsOverlap: true };
    const { id } = await practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, { ...place, startsAt: startsAt.toISOString(), endsAt }),
    );
    const { version } = await practice.api.meetings.setAttendance.mutate({ id, partyId, attendance: "present" });
    await practice.api.meetings.setStatus.mutate({ id, version, to: "completed" });
  }
  const { items } = await practice.api.assessments.list.query({ caseId: theCase.id });
  for (const { id, version } of items)
    await practice.api.assessments.strike.mutate({ id, version, reason: "Another day" });
  const records = [p1, p2].map(({ partyId }) => ({ caseId: theCase.id, partyId, mediatorId: practice.ownerId }));
  for (const whose of records) await practice.api.assessments.record.mutate(anAssessment(whose));
  const own = await told(built, p2);
  expect(own).toMatch(/appointment attended on \d/);
  expect(own).toContain('"title":"appointment attended"');
  expect(own).not.toContain("struck");
  expect(own).not.toMatch(/miam|marchbank/);
  const other = await told(built, p1);
  expect(other).toMatch(/miam attended on \d.*marchbank/s);
  expect(other).toContain('"title":"miam attended"');
});

test("that somebody did not come is told to no party", async () => {
  const { built, meeting } = await aShuttle();
  const { version } = await practice.api.meetings.get.query({ id: meeting.id });
  const begun = { startsAt: new Date(Date.now() - 3_600_000) };
  await MeetingModel.updateOne({ ownerId: practice.ownerId, _id: meeting.id }, { $set: begun });
  await practice.api.meetings.setStatus.mutate({ id: meeting.id, version, to: "no_show" });
  for (const party of [built.p1, built.p2]) expect(await told(built, party)).not.toMatch(/no-show|no show/);
});

test.each([
  ["is called like the practice", "Quillfeather", "your appointment."],
  ["has a name of their own", "Rowena", "your appointment with Rowena Vale."],
])(
  "S72: where whoever stands for the practice %s, when they invite discreetly, the words name the practice nowhere",
  async (_what, firstName, words) => {
    const own = await aPractice(app);
    const { version } = await own.api.users.profile.query();
    const accreditation = { isAccredited: false, accreditationNumber: "" };
    await own.api.users.updateProfile.mutate({ firstName, lastName: "Vale", ...accreditation, version });
    const built = await aCase(own);
    const {
      email,
      firstName: first,
      lastName,
      version: before,
    } = await own.api.clients.get.query({ id: built.first.id });
    const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord: "heron" };
    const client = clientFields({ firstName: first, lastName, email, safeContact });
    await own.api.clients.update.mutate({ id: built.first.id, version: before, client });
    const place = { caseId: built.theCase.id, partyIds: [built.p1.partyId], startsAt: "2031-05-06T09:00:00.000Z" };
    await own.api.meetings.create.mutate(aMeetingInput(own.ownerId, { ...place, isInvitationSent: true }));
    const [doc] = await OutboxModel.find({ ownerId: own.ownerId }).lean();
    if (!doc) throw new Error("nobody was invited");
    const { text, attachments } = contentOf(doc);
    expect(text.split("\n")[0]).toBe(`This is to confirm ${words}`);
    expect(JSON.stringify([text, attachments])).not.toContain("Quillfeather");
  },
);
