// What parties are told of meetings waits, and the meeting changes: only what is true when it leaves goes to them.
import { DAY_MS, MINUTE_MS } from "@app/server/core/clock";
import { hold } from "@app/server/core/holding";
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { tellOfSeries } from "@app/server/features/meetings/series-notices";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf, sealContent } from "@app/server/features/outbox/outbox.service";
import { DEFAULT_SAFE_CONTACT, type SafeContact } from "@app/shared/clients";
import type { CreateMeeting, Meeting, updateMeetingSchema } from "@app/shared/meetings";
import PostalMime from "postal-mime";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { z } from "zod";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aCase, aMeetingInput, aPractice, clientFields, PASSWORD } from "../support/server/people.ts";
import { moveTime } from "../support/access/refusal.ts";
import { aColleague } from "../support/server/signed-in.ts";
import { aScreening, NOT_SAFE, withMeasures } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const log = createLogger("silent");
const INES = "ines@practice.example.org";
const RETRY_MS = 61_000;

let isBusy = false;
const smtp = anSmtpForAll({
  onRcptTo(_address, _session, done) {
    if (isBusy) done(Object.assign(new Error("Try again later"), { responseCode: 451 }));
    else done();
  },
});
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
beforeAll(async () => {
  // Nobody else delivers here.
  await stopJobs();
});
beforeEach(() => {
  isBusy = true;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await OutboxModel.deleteMany({}).setOptions({ anyOwner: true });
});

const connect = () => connectMailbox(practice.ownerId, { email: INES, smtpPort: smtp.port, imapPort: 1 });
const both = () => [built.p1.partyId, built.p2.partyId];

/** A meeting of both parties whose invitations the mail server has put off. */
async function aWaitingInvitation(overrides: Partial<CreateMeeting> = {}): Promise<Meeting> {
  await connect();
  const meeting = await anInvitation(overrides);
  await tellOfSeries(log);
  await deliverCaseMail(log);
  expect(smtp.received).toEqual([]);
  return meeting;
}

const anInvitation = (overrides: Partial<CreateMeeting> = {}) =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: built.theCase.id,
      partyIds: both(),
      isInvitationSent: true,
      ...overrides,
    }),
  );

type Details = Omit<z.input<typeof updateMeetingSchema>, "id" | "version">;
async function change({ id }: Meeting, other: Partial<Details>): Promise<Meeting> {
  const { version, ...before } = await practice.api.meetings.get.query({ id });
  const { type, title, location, mediatorIds, partyIds, arrivals, note } = before;
  const details = { type, title, location, mediatorIds, partyIds, arrivals, note };
  return practice.api.meetings.update.mutate({ id, version, ...details, ...other });
}

const cancel = ({ id, version }: Meeting, isWholeSeries = false) =>
  practice.api.meetings.cancel.mutate({ id, version, changeId: newId(), reason: "Ill", isLate: false, isWholeSeries });

const move = ({ id, version }: Meeting) =>
  practice.api.meetings.reschedule.mutate({
    id,
    version,
    changeId: newId(),
    reason: "Ill",
    allowsOverlap: false,
    startsAt: "2031-03-11T14:00:00.000Z",
    endsAt: "2031-03-11T15:00:00.000Z",
  });

async function setContact(clientId: string, { email, ...safe }: Partial<SafeContact> & { email?: string }) {
  const { version, ...client } = await practice.api.clients.get.query({ id: clientId });
  const { firstName, lastName } = client;
  const safeContact = { ...DEFAULT_SAFE_CONTACT, ...safe };
  const fields = clientFields({ email: email ?? client.email, firstName, lastName, phones: [], safeContact });
  await practice.api.clients.update.mutate({ id: clientId, version, client: fields });
}

/** The mail server takes mail again, and whatever waits is due. */
async function serve(afterMs = RETRY_MS): Promise<void> {
  isBusy = false;
  moveTime(afterMs);
  for (let round = 0; round < 2; round += 1) await deliverCaseMail(log);
  vi.restoreAllMocks();
}

/** What came to this address, mail by mail. */
async function gotBy({ email }: { email: string }) {
  const mails = smtp.received.filter(({ to }) => to.includes(email));
  return Promise.all(
    mails.map(async ({ source }) => {
      const { subject, text = "", attachments, from } = await PostalMime.parse(source, { attachmentEncoding: "utf8" });
      const ics = attachments.map(({ content }) => (typeof content === "string" ? content : "")).join();
      return {
        subject,
        time: /When: .*, (\S+) \(/.exec(text)?.[1],
        place: /In person: (.*)/.exec(text)?.[1],
        text: text.trim(),
        ics: ics.replace(/\r\n /g, ""),
        from: from?.name,
      };
    }),
  );
}
const subjectsTo = async (person: { email: string }) => (await gotBy(person)).map(({ subject }) => subject);

/** How the mails to this party stand, the first written first. */
async function statesOf({ partyId }: { partyId: string }) {
  const docs = await OutboxModel.find({ ownerId: practice.ownerId, partyId }).sort({ createdAt: 1 }).lean();
  return docs.map(({ purpose, state, reason }) => `${purpose} ${state} ${reason}`.trim());
}
const tasks = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);

