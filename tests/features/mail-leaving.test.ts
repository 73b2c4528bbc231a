// What is asked in the moment in which a mail leaves: by whose mailbox, with whose rights, and beside whose other mail.
import { createServer, type Socket } from "node:net";
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { richTextOf } from "@app/shared/rich-text";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectMailbox } from "../support/mail/mailbox.ts";
import {
  aCase,
  aMeetingInput,
  aPractice,
  aStaffUser,
  setPermissions,
  type TestPerson,
} from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { SMTP_PASSWORD, startSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { sendByFunction } from "../support/mail/by-function.ts";

const log = createLogger("silent");
const MINUTE_MS = 60_000;
const INES = "ines@practice.example.org";

const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
beforeEach(async () => {
  await connect(practice.ownerId, INES);
});
afterEach(() => vi.restoreAllMocks());

const connect = (userId: string, email: string, smtpPort = smtp.port) =>
  connectMailbox(userId, { email, smtpPort, imapPort: 1 });

async function idOf({ email }: Pick<TestPerson, "email">): Promise<string> {
  const { items } = await practice.api.staff.list.query();
  return items.find((user) => user.email === email)?.id ?? "";
}

const aLetter = (overrides: { meetingId?: string; sendAt?: string } = {}) => ({
  id: newId(),
  sendAt: null,
  ...aLetterTo(built.first.email, { clientId: built.first.id, caseId: built.theCase.id }),
  ...overrides,
});
const shown = async (id: string) =>
  (await practice.api.outbox.list.query({ clientId: built.first.id })).items.find((mail) => mail.id === id);
/** Where the machine is busy, it is still on its way when the round ends. */
const onceThere = (id: string) =>
  expect.poll(async () => (await shown(id))?.state, { timeout: 10_000 }).not.toBe("sending");
const toldOf = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);

describe("the mailbox by which a mailing leaves", () => {
  const TOM = "tom@practice.example.org";
  const csv = (count: number) =>
    ["value", ...Array.from({ length: count }, (_, at) => `person${at}@example.org`)].join("\n");

  const aMailing = (person: Pick<TestPerson, "api">, { count, perMinute }: { count: number; perMinute: number }) =>
    person.api.mailings.create.mutate({
      id: newId(),
      subject: "We move",
      body: richTextOf("Our new address is 4 Kiln Row."),
      perMinute,
      source: { kind: "csv", csv: csv(count) },
    });

  const settled = (id: string) =>
    vi.waitFor(
      async () => {
        const mailing = await practice.api.mailings.get.query({ id });
        expect(mailing.state).toMatch(/done|paused/);
        return mailing;
      },
      { timeout: 15_000, interval: 50 },
    );
  const writers = () => [...new Set(smtp.received.map(({ from }) => from))];

  test.each<[string, (userId: string) => Promise<unknown>]>([
    ["shares nothing", () => Promise.resolve()],
    ["was suspended", (id) => practice.api.staff.suspend.mutate({ id })],
  ])("S73: is that of whoever started it, where its writer %s", async (_what, happens) => {
    const person = await aStaffUser(app, practice, { permissions: ["mail.send", "clients.read"] });
    const userId = await idOf(person);
    await connect(userId, TOM);
    const { id } = await aMailing(person, { count: 3, perMinute: 0 });
    await happens(userId);
    await practice.api.mailings.start.mutate({ id, changeId: newId() });
    expect(await settled(id)).toMatchObject({ state: "done", counts: { sent: 3 } });
    expect(writers()).toEqual([INES]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["is not shared any more", () => practice.api.mailboxes.share.mutate({ maySend: false, mayRead: false })],
    ["is disconnected", () => practice.api.mailboxes.disconnect.mutate()],
  ])("S73: is asked for anew while it runs: where it %s, the rest stays and says why", async (_what, happens) => {
    const person = await aStaffUser(app, practice, { permissions: ["mail.send", "clients.read"] });
    const { id } = await aMailing(person, { count: 60, perMinute: 120 });
    await person.api.mailings.start.mutate({ id, changeId: newId() });
    await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThan(0), { timeout: 5000, interval: 20 });
    await happens();
    const { state, reason, counts } = await settled(id);
    expect({ state, reason }).toEqual({ state: "paused", reason: expect.stringContaining("the mailbox") });
    expect(counts.waiting).toBeGreaterThan(30);
    expect(smtp.received).toHaveLength(counts.sent);
  });
});

