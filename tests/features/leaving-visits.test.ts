// Whoever books by a public page is mailed: what was written arrives, and only while it is true.
import { newToken } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import PostalMime from "postal-mime";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { bookAs, bothPicked, makeLink, opened, SAM } from "../support/server/booked.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aVisitor, clientFields } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const log = createLogger("silent");
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app).api;
beforeAll(async () => {
  // Nobody else delivers here.
  await stopJobs();
});
beforeEach(async () => {
  await forgetAttempts();
  await OutboxModel.deleteMany({}).setOptions({ anyOwner: true });
  await connectMailbox(practice.ownerId, { email: "ines@practice.example.org", smtpPort: smtp.port, imapPort: 1 });
});

const MOST_ROUNDS = 10;
const isWaiting = async () => (await states()).some((state) => state === "queued" || state === "sending");

async function deliver() {
  // Two rounds at least; where the machine is slow, until all of it has left.
  for (let round = 0; round < 2 || (round < MOST_ROUNDS && (await isWaiting())); round += 1) await deliverCaseMail(log);
  const mails = smtp.received.filter(({ to }) => !to.includes("ines@practice.example.org"));
  return Promise.all(
    mails.map(async ({ to, source }) => {
      const { subject = "", text = "", attachments } = await PostalMime.parse(source, { attachmentEncoding: "utf8" });
      const ics = attachments.map(({ content }) => (typeof content === "string" ? content : "")).join();
      return { to: to.join(), subject, text, method: /^METHOD:(\w+)/m.exec(ics)?.[1] ?? "" };
    }),
  );
}

const states = async () =>
  (await OutboxModel.find({ ownerId: practice.ownerId }).sort({ createdAt: 1 }).lean()).map(({ state }) => state);

test("bookings.book: a stranger by a general link, when the mail leaves, gets the confirmation with its calendar entry", async () => {
  const link = await makeLink(practice);
  const { manageId } = await bookAs(visitor(), link.publicId);
  const [mail, ...more] = await deliver();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: SAM.email, subject: "Your appointment", method: "REQUEST" });
  expect(mail?.text).toContain(`/schedule-meeting/${manageId}`);
});

test("bookings.cancel: before the confirmation left, then only the cancellation goes out", async () => {
  const link = await makeLink(practice, { noticeHours: 1 });
  const { manageId } = await bookAs(visitor(), link.publicId);
  const { page } = await opened(visitor(), manageId);
  await visitor().bookings.cancel.mutate({ id: manageId, formToken: page.formToken, website: "" });
  expect((await deliver()).map(({ to, method }) => [to, method])).toEqual([[SAM.email, "CANCEL"]]);
  expect(await states()).toEqual(["superseded", "sent"]);
});

test("meetings.reschedule: before the confirmation left, then only the newer one goes out", async () => {
  const link = await makeLink(practice);
  await bookAs(visitor(), link.publicId);
  const meeting = await MeetingModel.findOne({ ownerId: practice.ownerId }).lean();
  await practice.api.meetings.reschedule.mutate({
    startsAt: "2031-03-05T10:00:00.000Z",
    endsAt: "2031-03-05T11:00:00.000Z",
    changeId: newToken(),
    id: meeting?._id ?? "",
    version: meeting?.version ?? 0,
    reason: "",
    allowsOverlap: false,
  });
  const mails = await deliver();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain("5 March 2031");
});

test("bookings.book: a client without a case, when they may not be emailed by the time that it leaves, is not", async () => {
  const client = await practice.api.clients.create.mutate({ ...clientFields(), id: newToken() });
  const link = await makeLink(practice, { clientId: client.id });
  await bookAs(visitor(), link.publicId, { person: null });
  const { id, version } = client;
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
  const { email } = client;
  await practice.api.clients.update.mutate({ id, version, client: clientFields({ email, safeContact }) });
  expect(await deliver()).toEqual([]);
  expect(await states()).toEqual(["failed"]);
});

const aKeptTime = () => bothPicked(practice, aVisitor(app), [5]);

test("bookings.pick: what asks each to confirm, when it leaves and nothing has changed, reaches each alone", async () => {
  const { first, second } = await aKeptTime();
  const mails = await deliver();
  expect(new Set(mails.map(({ to }) => to))).toEqual(new Set([first.email, second.email]));
  expect(mails).toHaveLength(2);
});

test.each<[string, (kept: Awaited<ReturnType<typeof aKeptTime>>) => Promise<unknown>]>([
  [
    "one of them is found not safe",
    ({ theCase, p1 }) => practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE)),
  ],
  ["staff end the links", ({ pair }) => practice.api.bookings.endPair.mutate({ id: pair.id })],
])("bookings.pick: before what asks each to confirm has left, where %s, then nobody is asked", async (_, happen) => {
  const kept = await aKeptTime();
  await happen(kept);
  expect(await deliver()).toEqual([]);
  expect(await states()).toHaveLength(2);
  for (const state of await states()) expect(["failed", "superseded"]).toContain(state);
});