const NEWER = "superseded Superseded by a newer message.";

describe("S69: an invitation that waits", () => {
  test("when its meeting is elsewhere and one party comes earlier, then each gets the newest alone, and nobody has a task", async () => {
    const meeting = await aWaitingInvitation();
    await change(meeting, {
      location: { kind: "in_person", place: "Room 2" },
      arrivals: [{ partyId: built.p1.partyId, minutesBefore: 30 }],
    });
    await serve();
    expect(await gotBy(built.first)).toMatchObject([{ time: "08:30", place: "Room 2" }]);
    expect(await gotBy(built.second)).toMatchObject([{ time: "09:00", place: "Room 2" }]);
    for (const party of [built.p1, built.p2])
      expect(await statesOf(party)).toEqual([`invitation ${NEWER}`, "invitation sent"]);
    expect(await tasks()).toEqual([]);
  });

  test("when its meeting is cancelled, then nothing arrives", async () => {
    await cancel(await aWaitingInvitation());
    await serve();
    expect(smtp.received).toEqual([]);
    expect(await tasks()).toEqual([]);
  });

  test("when its meeting is moved twice, then the last time alone arrives", async () => {
    const { id } = await move(await aWaitingInvitation());
    const { version } = await practice.api.meetings.get.query({ id });
    const again = { startsAt: "2031-03-18T16:00:00.000Z", endsAt: "2031-03-18T17:00:00.000Z", allowsOverlap: false };
    await practice.api.meetings.reschedule.mutate({ id, version, changeId: newId(), reason: "Ill", ...again });
    await serve();
    for (const person of [built.first, built.second]) {
      expect(await gotBy(person)).toMatchObject([{ time: "16:00", ics: expect.stringContaining("SEQUENCE:2") }]);
    }
    expect(await statesOf(built.p1)).toEqual([`invitation ${NEWER}`, `invitation ${NEWER}`, "invitation sent"]);
  });

  test("when its party is taken out, then they get nothing, and the other their invitation", async () => {
    await change(await aWaitingInvitation(), { partyIds: [built.p1.partyId] });
    await serve();
    expect(await subjectsTo(built.first)).toEqual(["Your appointment"]);
    expect(await subjectsTo(built.second)).toEqual([]);
  });

  test("when its series is cancelled as a whole, then no meeting of it is confirmed any more", async () => {
    const first = await aWaitingInvitation({ repeat: { everyWeeks: 1, times: 3 } });
    await cancel(first, true);
    await tellOfSeries(log);
    await serve();
    expect(smtp.received).toEqual([]);
  });

  test("when the change was told in another way, then it is made anew of what is so now", async () => {
    const meeting = await aWaitingInvitation();
    await setContact(built.first.id, { mayEmail: false });
    await change(meeting, { location: { kind: "in_person", place: "Room 2" } });
    await setContact(built.first.id, {});
    await serve();
    expect(await gotBy(built.first)).toMatchObject([{ place: "Room 2", ics: expect.stringContaining("SEQUENCE:1") }]);
  });

  test("when its meeting was proposed and is booked by then, then its calendar entry says so", async () => {
    const meeting = await aWaitingInvitation({ status: "proposed" });
    await practice.api.meetings.setStatus.mutate({ id: meeting.id, version: meeting.version, to: "booked" });
    await serve();
    const [mail] = await gotBy(built.first);
    expect(mail?.ics).toMatch(/STATUS:CONFIRMED/);
  });

  test("when its party has another address by then, then it goes there alone", async () => {
    await aWaitingInvitation();
    const email = `new.${built.first.email}`;
    await setContact(built.first.id, { email });
    await serve();
    expect(await subjectsTo({ email })).toEqual(["Your appointment"]);
    expect(await subjectsTo(built.first)).toEqual([]);
    const doc = await OutboxModel.findOne({ ownerId: practice.ownerId, partyId: built.p1.partyId }).lean();
    expect(doc && contentOf(doc).to).toBe(email);
  });

  test("when it failed and somebody tries it again after its meeting was cancelled, then it does not leave", async () => {
    const meeting = await aWaitingInvitation();
    for (const minutes of [2, 20, 100]) {
      moveTime(minutes * MINUTE_MS);
      await deliverCaseMail(log);
    }
    vi.restoreAllMocks();
    const mail = await OutboxModel.findOne({ ownerId: practice.ownerId, partyId: built.p1.partyId }).lean();
    expect(mail?.state).toBe("failed");
    await cancel(meeting);
    isBusy = false;
    await deliverCaseMail(log);
    smtp.received.length = 0;
    await practice.api.outbox.retry.mutate({ id: mail?._id ?? "", changeId: newId() });
    await deliverCaseMail(log);
    expect(smtp.received).toEqual([]);
    expect(await statesOf(built.p1)).toEqual([
      "invitation superseded The appointment is not as this says any more, so nobody needs it.",
    ]);
    expect(await tasks()).toContainEqual(expect.stringMatching(/^Tell P1 that the appointment is cancelled on /));
  });

  test("when another process is just sending it by another mailbox, then what is newer waits for that", async () => {
    const meeting = await aWaitingInvitation();
    const tom = {
      email: "tom@practice.example.org",
      firstName: "Tom",
      lastName: "Birch",
      role: 3,
      password: PASSWORD,
    } as const;
    const { userId: createdBy } = await aColleague(practice.ownerId, tom);
    await connectMailbox(createdBy, { email: tom.email, smtpPort: smtp.port, imapPort: 1 });
    const { by, release } = await hold();
    const older = { ownerId: practice.ownerId, partyId: built.p1.partyId };
    await OutboxModel.updateOne(older, { $set: { state: "sending", heldBy: by, createdBy } });
    await cancel(meeting);
    isBusy = false;
    await deliverCaseMail(log);
    expect(await subjectsTo(built.first)).toEqual([]);
    await OutboxModel.updateOne({ ...older, heldBy: by }, { $set: { state: "sent" } });
    release();
    await serve();
    expect(await subjectsTo(built.first)).toEqual(["Your appointment is cancelled"]);
  });

  test("when it was written before meetings stood on it, then it stays, and its writer is told", async () => {
    await aWaitingInvitation({ partyIds: [built.p1.partyId] });
    const doc = await OutboxModel.findOne({ ownerId: practice.ownerId }).lean();
    if (!doc) throw new Error("no invitation was written");
    const contentEnc = sealContent(practice.ownerId, doc._id, { ...contentOf(doc), meeting: null });
    await OutboxModel.updateOne({ ownerId: practice.ownerId, _id: doc._id }, { $set: { contentEnc } });
    await serve();
    expect(smtp.received).toEqual([]);
    expect(await tasks()).toEqual([expect.stringMatching(/^A message did not leave: It was written before an update/)]);
  });
});