describe("a mail whose process died while it was sending", () => {
  settingsOfEachTest();
  const left = async (writer: TestPerson, happens: () => Promise<unknown>) => {
    // By a sender that keeps no folder in which it could stand.
    await practice.api.mailboxes.disconnect.mutate();
    configure({ ...settings(), SYSTEM_SMTP_URL: `smtp://office:${SMTP_PASSWORD}@127.0.0.1:${smtp.port}` });
    const { id } = await writer.api.compose.send.mutate(aLetter());
    // As that process would have left it, and its time were over.
    await OutboxModel.updateOne({ _id: id }, { $set: { state: "sending" } }).setOptions({ anyOwner: true });
    await happens();
    moveTime(MINUTE_MS);
    await deliverCaseMail(log);
    await onceThere(id);
    return shown(id);
  };
  const aWriter = () => aStaffUser(app, practice, { permissions: ["clients.read", "mail.send"] });

  test.each<[string, (person: TestPerson) => Promise<unknown>]>([
    ["may not send any more", (person) => setPermissions(practice, person, ["clients.read"])],
    ["may not read clients any more", (person) => setPermissions(practice, person, ["mail.send"])],
    [
      "was taken off the case",
      (person) => setPermissions(practice, person, ["clients.read", "mail.send", "assigned_only"]),
    ],
    ["was suspended", async (person) => practice.api.staff.suspend.mutate({ id: await idOf(person) })],
  ])("S69: stays here where its writer %s", async (what, happens) => {
    const person = await aWriter();
    expect(await left(person, () => happens(person))).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/Whoever wrote it .* It may have left before/),
    });
    expect(smtp.received).toEqual([]);
    const told = what === "may not send any more" ? person : practice;
    const { items } = await told.api.tasks.list.query({});
    expect(items.map(({ title }) => title)).toEqual([expect.stringMatching(/^A message did not leave: /)]);
  });

  test("S69: is sent again where nothing changed", async () => {
    expect(await left(await aWriter(), () => Promise.resolve())).toMatchObject({ state: "sent" });
    expect(smtp.received).toHaveLength(1);
  });
});

describe("a mail that another program sends", () => {
  const attachments = [{ mimeType: "text/plain", name: "Agreement.txt", content: "eA==" }];
  const send = (to: string) => sendByFunction(app, practice, INES, { to: [to], attachments });
  const recorded = async () => (await practice.api.outbox.list.query({ clientId: built.first.id })).items;

  test("S76: that failed cannot be tried again here, where its files are not", async () => {
    await practice.api.mailboxes.disconnect.mutate();
    await connect(practice.ownerId, INES, 1);
    expect((await send(built.first.email)).status).not.toBe(200);
    const [mail] = await recorded();
    expect(mail).toMatchObject({ state: "failed", attachmentNames: ["Agreement.txt"] });
    const { code, message } = await refusal(
      practice.api.outbox.retry.mutate({ id: mail?.id ?? "", changeId: newId() }),
    );
    expect({ code, message }).toEqual({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("Send it again from there"),
    });
    await deliverCaseMail(log);
    expect(await recorded()).toMatchObject([{ state: "failed" }]);
  });

  test("S76: leaves once, though somebody tries it again while it is on its way", async () => {
    let accept: () => void = () => undefined;
    let copies = 0;
    const slow = await startSmtp({
      onData(stream, _session, done) {
        copies += 1;
        stream.resume();
        accept = () => done();
      },
    });
    await practice.api.mailboxes.disconnect.mutate();
    await connect(practice.ownerId, INES, slow.port);
    const answer = send(built.first.email);
    await vi.waitFor(() => expect(copies).toBe(1), { timeout: 5000 });
    const [mail] = await recorded();
    const again = await refusal(practice.api.outbox.retry.mutate({ id: mail?.id ?? "", changeId: newId() }));
    expect(again.code).toBe("PRECONDITION_FAILED");
    accept();
    expect((await answer).status).toBe(200);
    expect(await recorded()).toMatchObject([{ state: "sent" }]);
    expect(copies).toBe(1);
    await slow.close();
  });
});

