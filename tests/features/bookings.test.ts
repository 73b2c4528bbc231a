// What somebody outside does with a link, over HTTP: see what is free, hold it, book it, move and cancel it.
import { newToken } from "@app/server/core/ids";
import { SystemMailModel } from "@app/server/features/mail/system-mail.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { wallTimeOf } from "@app/shared/wall-time";
import { beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { bookAs, mailsOf, makeLink, opened, SAM } from "../support/server/booked.ts";
import { mayContact, othersAnswered } from "../support/server/contactable.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, aVisitor, clientFields, meetingDetailsOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app).api;
const uidIn = (ics: string) => /UID:(\S+)/.exec(ics.replace(/\r?\n /g, ""))?.[1];
const sequenceIn = (ics: string) => Number(/SEQUENCE:(\d+)/.exec(ics)?.[1]);
const meetingsOf = () => MeetingModel.find({ ownerId: practice.ownerId }).sort({ createdAt: 1 }).lean();
beforeEach(forgetAttempts);

describe("bookings.slots", () => {
  test("bookings.slots: office hours, when nothing is booked, are free from tomorrow for sixty days in steps of a quarter", async () => {
    const link = await makeLink(practice);
    const { page, times } = await opened(visitor(), link.publicId);
    expect(page).toMatchObject({
      kind: "book",
      title: "Choose a time to talk",
      practiceName: expect.stringMatching(/^Quillfeather/),
      isKnown: false,
    });
    expect(JSON.stringify(page)).not.toContain("First call");
    const walls = times.map((at) => wallTimeOf("Europe/London", new Date(at)));
    expect(new Set(walls.map(({ time }) => time)).size).toBe(29);
    expect(walls.every(({ time }) => time >= "09:00" && time <= "16:00")).toBe(true);
    expect(Date.parse(times[0] ?? "")).toBeGreaterThan(Date.now() + DAY_MS);
    expect(Date.parse(times.at(-1) ?? "")).toBeGreaterThan(Date.now() + 56 * DAY_MS);
  });

  test("bookings.slots: a meeting, a hold and a buffer, when they are there, take their time away", async () => {
    const link = await makeLink(practice);
    const { weekly, daysOff, version, rules } = await practice.api.meetings.availability.query();
    await practice.api.meetings.setAvailability.mutate({
      weekly,
      daysOff,
      version,
      rules: { ...rules, bufferAfterMinutes: 30, stepMinutes: 30 },
    });
    const { times } = await opened(visitor(), link.publicId);
    // The last time of a day has none right behind it.
    const isNext = (time: string, at: number) => Date.parse(times[at + 1] ?? "") === Date.parse(time) + HOUR_MS / 2;
    const [first = "", second = ""] = times.slice(times.findIndex(isNext));
    await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { startsAt: first }));
    const after = (await opened(visitor(), link.publicId)).times;
    expect(after).not.toContain(first);
    expect(after).not.toContain(second);
    const free = after[0] ?? "";
    const holder = newToken();
    const held = {
      id: link.publicId,
      version: 0,
      mediatorId: null,
      startsAt: free,
      holder,
      timeZone: "America/New_York",
    };
    await visitor().bookings.hold.mutate(held);
    expect((await opened(visitor(), link.publicId)).times).not.toContain(free);
    const own = await visitor().bookings.slots.query({ id: link.publicId, mediatorId: null, holder });
    expect(own.items).toContain(free);
    expect((await refusal(visitor().bookings.hold.mutate({ ...held, holder: newToken() })))?.message).toMatch(
      /\(New York time\)/,
    );
    expect(
      await refusal(practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { startsAt: free }))),
    ).toMatchObject({
      code: "CONFLICT",
    });
    const beside = aMeetingInput(practice.ownerId, { startsAt: free, allowsOverlap: true });
    expect(await practice.api.meetings.create.mutate(beside)).toMatchObject({ status: "booked" });
  });

  test("bookings.slots: one meeting a day is enough, when it is booked, then that day is full for everybody outside", async () => {
    const link = await makeLink(practice);
    const { weekly, daysOff, version, rules } = await practice.api.meetings.availability.query();
    const most = { weekly, daysOff, version, rules: { ...rules, maxPerDay: 1 } };
    await practice.api.meetings.setAvailability.mutate(most);
    const { appointment } = await bookAs(visitor(), link.publicId);
    const day = appointment.startsAt.slice(0, 10);
    const { times } = await opened(visitor(), link.publicId);
    expect(times.some((at) => at.startsWith(day))).toBe(false);
    expect(times.length).toBeGreaterThan(0);
  });
});