describe("what waits for a joint meeting", () => {
  async function review() {
    const place = { caseId: built.theCase.id, meetingId: null };
    const { id } = await practice.api.sessions.create.mutate({ id: newId(), ...place });
    const found = { hasChanged: true, isSafe: false, doMeasuresFit: true, note: "He waits outside" };
    const { partyId } = built.p1;
    await practice.api.sessions.reviewSafety.mutate({ id, changeId: newId(), partyId, ...found });
  }
  const screen = (found: Parameters<typeof aScreening>[2]) =>
    practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId, found));

  test.each<[string, () => Promise<unknown>]>([
    ["a screening finds somebody not safe", () => screen(NOT_SAFE)],
    ["a safety review finds somebody not safe", review],
    ["a screening asks for other arrivals", () => screen(withMeasures("separate_arrivals"))],
  ])(
    "when %s, then nobody is asked to come, and its writer is told no more than that it waits",
    async (_what, finds) => {
      await aWaitingInvitation();
      await finds();
      await serve();
      expect(smtp.received).toEqual([]);
      expect(await statesOf(built.p2)).toEqual([
        expect.stringMatching(/^invitation failed This has to wait for the safety/),
      ]);
    },
  );

  test("when its parties come to different meetings, then the other is asked to theirs all the same", async () => {
    const { version } = await practice.api.cases.get.query({ id: built.theCase.id });
    const step = { id: built.theCase.id, version, partyId: built.p2.partyId, on: "2026-01-05", reason: "" };
    await practice.api.casework.moveParty.mutate({ ...step, to: "responded" });
    await aWaitingInvitation({ partyIds: [built.p2.partyId] });
    await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId, NOT_SAFE));
    await serve();
    expect(await subjectsTo(built.second)).toEqual(["Your appointment"]);
  });
});