describe("a letter that waits with the calendar entry of a meeting", () => {
  const aMeeting = () =>
    practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: built.theCase.id,
        partyIds: [built.p1.partyId, built.p2.partyId],
      }),
    );
  type Meeting = Awaited<ReturnType<typeof aMeeting>>;
  const inAnHour = () => new Date(Date.now() + 60 * MINUTE_MS).toISOString();

  async function afterAnHour(happens: (meeting: Meeting) => Promise<unknown>) {
    const meeting = await aMeeting();
    const { id } = await practice.api.compose.send.mutate(aLetter({ meetingId: meeting.id, sendAt: inAnHour() }));
    await happens(meeting);
    moveTime(61 * MINUTE_MS);
    await deliverCaseMail(log);
    await onceThere(id);
    return shown(id);
  }

  test.each<[string, (meeting: Meeting) => Promise<unknown>]>([
    [
      "is cancelled",
      ({ id, version }) =>
        practice.api.meetings.cancel.mutate({
          id,
          version,
          changeId: newId(),
          reason: "Ill",
          isLate: false,
          isWholeSeries: false,
        }),
    ],
    [
      "is moved",
      ({ id, version }) =>
        practice.api.meetings.reschedule.mutate({
          id,
          version,
          changeId: newId(),
          reason: "Ill",
          allowsOverlap: false,
          startsAt: "2031-03-05T09:00:00.000Z",
          endsAt: "2031-03-05T10:00:00.000Z",
        }),
    ],
    [
      "is without this party",
      ({ id, version }) => {
        const { type, title, location, mediatorIds, arrivals, note } = aMeetingInput(practice.ownerId);
        const details = { type, title, location, mediatorIds, arrivals, note, partyIds: [built.p2.partyId] };
        return practice.api.meetings.update.mutate({ id, version, ...details });
      },
    ],
    [
      "is elsewhere",
      ({ id, version }) => {
        const { type, title, mediatorIds, arrivals, note } = aMeetingInput(practice.ownerId);
        const location = { kind: "in_person" as const, place: "Room 2" };
        const partyIds = [built.p1.partyId, built.p2.partyId];
        const details = { type, title, mediatorIds, arrivals, note, location, partyIds };
        return practice.api.meetings.update.mutate({ id, version, ...details });
      },
    ],
    [
      "is stopped by a screening of the other party",
      () => practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId, NOT_SAFE)),
    ],
    [
      "is of a case in which the practice may not act",
      () =>
        practice.api.conflicts.decide.mutate({
          id: newId(),
          caseId: built.theCase.id,
          decision: "conflicted",
          reason: "She advised him",
        }),
    ],
  ])("S69: stays here where the meeting %s, and its writer is told", async (_what, happens) => {
    expect(await afterAnHour(happens)).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/^The appointment has changed .* write again/),
    });
    expect(smtp.received.filter(({ source }) => source.includes("METHOD:REQUEST"))).toEqual([]);
    expect(await toldOf()).toContainEqual(expect.stringMatching(/^A message did not leave: The appointment has/));
  });

  const change = ({ id, version }: Meeting, title: string, partyIds: string[]) => {
    const { type, location, mediatorIds, arrivals, note } = aMeetingInput(practice.ownerId);
    const details = { type, title, location, mediatorIds, arrivals, note, partyIds };
    return practice.api.meetings.update.mutate({ id, version, ...details });
  };

  test("S69: is not written where a screening of the other party has stopped the meeting", async () => {
    const meeting = await aMeeting();
    await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId, NOT_SAFE));
    await expect(practice.api.compose.send.mutate(aLetter({ meetingId: meeting.id }))).rejects.toThrow();
    const { values } = await practice.api.compose.start.query({
      clientId: built.first.id,
      caseId: built.theCase.id,
    });
    expect(JSON.stringify(values)).not.toContain(meeting.location.place);
    await deliverCaseMail(log);
    expect(smtp.received).toEqual([]);
  });

  test("S69: stays here where this party was dropped from the meeting, and asked again", async () => {
    const { p1, p2 } = built;
    const left = await afterAnHour(async (meeting) =>
      change(await change(meeting, "", [p2.partyId]), "", [p1.partyId, p2.partyId]),
    );
    expect(left).toMatchObject({ state: "failed" });
  });

  test.each<[string, (meeting: Meeting) => Promise<unknown>]>([
    ["stands", () => Promise.resolve()],
    ["has another title, or is without the other party", (meeting) => change(meeting, "Ours", [built.p1.partyId])],
  ])("S69: leaves with it where the meeting %s", async (_what, happens) => {
    expect(await afterAnHour(happens)).toMatchObject({ state: "sent" });
    expect(smtp.received).toHaveLength(1);
    expect(smtp.received[0]?.source).toContain("text/calendar");
  });

  test("S69: leaves by another mailbox than before, when its writer connected that meanwhile, and its entry names it", async () => {
    const left = await afterAnHour(async () => {
      await practice.api.mailboxes.disconnect.mutate();
      await connect(practice.ownerId, "new@practice.example.org");
    });
    expect(left).toMatchObject({ state: "sent" });
    const { attachments } = await PostalMime.parse(smtp.received[0]?.source ?? "", { attachmentEncoding: "utf8" });
    const ics = attachments.map(({ content }) => (typeof content === "string" ? content : "")).join();
    expect(ics.replace(/\r\n /g, "")).toMatch(/ORGANIZER;[^:]*:mailto:new@practice/);
  });
});