describe("bookings.book", () => {
  test("bookings.book: a stranger books, then the meeting holds their details, they are mailed in their zone and the mediator in theirs", async () => {
    const link = await makeLink(practice, {
      questions: [{ label: "What is it about?", kind: "long", isRequired: true }],
    });
    const { appointment, manageId } = await bookAs(visitor(), link.publicId, { answers: ["The garden fence"] });
    const [stored] = await meetingsOf();
    expect(stored).toMatchObject({ status: "booked", isHolding: true, mediatorIds: [practice.ownerId], partyIds: [] });
    expect(JSON.stringify(stored)).not.toContain("sam.okoro");
    expect(JSON.stringify(stored)).not.toContain(manageId);
    expect(await practice.api.meetings.get.query({ id: stored?._id ?? "" })).toMatchObject({
      title: SAM.name,
      visitor: { person: SAM, timeZone: "America/New_York", answers: [{ answer: "The garden fence" }] },
    });
    const leads = (await practice.api.leads.list.query({ state: "all" })).items;
    expect(leads).toMatchObject([{ displayName: SAM.name, channel: "booking" }]);
    const [mail, ...others] = await mailsOf(practice.ownerId);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: SAM.email, subject: "Your appointment", purpose: "invitation" });
    const { time } = wallTimeOf("America/New_York", new Date(appointment.startsAt));
    expect(mail?.text).toContain(time);
    expect(mail?.text).not.toContain("garden");
    const [ics] = mail?.attachments ?? [];
    expect(ics?.content).toContain("METHOD:REQUEST");
    expect(ics?.content).not.toMatch(/mediation/i);
    const [notice] = await SystemMailModel.find({ owner_id: practice.ownerId }).lean();
    expect(notice).toMatchObject({ to: practice.email, subject: "A meeting was booked" });
    expect(await practice.api.bookings.getLink.query({ id: link.id })).toMatchObject({ uses: 1 });
  });

  test("bookings.book: a phone appointment, when no number is given, is refused at the field; a video one is not", async () => {
    const byPhone = await makeLink(practice);
    const person = { ...SAM, phone: "" };
    const refused = await refusal(bookAs(visitor(), byPhone.publicId, { person }));
    expect(refused).toMatchObject({ code: "BAD_REQUEST" });
    expect(refused.fields).toEqual({
      "person.phone": "Enter your phone number: we ring you at the time that you chose",
    });
    expect(await meetingsOf()).toEqual([]);
    const byVideo = await makeLink(practice, { location: { kind: "video", place: "" } });
    expect((await bookAs(visitor(), byVideo.publicId, { person })).appointment.isConfirmed).toBe(true);
  });

  test("bookings.book: a name with signs that are in none, when it is booked, is the same in the calendar and as a lead", async () => {
    const link = await makeLink(practice);
    await bookAs(visitor(), link.publicId, { person: { ...SAM, name: "مريم بنت 😀 <b>x</b>" } });
    const [stored] = await meetingsOf();
    const meeting = await practice.api.meetings.get.query({ id: stored?._id ?? "" });
    const [lead] = (await practice.api.leads.list.query({ state: "all" })).items;
    expect(meeting.title).toBe(lead?.displayName);
    expect(meeting.visitor?.person).toMatchObject({ name: lead?.displayName });
    const unnamed = bookAs(visitor(), link.publicId, { person: { ...SAM, name: "😀" } });
    expect((await refusal(unnamed)).message).toBe("Enter your name in letters");
  });

  test("bookings.book: the same time twice, when another was faster, is refused with the next free times in the visitor's zone", async () => {
    const link = await makeLink(practice);
    const { times } = await opened(visitor(), link.publicId);
    const startsAt = times[0] ?? "";
    await bookAs(visitor(), link.publicId, { startsAt });
    const refused = await refusal(bookAs(visitor(), link.publicId, { startsAt }));
    expect(refused).toMatchObject({ code: "CONFLICT" });
    expect(refused.message).toMatch(/Somebody else has just taken this time. The next free ones are: /);
    for (const free of (await opened(visitor(), link.publicId)).times.slice(0, 3))
      expect(refused.message).toContain(wallTimeOf("America/New_York", new Date(free)).time);
    expect(await meetingsOf()).toHaveLength(1);
  });

  test("bookings.book: what waits for the practice holds its time, and is confirmed to the visitor when the practice does", async () => {
    const link = await makeLink(practice, { needsConfirmation: true });
    const { appointment } = await bookAs(visitor(), link.publicId);
    expect(appointment.isConfirmed).toBe(false);
    expect((await opened(visitor(), link.publicId)).times).not.toContain(appointment.startsAt);
    const [meeting] = await meetingsOf();
    await practice.api.meetings.setStatus.mutate({
      id: meeting?._id ?? "",
      version: meeting?.version ?? 0,
      to: "booked",
    });
    const mails = await mailsOf(practice.ownerId);
    expect(mails.map(({ subject }) => subject)).toEqual(["Your request for an appointment", "Your appointment"]);
    expect(mails.map(({ attachments }) => attachments.length)).toEqual([0, 1]);
  });

  test.each([
    ["a form token of nothing", { formToken: "x" }, "PRECONDITION_FAILED"],
    ["a hidden field that a program filled in", { website: "https://x.example" }, "PRECONDITION_FAILED"],
    ["no name and address", { person: null }, "BAD_REQUEST"],
    ["a time at night", { startsAt: "2031-03-05T03:00:00.000Z" }, "CONFLICT"],
  ])("bookings.book: %s, when it is sent, is refused and nothing is stored", async (_what, changed, code) => {
    const link = await makeLink(practice);
    expect(await refusal(bookAs(visitor(), link.publicId, changed))).toMatchObject({ code });
    expect(await meetingsOf()).toEqual([]);
    expect(await mailsOf(practice.ownerId)).toEqual([]);
  });

  test("bookings.book: a link for one use, when ten use it at once, is used once", async () => {
    const link = await makeLink(practice, { useLimit: 1 });
    const { page, times } = await opened(visitor(), link.publicId);
    const tokens = await Promise.all(
      times.slice(0, 10).map(() => visitor().bookings.page.query({ id: link.publicId })),
    );
    await opened(visitor(), link.publicId);
    const codes = await Promise.all(
      tokens.map(({ formToken }, index) =>
        visitor()
          .bookings.book.mutate({
            id: link.publicId,
            version: 0,
            mediatorId: null,
            startsAt: times[index * 8] ?? "",
            holder: newToken(),
            timeZone: "UTC",
            person: { ...SAM, email: `sam${index}@example.org` },
            answers: [],
            formToken,
            website: "",
          })
          .then(
            () => "OK",
            async (error: unknown) => (await refusal(Promise.reject(error))).code,
          ),
      ),
    );
    expect(page.kind).toBe("book");
    expect(codes.filter((code) => code === "OK")).toHaveLength(1);
    expect(await meetingsOf()).toHaveLength(1);
  });

  test("bookings.book: one address, when it is booked for again and again, is mailed six times and no more", async () => {
    const link = await makeLink(practice);
    const codes: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      const booked = bookAs(visitor(), link.publicId);
      codes.push(
        await booked.then(
          () => "OK",
          async (error: unknown) => (await refusal(Promise.reject(error))).code,
        ),
      );
    }
    expect(codes.filter((code) => code === "OK")).toHaveLength(6);
    expect(codes.at(-1)).toBe("TOO_MANY_REQUESTS");
  });
});