async function moveTo(startsAt: string): Promise<void> {
  const [meeting] = await MeetingModel.find({ ownerId: practice.ownerId }).sort({ createdAt: -1 }).lean();
  const endsAt = new Date(Date.parse(startsAt) + 3_600_000).toISOString();
  const { _id: id = "", version = 0 } = meeting ?? {};
  const moved = { startsAt, endsAt, id, version, reason: "", allowsOverlap: false };
  await practice.api.meetings.reschedule.mutate({ ...moved, changeId: newToken() });
}

async function cancelIt(): Promise<void> {
  const [meeting] = await MeetingModel.find({ ownerId: practice.ownerId }).sort({ createdAt: -1 }).lean();
  const { _id: id = "", version = 0 } = meeting ?? {};
  const how = { reason: "Ill", isLate: false, isWholeSeries: false };
  await practice.api.meetings.cancel.mutate({ ...how, id, version, changeId: newToken() });
}

const linesOf = (text: string) => text.split("\n").filter((line) => /^(When|Before): /.test(line));

test("a time that two found: what each is told of it, booked, moved and cancelled, is in the zone in which they chose", async () => {
  const zones = ["Asia/Kolkata", "America/New_York"];
  const { links, first, second } = await bothPicked(practice, aVisitor(app), [5], zones);
  await deliver();
  for (const id of links) {
    const { page } = await opened(visitor(), id);
    await visitor().bookings.answer.mutate({ id, isAgreed: true, formToken: page.formToken, website: "" });
  }
  await deliver();
  await moveTo("2031-03-05T12:00:00.000Z");
  await deliver();
  await cancelIt();
  const mails = await deliver();
  for (const [{ email }, zone, time] of [
    [first, "India Standard Time", "17:30"],
    [second, "Eastern Time", "07:00"],
  ] as const) {
    const own = mails.filter(({ to }) => to === email);
    expect(own.map(({ subject }) => subject)).toEqual([
      "A time for your appointment",
      "Your appointment",
      "Your appointment has moved",
      "Your appointment is cancelled",
    ]);
    const [kept, booked, moved, cancelled] = own.map(({ text }) => linesOf(text));
    // Each by their own link, as long as there is something to see and to cancel.
    const [mine = "", theirs = ""] = email === first.email ? links : links.toReversed();
    expect(own.map(({ text }) => text.includes(mine))).toEqual([true, true, true, false]);
    expect(own.map(({ text }) => text).join()).not.toContain(theirs);
    expect(booked).toEqual(kept);
    expect(kept?.join()).toContain(zone);
    const now = `When: Wednesday 5 March 2031, ${time} (${zone})`;
    expect(moved).toEqual([now, `${booked?.join().replace("When", "Before")}, which does not hold any more`]);
    expect(cancelled).toEqual([now]);
  }
});

test("bookings.book: by a party's own link, when what confirms it leaves, says when it is in their zone", async () => {
  const { theCase, p1 } = await aCase(practice);
  const link = await makeLink(practice, { clientId: p1.clientId, caseId: theCase.id });
  await bookAs(visitor(), link.publicId, { person: null, timeZone: "Asia/Kolkata" });
  const [mail] = await deliver();
  expect(linesOf(mail?.text ?? "")).toEqual([expect.stringContaining("(India Standard Time)")]);
});

test.each(["before they book", "before it leaves"])(
  "bookings.book: by a general link, with the address of somebody who is to be reached discreetly since %s, names the practice nowhere",
  async (since) => {
    const client = await practice.api.clients.create.mutate({
      ...clientFields({
        email: SAM.email,
        safeContact: { ...DEFAULT_SAFE_CONTACT, mayPhone: since !== "before they book" },
      }),
      id: newToken(),
    });
    const link = await makeLink(practice, { location: { kind: "in_person", place: "Quillfeather Mediation, Leeds" } });
    const { manageId } = await bookAs(visitor(), link.publicId, { person: { ...SAM, email: "SAM.okoro@example.org" } });
    if (since === "before it leaves") {
      const safeContact = { ...DEFAULT_SAFE_CONTACT, mayPhone: false };
      const changed = clientFields({ email: SAM.email, safeContact });
      await practice.api.clients.update.mutate({ id: client.id, version: client.version, client: changed });
    }
    await deliver();
    await moveTo("2031-03-05T12:00:00.000Z");
    await deliver();
    await cancelIt();
    const mails = await deliver();
    expect(mails.map(({ subject }) => subject)).toEqual([
      "Your appointment",
      "Your appointment has moved",
      "Your appointment is cancelled",
    ]);
    for (const { text } of mails) {
      expect(text).not.toMatch(/quillfeather|mediation|schedule-meeting/i);
      expect(text).not.toContain(manageId);
    }
    expect(mails[0]?.text).toContain("this is to confirm your appointment.");
  },
);