describe("practices whose mail servers accept and never answer", () => {
  const SLOW = 8;

  /** Lets everybody in and says nothing; gives how many it keeps waiting. */
  async function aSilentServer() {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => open.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    return {
      port: typeof address === "object" && address ? address.port : 0,
      open: () => open.size,
      close() {
        for (const socket of open) socket.destroy();
        return new Promise((resolve) => server.close(resolve));
      },
    };
  }

  async function aSlowPractice(port: number) {
    const slow = await aPractice(app);
    await connect(slow.ownerId, `mail@${slow.ownerId.toLowerCase()}.example.org`, port);
    const { first, theCase } = await aCase(slow);
    const to = [{ name: "", address: first.email }];
    return () => slow.api.compose.send.mutate({ ...aLetter(), clientId: first.id, caseId: theCase.id, to });
  }

  test(
    "hold up another's letter for seconds while nobody knows of them, and then not at all",
    { timeout: 60_000 },
    async () => {
      // Only the rounds of this test.
      await stopJobs();
      const silent = await aSilentServer();
      const senders = await Promise.all(Array.from({ length: SLOW }, () => aSlowPractice(silent.port)));
      for (const send of senders) await send();
      await practice.api.compose.send.mutate(aLetter());
      moveTime(MINUTE_MS);
      const round = deliverCaseMail(log);
      await vi.waitFor(() => expect(silent.open()).toBe(SLOW), { timeout: 5000 });
      await vi.waitFor(() => expect(smtp.received).toHaveLength(1), { timeout: 8000 });
      await round;
      await vi.waitFor(() => expect(silent.open()).toBe(0), { timeout: 15_000 });

      vi.restoreAllMocks();
      for (const send of senders) await send();
      await practice.api.compose.send.mutate(aLetter());
      // Both letters of each slow practice are due.
      moveTime(3 * MINUTE_MS);
      const next = deliverCaseMail(log);
      await vi.waitFor(() => expect(smtp.received).toHaveLength(2), { timeout: 2500 });
      expect(silent.open()).toBeLessThanOrEqual(SLOW / 2);
      await next;
      await silent.close();
    },
  );
});