describe("moving and cancelling", () => {
  test("bookings.move: the visitor moves it, then the calendar entry is the same with a higher sequence and the old time is free", async () => {
    const link = await makeLink(practice);
    const { manageId, appointment } = await bookAs(visitor(), link.publicId);
    const { page, times } = await opened(visitor(), manageId);
    expect(page).toMatchObject({ kind: "manage", state: "coming", isChangeable: true });
    const startsAt = times[40] ?? "";
    const moved = await visitor().bookings.move.mutate({
      id: manageId,
      startsAt,
      formToken: page.formToken,
      website: "",
    });
    expect(moved.startsAt).toBe(startsAt);
    expect(times).not.toContain(appointment.startsAt);
    const next = await opened(visitor(), manageId);
    const again = { id: manageId, startsAt, formToken: next.page.formToken, website: "" };
    expect((await refusal(visitor().bookings.move.mutate(again))).message).toMatch(/^This is the time that you have/);
    expect(uidIn(moved.calendar)).toBe(uidIn(appointment.calendar));
    expect(sequenceIn(moved.calendar)).toBe(sequenceIn(appointment.calendar) + 1);
    expect((await opened(visitor(), link.publicId)).times).toContain(appointment.startsAt);
    const mails = await mailsOf(practice.ownerId);
    expect(mails.map(({ attachments: [ics] }) => sequenceIn(ics?.content ?? ""))).toEqual([0, 1]);
    const [booked, told] = mails;
    expect(told).toMatchObject({ to: SAM.email, subject: "Your appointment has moved" });
    const whenIn = (text = "", what: string) => new RegExp(`^${what}: (.*)$`, "m").exec(text)?.[1];
    const before = whenIn(booked?.text, "When");
    expect(whenIn(told?.text, "Before")).toBe(`${before}, which does not hold any more`);
    expect(whenIn(told?.text, "When")).not.toBe(before);
    expect(told?.text).toContain("your appointment with Quillfeather");
    expect(told?.text).toContain("has moved.");
    expect((await meetingsOf()).map(({ status }) => status)).toEqual(["rescheduled", "booked"]);
  });

  test("bookings.cancel: the visitor cancels it, then the time is free and a cancellation of the same entry goes out", async () => {
    const link = await makeLink(practice);
    const { manageId, appointment } = await bookAs(visitor(), link.publicId);
    const { page } = await opened(visitor(), manageId);
    await visitor().bookings.cancel.mutate({ id: manageId, formToken: page.formToken, website: "" });
    const mail = (await mailsOf(practice.ownerId)).at(-1);
    expect(mail).toMatchObject({ to: SAM.email, subject: "Your appointment is cancelled" });
    const ics = mail?.attachments[0]?.content ?? "";
    expect(ics).toContain("METHOD:CANCEL");
    expect([uidIn(ics), sequenceIn(ics)]).toEqual([uidIn(appointment.calendar), 1]);
    expect((await opened(visitor(), link.publicId)).times).toContain(appointment.startsAt);
    expect((await opened(visitor(), manageId)).page).toMatchObject({
      state: "cancelled",
      isChangeable: false,
      appointment: { calendar: expect.stringContaining("METHOD:CANCEL") },
    });
  });

  test("bookings.cancel: later than the practice allows, when it is asked for, is refused and nothing changes", async () => {
    const link = await makeLink(practice, { noticeHours: 336 });
    const { manageId } = await bookAs(visitor(), link.publicId);
    const { page } = await opened(visitor(), manageId);
    expect(page).toMatchObject({ isChangeable: false });
    const cancelling = visitor().bookings.cancel.mutate({ id: manageId, formToken: page.formToken, website: "" });
    expect(await refusal(cancelling)).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect((await meetingsOf()).map(({ status }) => status)).toEqual(["booked"]);
  });

  test("meetings.reschedule: the practice moves what a stranger booked, then the stranger is told and their link goes on", async () => {
    const link = await makeLink(practice);
    const { manageId } = await bookAs(visitor(), link.publicId);
    const [meeting] = await meetingsOf();
    const when = { startsAt: "2031-03-05T10:00:00.000Z", endsAt: "2031-03-05T11:00:00.000Z" };
    await practice.api.meetings.reschedule.mutate({
      ...when,
      changeId: newToken(),
      id: meeting?._id ?? "",
      version: meeting?.version ?? 0,
      reason: "",
      allowsOverlap: false,
    });
    expect((await mailsOf(practice.ownerId)).at(-1)?.text).toContain("5 March 2031");
    expect((await opened(visitor(), manageId)).page).toMatchObject({ appointment: when });
  });
});

