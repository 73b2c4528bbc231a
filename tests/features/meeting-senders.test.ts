// By whom leaves what the product itself sends for a meeting: never by a mailbox whose holder does not let it.
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { sendSystemMail } from "@app/server/features/mail/system-mail-delivery.service";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import PostalMime from "postal-mime";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { forAllTests, forEachTest, settingsOfEachTest } from "../support/server/lifetimes.ts";
import {
  aCase,
  aMeetingInput,
  aPractice,
  aStaffUser,
  clientFields,
  setPermissions,
  type TestPerson,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HOUR_MS = 3_600_000;
const OFFICE = "office@evenhand.example.org";
const INES = "ines@practice.example.org";
const TOM = "tom@practice.example.org";
const log = createLogger("silent");

const smtp = anSmtpForAll();
const installation = anSmtpForAll({ authOptional: true });
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
settingsOfEachTest();
const practice = forEachTest(() => aPractice(app));
let built: Awaited<ReturnType<typeof aCase>>;
let tom: TestPerson;
let tomId = "";
beforeAll(stopJobs);
beforeEach(async () => {
  tom = await aStaffUser(app, practice, { role: 2 });
  tomId = (await practice.api.staff.list.query()).items.find(({ email }) => email === tom.email)?.id ?? "";
  built = await aCase(practice, { mediators: [{ userId: tomId, isLead: true }] });
  await connect(practice.ownerId, INES);
  const url = `smtp://127.0.0.1:${installation.port}`;
  configure({ ...settings(), SYSTEM_SMTP_URL: url, SYSTEM_MAIL_FROM: OFFICE });
});
afterEach(() => OutboxModel.deleteMany({}).setOptions({ anyOwner: true }));

const connect = (userId: string, email: string) => connectMailbox(userId, { email, smtpPort: smtp.port, imapPort: 1 });
const maySendByInes = (maySend: boolean) => practice.api.mailboxes.share.mutate({ maySend, mayRead: false });

/** Tom books for tomorrow, with an invitation. */
const book = (partyIds = [built.p1.partyId]) =>
  tom.api.meetings.create.mutate(
    aMeetingInput(tomId, {
      caseId: built.theCase.id,
      partyIds,
      isInvitationSent: true,
      startsAt: new Date(Date.now() + 20 * HOUR_MS).toISOString(),
    }),
  );

/** Who sent what was received, and whom its calendar entry names. */
async function senders() {
  const read = [...smtp.received, ...installation.received].map(async ({ source }) => {
    const { from, subject, attachments } = await PostalMime.parse(source, { attachmentEncoding: "utf8" });
    const ics = attachments.map(({ content }) => (typeof content === "string" ? content : "")).join();
    const organiser = /ORGANIZER;[^:]*:mailto:(\S+)/.exec(ics.replace(/\r?\n /g, ""))?.[1];
    return [subject, from?.address, ...(organiser ? [organiser] : [])];
  });
  return (await Promise.all(read)).toSorted((one, other) => one.join().localeCompare(other.join()));
}

async function invitedAndReminded() {
  await book();
  await deliverCaseMail(log);
  await remindOfMeetings(log);
  await deliverCaseMail(log);
  return senders();
}
const bothFrom = (address: string) => [
  ["Appointment reminder", address],
  ["Your appointment", address, address],
];

test("S71: a reminder, when the owner lets nobody send by her mailbox, then it leaves as the invitation did: by the installation", async () => {
  await maySendByInes(false);
  expect(await invitedAndReminded()).toEqual(bothFrom(OFFICE));
  expect(smtp.received).toEqual([]);
});

test("meeting reminders: when whoever invited has a mailbox, then invitation and reminder leave by that one", async () => {
  await connect(tomId, TOM);
  expect(await invitedAndReminded()).toEqual(bothFrom(TOM));
});

test("meeting reminders: when whoever invited has none, then both leave by one that is shared for sending", async () => {
  expect(await invitedAndReminded()).toEqual(bothFrom(INES));
});

test("S71: a notice of somebody who may not send mail any more, when they have a mailbox, then it does not leave by it", async () => {
  await connect(tomId, TOM);
  await maySendByInes(false);
  await setPermissions(practice, tom, ["clients.read", "calendar.manage"]);
  expect(await invitedAndReminded()).toEqual(bothFrom(OFFICE));
  expect(smtp.received).toEqual([]);
});

test("S71: an invitation of somebody who is suspended, when the owner lets nobody send by her mailbox, then the installation sends it and organises it", async () => {
  await connect(tomId, TOM);
  await maySendByInes(false);
  await book();
  await practice.api.staff.suspend.mutate({ id: tomId });
  await deliverCaseMail(log);
  expect(await senders()).toEqual([["Your appointment", OFFICE, OFFICE]]);
  expect(smtp.received).toEqual([]);
});

test("S71: what the product writes for a practice, when the owner lets nobody send by her mailbox, then it leaves by the installation", async () => {
  const report = { ownerId: null, byMailboxOf: practice.ownerId, text: "It failed", hasLink: false };
  await sendSystemMail({ ...report, to: "support@example.org", subject: "First" }, log);
  expect(smtp.received).toHaveLength(1);
  await maySendByInes(false);
  await sendSystemMail({ ...report, to: "support@example.org", subject: "Second" }, log);
  expect(installation.received).toHaveLength(1);
  expect(smtp.received).toHaveLength(1);
});

test("an invitation: when the mail server refuses that of one of two, then whoever booked has one task, which names that one", async () => {
  const { id, version, firstName, lastName, displayName } = built.second;
  const client = clientFields({ firstName, lastName, email: "reject@example.org" });
  await practice.api.clients.update.mutate({ id, version, client });
  await book([built.p1.partyId, built.p2.partyId]);
  await deliverCaseMail(log);
  expect(smtp.received.flatMap(({ to }) => to)).toEqual([built.first.email]);
  const { items } = await tom.api.tasks.list.query({ caseId: built.theCase.id, assignee: "me" });
  expect(items).toMatchObject([
    { title: expect.stringMatching(/^A message did not leave: /), clientId: id, clientName: displayName },
  ]);
});
