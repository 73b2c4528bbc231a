// Mails of one carrier leave one after the other, and no carrier waits for another.
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { type OutboxDoc, OutboxModel } from "@app/server/features/outbox/outbox.model";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { sealForNoParty } from "@app/server/features/visibility/for-party.service";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { anSmtpThatBreaksAt, anSmtpThatStopsReading } from "../support/mail/odd-smtp.ts";
import { freePort } from "../support/server/free-port.ts";
import { forAllTests, forEachTest, forgetAttempts, settingsOfEachTest } from "../support/server/lifetimes.ts";
import {
  aCase,
  aClient,
  aMeetingInput,
  aPractice,
  PASSWORD,
  scopeOf,
  type TestPractice,
} from "../support/server/people.ts";
import { aColleague } from "../support/server/signed-in.ts";
import { startTestApp } from "../support/server/test-app.ts";

const log = createLogger("silent");
const SOON = { timeout: 4000, interval: 50 };

const installation = anSmtpForAll({ authOptional: true });
const own = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const silent = forEachTest(anSmtpThatStopsReading);
const breaking = forAllTests(() => anSmtpThatBreaksAt("."));
settingsOfEachTest();
const practice = forEachTest(() => aPractice(app));
// Nobody else delivers here.
beforeAll(stopJobs);
beforeEach(async () => {
  configure({ ...settings(), SYSTEM_SMTP_URL: `smtp://127.0.0.1:${installation.port}` });
  await forgetAttempts();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await silent.close();
  const isQuiet = async () => (await OutboxModel.exists({ state: "sending" }).setOptions({ anyOwner: true })) === null;
  await vi.waitFor(async () => expect(await isQuiet()).toBe(true), SOON);
  await OutboxModel.deleteMany({}).setOptions({ anyOwner: true });
});

async function aPerson(): Promise<string> {
  const email = `${newId().toLowerCase()}@example.org`;
  const invited = { email, firstName: "Tom", lastName: "Birch", role: 3 as const, password: PASSWORD };
  return (await aColleague(practice.ownerId, invited)).userId;
}

/** With a mailbox whose mail goes to the server at this port. */
async function aSender(smtpPort: number) {
  const userId = await aPerson();
  const email = `${userId.toLowerCase()}@example.org`;
  await connectMailbox(userId, { email, smtpPort, imapPort: 1 });
  return { userId, email };
}

async function letters(userId: string, count: number, of: TestPractice = practice): Promise<string[]> {
  const ids: string[] = [];
  const { id: clientId } = await of.api.clients.create.mutate(aClient());
  for (let at = 0; at < count; at += 1) {
    const content = {
      to: `${userId}.${at}@example.net`,
      toName: "",
      subject: "Papers",
      text: "Here.",
      attachments: [],
    };
    const mail = { purpose: "letter" as const, content: sealForNoParty(clientId, content, []) };
    ids.push((await queueMail({ ...scopeOf(of.ownerId), userId }, mail)).id);
  }
  return ids;
}

const found = (id = "") => OutboxModel.findById(id).setOptions({ anyOwner: true }).lean();
const states = async (ids: string[]): Promise<OutboxDoc["state"][]> => {
  const docs = await Promise.all(ids.map(found));
  return docs.map((doc) => doc?.state ?? "cancelled");
};
const howMany = async (ids: string[], state: OutboxDoc["state"]) =>
  (await states(ids)).filter((one) => one === state).length;
/** Goes on until all that is due was tried, or waits for a server. */
const begun = () => void deliverCaseMail(log).catch(() => undefined);

test("case mail: when a colleague's mail server takes no more of a mail, then a letter by another carrier leaves at once", async () => {
  const hugh = await aSender(silent.port);
  const waiting = await letters(hugh.userId, 3);
  const [ines] = await letters(await aPerson(), 1);
  begun();
  await vi.waitFor(async () => expect((await found(ines))?.state).toBe("sent"), SOON);
  expect(await howMany(waiting, "sending")).toBe(1);
  expect(await howMany(waiting, "queued")).toBe(2);
});

test("case mail: when nine mailboxes of a practice stall, then a letter of another practice leaves at once", async () => {
  for (let count = 0; count < 9; count += 1) await letters((await aSender(silent.port)).userId, 1);
  begun();
  await vi.waitFor(() => expect(silent.mails()).toBeGreaterThanOrEqual(8), { timeout: 10_000, interval: 50 });
  const other = await aPractice(app);
  const [mail] = await letters(other.ownerId, 1, other);
  begun();
  await vi.waitFor(async () => expect((await found(mail))?.state).toBe("sent"), { timeout: 7000, interval: 50 });
}, 30_000);

test("case mail: when a server breaks off, then all that waits for it says so, and no more is tried before its time", async () => {
  const hugh = await aSender(breaking.port);
  const ids = await letters(hugh.userId, 4);
  await deliverCaseMail(log);
  await deliverCaseMail(log);
  expect([await howMany(ids, "uncertain"), await howMany(ids, "queued")]).toEqual([1, 3]);
  const reason = new RegExp(`^The mail server of ${hugh.email} does not answer\\. Next try at \\d\\d:\\d\\d\\.$`);
  for (const doc of await Promise.all(ids.map(found)))
    if (doc?.state === "queued") expect(doc).toMatchObject({ attempts: 0, reason: expect.stringMatching(reason) });
  moveTime(61_000);
  await deliverCaseMail(log);
  expect(await howMany(ids, "uncertain")).toBe(2);
  // The second pause is longer.
  moveTime(2 * 61_000);
  await deliverCaseMail(log);
  expect(await howMany(ids, "uncertain")).toBe(2);
  moveTime(4 * 61_000);
  await deliverCaseMail(log);
  expect(await howMany(ids, "uncertain")).toBe(3);
});