describe("S69: where there is no way to send, an invitation", () => {
  test("when its meeting is cancelled, then both are put aside at once, and nothing leaves by the first way", async () => {
    await cancel(await anInvitation());
    await deliverCaseMail(log);
    expect(await statesOf(built.p1)).toEqual([
      expect.stringMatching(/^invitation superseded /),
      expect.stringMatching(/^cancellation superseded This person was never told of the appointment/),
    ]);
    await connect();
    await serve();
    expect(smtp.received).toEqual([]);
  });

  test("when its meeting has begun for this party, then it stays, and somebody is told", async () => {
    const startsAt = new Date(Date.now() + 30 * MINUTE_MS).toISOString();
    await anInvitation({ startsAt, arrivals: [{ partyId: built.p1.partyId, minutesBefore: 20 }] });
    await connect();
    await serve(12 * MINUTE_MS);
    expect(await subjectsTo(built.first)).toEqual([]);
    expect(await subjectsTo(built.second)).toEqual(["Your appointment"]);
    expect(await statesOf(built.p1)).toEqual([expect.stringMatching(/^invitation failed The appointment began/)]);
    expect(await tasks()).toEqual([expect.stringMatching(/^A message did not leave: The appointment began/)]);
  });
});

describe("S69: a client who is given a code word while a notice waits", () => {
  async function toldAndCancelled(meeting: Meeting) {
    await serve();
    smtp.received.length = 0;
    isBusy = true;
    await cancel(meeting);
  }

  test.each<[string, (meeting: Meeting) => Promise<unknown>]>([
    ["invitation", () => Promise.resolve()],
    ["cancellation", (meeting) => toldAndCancelled(meeting)],
  ])(
    "when the %s leaves, then neither its words nor its entry name the practice or what it does",
    async (_what, go) => {
      const place = `${practice.practiceName} Mediation, The Old Mill, 3 Mill Lane`;
      await go(await aWaitingInvitation({ location: { kind: "in_person", place } }));
      await setContact(built.first.id, { codeWord: "heron" });
      await serve();
      const [mail, ...more] = await gotBy(built.first);
      expect(mail?.text).toMatch(/The Old Mill, 3 Mill Lane/);
      expect(more).toEqual([]);
      expect(mail?.text).toMatch(/Ines Marchbank/);
      expect(mail?.ics).toMatch(/SUMMARY:Appointment/);
      expect(JSON.stringify(mail)).not.toMatch(/quillfeather|mediat/i);
      expect(JSON.stringify(await gotBy(built.second))).toMatch(/Quillfeather/);
    },
  );

  test("when they have none any more, then the practice is named", async () => {
    await setContact(built.first.id, { codeWord: "heron" });
    await aWaitingInvitation();
    await setContact(built.first.id, {});
    await serve();
    expect((await gotBy(built.first))[0]?.text).toContain(practice.practiceName);
  });
});

describe("S69: a reminder that waits", () => {
  /** Both parties know of the meeting in 20 days, and their reminders wait half a day before it. */
  async function aWaitingReminder(): Promise<Meeting> {
    isBusy = false;
    await connect();
    const meeting = await anInvitation({ startsAt: new Date(Date.now() + 20 * DAY_MS).toISOString() });
    await deliverCaseMail(log);
    expect(smtp.received).toHaveLength(2);
    smtp.received.length = 0;
    await remind();
    return meeting;
  }

  async function remind() {
    isBusy = true;
    moveTime(19.5 * DAY_MS);
    await remindOfMeetings(log);
    await deliverCaseMail(log);
    vi.restoreAllMocks();
  }
  const soon = 19.5 * DAY_MS + RETRY_MS;

  test("when its meeting stands, then it arrives", async () => {
    await aWaitingReminder();
    await serve(soon);
    expect(await subjectsTo(built.first)).toEqual(["Appointment reminder"]);
  });

  test.each<[string, (meeting: Meeting) => Promise<unknown>, string[]]>([
    ["is cancelled", (meeting) => cancel(meeting), ["Your appointment is cancelled"]],
    ["is moved", (meeting) => move(meeting), ["Your appointment has moved"]],
    [
      "is without this party",
      (meeting) => change(meeting, { partyIds: [built.p2.partyId] }),
      ["Your appointment is cancelled"],
    ],
  ])("when its meeting %s, then only that arrives", async (_what, happens, subjects) => {
    await happens(await aWaitingReminder());
    await serve(soon);
    expect(await subjectsTo(built.first)).toEqual(subjects);
    expect(await statesOf(built.p1)).toContain(`reminder ${NEWER}`);
  });

  test("when its meeting has begun, then it stays", async () => {
    await aWaitingReminder();
    await serve(20 * DAY_MS + MINUTE_MS);
    expect(smtp.received).toEqual([]);
  });

  test("when the invitation still waits too, then the invitation alone arrives", async () => {
    await connect();
    await anInvitation({ startsAt: new Date(Date.now() + 20 * DAY_MS).toISOString() });
    await remind();
    await serve(soon);
    for (const person of [built.first, built.second]) expect(await subjectsTo(person)).toEqual(["Your appointment"]);
    expect(await statesOf(built.p1)).toContain("reminder superseded The invitation, which still waits, says the same.");
  });
});