describe("links", () => {
  test("bookings.page: wrong, archived, over and used up, when they are opened, answer the same", async () => {
    const [archived, over, used] = [
      await makeLink(practice),
      await makeLink(practice, { expiresOn: "2020-01-01" }),
      await makeLink(practice, { useLimit: 1 }),
    ];
    await practice.api.bookings.setLinkArchived.mutate({ id: archived.id, isArchived: true });
    await bookAs(visitor(), used.publicId);
    const ids = [newToken(), archived.publicId, over.publicId, used.publicId, archived.id.padEnd(43, "x")];
    const answers = await Promise.all(ids.map((id) => refusal(visitor().bookings.page.query({ id }))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: "NOT_FOUND" });
  });

  test("bookings.updateLink: over an older version it is refused; the link itself stays what it was", async () => {
    const link = await makeLink(practice);
    const { id, version, publicId, uses, isArchived, clientName, mediatorNames, asksNow, createdAt, ...fields } = link;
    const saved = await practice.api.bookings.updateLink.mutate({ ...fields, id, version, minutes: 45 });
    expect(saved).toMatchObject({ minutes: 45, publicId, version: 1 });
    const again = practice.api.bookings.updateLink.mutate({ ...fields, id, version, minutes: 30 });
    expect(await refusal(again)).toMatchObject({ code: "CONFLICT", isStale: true });
    expect([uses, isArchived, clientName, mediatorNames.length, asksNow, createdAt.length]).toEqual([
      0,
      false,
      "",
      1,
      null,
      24,
    ]);
  });

  test("bookings.book: a party by their own link, then the meeting is theirs in the case and only they are told", async () => {
    const { theCase, p1, p2 } = await aCase(practice);
    const link = await makeLink(practice, { clientId: p1.clientId, caseId: theCase.id });
    const { page } = await opened(visitor(), link.publicId);
    expect(page).toMatchObject({ isKnown: true });
    await bookAs(visitor(), link.publicId, { person: null });
    const [meeting] = await meetingsOf();
    expect(meeting).toMatchObject({ caseId: theCase.id, partyIds: [p1.partyId], clientIds: [p1.clientId] });
    const mails = await mailsOf(practice.ownerId);
    expect(mails.map(({ partyId }) => partyId)).toEqual([p1.partyId]);
    expect(mails[0]?.text).toContain("/schedule-meeting/");
    const details = { ...meetingDetailsOf(await practice.api.meetings.get.query({ id: meeting?._id ?? "" })) };
    await mayContact(theCase);
    await othersAnswered(theCase);
    await practice.api.meetings.update.mutate({ ...details, partyIds: [p1.partyId, p2.partyId] });
    const toOther = (await mailsOf(practice.ownerId)).filter(({ partyId }) => partyId === p2.partyId);
    expect(toOther).toHaveLength(1);
    expect(toOther[0]?.text).not.toContain("/schedule-meeting/");
    expect((await practice.api.leads.list.query({ state: "all" })).items).toEqual([]);
  });

  test("bookings.book: a client who may only be reached discreetly, when they book by their link, is not mailed by it", async () => {
    const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
    const client = await practice.api.clients.create.mutate({ ...clientFields({ safeContact }), id: newToken() });
    const link = await makeLink(practice, { clientId: client.id });
    await bookAs(visitor(), link.publicId, { person: null });
    expect(await mailsOf(practice.ownerId)).toEqual([]);
    const { items } = await practice.api.tasks.list.query({ page: 1 });
    expect(items.map(({ title }) => title).join()).toContain("no mail was sent");
  });
});