test("case mail: when a server that broke off takes a mail, then its pause is over, and what is uncertain stays where it is", async () => {
  const hugh = await aSender(breaking.port);
  const ids = await letters(hugh.userId, 3);
  await deliverCaseMail(log);
  await EmailCredentialsModel.updateOne({ _id: hugh.userId }, { $set: { "smtp.port": own.port } });
  moveTime(61_000);
  await deliverCaseMail(log);
  expect((await states(ids)).toSorted()).toEqual(["sent", "sent", "uncertain"]);
  expect(own.received).toHaveLength(2);
  await EmailCredentialsModel.updateOne({ _id: hugh.userId }, { $set: { "smtp.port": breaking.port } });
  const further = await letters(hugh.userId, 2);
  await deliverCaseMail(log);
  moveTime(2 * 61_000);
  await deliverCaseMail(log);
  expect(await howMany(further, "uncertain")).toBe(2);
});

test("case mail: when nobody listens at a server, then one mail tries it, says when it does again, and leaves in time", async () => {
  configure({ ...settings(), SYSTEM_SMTP_URL: undefined });
  const hugh = await aSender(await freePort());
  const ids = await letters(hugh.userId, 5);
  await deliverCaseMail(log);
  const docs = await Promise.all(ids.map(found));
  expect(docs.map((doc) => doc?.attempts ?? -1).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 1]);
  for (const doc of docs)
    expect(doc).toMatchObject({ state: "queued", reason: expect.stringContaining("Next try at") });
  await EmailCredentialsModel.updateOne({ _id: hugh.userId }, { $set: { "smtp.port": own.port } });
  moveTime(61_000);
  await deliverCaseMail(log);
  expect(await howMany(ids, "sent")).toBe(5);
});

test("case mail: when somebody connects their mailbox anew, then what waits for its silent server leaves at once", async () => {
  const hugh = await aSender(breaking.port);
  const ids = await letters(hugh.userId, 3);
  await deliverCaseMail(log);
  expect(await howMany(ids, "queued")).toBe(2);
  await EmailCredentialsModel.deleteOne({ _id: hugh.userId });
  await connectMailbox(hugh.userId, { email: hugh.email, smtpPort: own.port, imapPort: 1 });
  await deliverCaseMail(log);
  expect(await howMany(ids, "sent")).toBe(2);
});

test("case mail: when the installation's sender does not answer, then each practice tries it with two mails, and a mailbox is not held up", async () => {
  configure({ ...settings(), SYSTEM_SMTP_URL: `smtp://127.0.0.1:${breaking.port}` });
  const ids = await letters(practice.ownerId, 3);
  await deliverCaseMail(log);
  expect(await howMany(ids, "uncertain")).toBe(2);
  const others = [await aPractice(app), await aPractice(app)];
  for (const other of others) ids.push(...(await letters(other.ownerId, 2, other)));
  const [mine] = await letters((await aSender(own.port)).userId, 1);
  await deliverCaseMail(log);
  expect(await howMany(ids, "uncertain")).toBe(6);
  expect((await found(mine))?.state).toBe("sent");
  for (const doc of (await Promise.all(ids.map(found))).filter((one) => one?.state === "queued"))
    expect(doc?.reason).toMatch(/^The mail server of this installation does not answer\. Next try at /);
  moveTime(61_000);
  await deliverCaseMail(log);
  expect(await howMany(ids, "uncertain")).toBe(7);
});

test("case mail: when the installation's sender breaks off at one recipient, then the other letters of that practice and of others leave", async () => {
  const odd = await anSmtpThatBreaksAt(`RCPT TO:<${practice.ownerId.toLowerCase()}.0@`);
  configure({ ...settings(), SYSTEM_SMTP_URL: `smtp://127.0.0.1:${odd.port}` });
  const [stalled, ...rest] = await letters(practice.ownerId, 3);
  const other = await aPractice(app);
  rest.push(...(await letters(other.ownerId, 1, other)));
  await deliverCaseMail(log);
  expect(await howMany(rest, "sent")).toBe(3);
  expect((await found(stalled))?.state).toBe("queued");
  await odd.close();
});

test("case mail: when somebody's many letters wait for a shared carrier, then a colleague's single one leaves second", async () => {
  const [hugh, ines] = [await aPerson(), await aPerson()];
  await letters(hugh, 12);
  await letters(ines, 1);
  await deliverCaseMail(log);
  const writers = installation.received.map(({ to: [to = ""] }) =>
    to.startsWith(ines.toLowerCase()) ? "Ines" : "Hugh",
  );
  expect(writers).toHaveLength(13);
  expect([0, 1]).toContain(writers.indexOf("Ines"));
});

test("case mail: when letters wait, then an invitation by the same carrier goes before them", async () => {
  await letters(practice.ownerId, 6);
  const { theCase, first, p1 } = await aCase(practice);
  const input = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true };
  await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
  await deliverCaseMail(log);
  expect(installation.received).toHaveLength(7);
  expect(installation.received[0]?.to).toEqual([first.email]);
});
