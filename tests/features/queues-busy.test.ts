// That the server is busy is no item's fault: every queue whose work opens foreign content puts it back for minutes.
import { apart, PUT_BACK_MS } from "@app/server/core/apart";
import { busy } from "@app/server/core/errors";
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { countAside, listAside, openQueue } from "@app/server/core/set-aside";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { closeConnections } from "@app/server/features/inbox/connections";
import { UNREAD_MAILS } from "@app/server/features/mailboxes/mailbox-access.service";
import { runMailing } from "@app/server/features/mailings/mailing-run";
import { MailingItemModel, MailingModel } from "@app/server/features/mailings/mailings.model";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { richTextOf } from "@app/shared/rich-text";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aClient, aPractice, type TestPractice } from "../support/server/people.ts";
import { moveTime } from "../support/access/refusal.ts";
import { anInvitedMeeting, aWatchedMailbox, SENDER_CHECKS } from "../support/mail/watched-mailbox.ts";
import { aReply, passing, stamped } from "../support/mail/automated-mails.ts";
import { fillLane } from "../support/hostile/slow-content.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const log = createLogger("silent");
/** Long enough to be made neutral in a worker. */
const LONG = richTextOf("We meet on Monday, in the room above the library. ".repeat(130));
const DISCREET = { ...DEFAULT_SAFE_CONTACT, codeWord: "harbour" };

const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ ...SENDER_CHECKS, PUBLIC_URL: "" }));
beforeAll(stopJobs);

async function aSendingPractice(): Promise<TestPractice> {
  const practice = await aPractice(app);
  await connectMailbox(practice.ownerId, { email: "ines@practice.example.org", smtpPort: smtp.port, imapPort: 1 });
  return practice;
}

/** While there is no room for more content of this practice. */
async function whileFull(ownerId: string, work: () => Promise<unknown>): Promise<void> {
  const free = await fillLane(ownerId);
  await work();
  await free();
}

const isInMinutes = (at: Date | undefined) => {
  const ms = (at?.getTime() ?? 0) - Date.now();
  return ms > 0 && ms <= PUT_BACK_MS;
};

test("S77 letters: one that has to be made neutral, when the server is busy, waits for minutes without a try, and leaves then", async () => {
  const practice = await aSendingPractice();
  const { ownerId } = practice;
  const client = await practice.api.clients.create.mutate(
    aClient({ email: "rita@example.org", safeContact: DISCREET }),
  );
  await practice.api.compose.send.mutate({
    id: newId(),
    clientId: client.id,
    caseId: null,
    to: [{ name: "", address: client.email }],
    cc: [],
    subject: "Your appointment",
    body: LONG,
    fileIds: [],
    inReplyTo: "",
    references: [],
    meetingId: null,
    sendAt: null,
  });
  await OutboxModel.updateMany({ ownerId }, { $set: { dueAt: new Date(0) } });
  const stored = () => OutboxModel.findOne({ ownerId }).lean();
  await whileFull(ownerId, () => deliverCaseMail(log));
  const waiting = await stored();
  expect(waiting).toMatchObject({ state: "queued", attempts: 0, reason: expect.stringMatching(/busy.*by itself/) });
  expect(isInMinutes(waiting?.dueAt)).toBe(true);
  expect((await practice.api.tasks.list.query({})).items).toEqual([]);
  await OutboxModel.updateMany({ ownerId }, { $set: { dueAt: new Date(0) } });
  await deliverCaseMail(log);
  expect(await stored()).toMatchObject({ state: "sent", attempts: 1, isFallbackUsed: false });
});

test("S77 mailings: a letter that has to be made neutral, when the server is busy, waits for minutes, and the others leave", async () => {
  const practice = await aSendingPractice();
  const { ownerId } = practice;
  const discreet = await practice.api.clients.create.mutate(
    aClient({ email: "rita@mailing.example.org", safeContact: DISCREET }),
  );
  const open = await practice.api.clients.create.mutate(aClient({ email: "zoe@mailing.example.org" }));
  const source = { kind: "clients" as const, clientIds: [discreet.id, open.id] };
  const letter = { subject: "We move", body: LONG, perMinute: 0, source };
  const { id } = await practice.api.mailings.create.mutate({ id: newId(), ...letter });
  await MailingModel.updateOne({ ownerId, _id: id }, { $set: { state: "sending", startedBy: ownerId } });
  const items = async () => {
    const docs = await MailingItemModel.find({ ownerId, mailingId: id }).lean();
    return new Map(docs.map((doc) => [doc.clientId, doc]));
  };
  await whileFull(ownerId, () => runMailing(ownerId, id, log));
  const before = await items();
  expect(before.get(open.id)).toMatchObject({ state: "sent" });
  expect(before.get(discreet.id)).toMatchObject({ state: "waiting", attempts: 0, isLeaving: false });
  expect(isInMinutes(before.get(discreet.id)?.dueAt)).toBe(true);
  await MailingItemModel.updateMany({ ownerId, mailingId: id }, { $set: { dueAt: new Date(0) } });
  await MailingModel.updateOne({ ownerId, _id: id }, { $set: { dueAt: new Date(0) } });
  await runMailing(ownerId, id, log);
  expect((await items()).get(discreet.id)).toMatchObject({ state: "sent", attempts: 1 });
});

test("S77 apart: work that finds the server busy, when it is done apart, is put back and not set aside", async () => {
  const [setAside, putBack] = [vi.fn(() => Promise.resolve()), vi.fn(() => Promise.resolve())];
  expect(await apart(() => Promise.reject(busy()), { item: {}, log, setAside, putBack })).toBe(false);
  expect([setAside.mock.calls.length, putBack.mock.calls.length]).toEqual([0, 1]);
});

test("S77 queues of jobs: an item that finds the server busy, when its round is over, is looked for in the next one", async () => {
  const queue = await openQueue("settle payment events");
  const done: string[] = [];
  const keyOf = (item: string) => item;
  const tell = vi.fn(() => Promise.resolve());
  const work = (item: string) => (item === "evt_1" ? Promise.reject(busy()) : Promise.resolve(done.push(item)));
  await queue.each(["evt_1", "evt_2"], { log, keyOf, work, tell });
  expect([done, tell.mock.calls.length]).toEqual([["evt_2"], 0]);
  expect((await openQueue("settle payment events")).held).toEqual([]);
});

describe.skipIf(whyNoDovecot)("mails", () => {
  const dovecot = forAllTests(startDovecot);
  afterAll(closeConnections);

  test("S77 mail signs: an answer that came while the server is busy, when some minutes are over, is taken in, and nobody is told meanwhile", async () => {
    const box = await aWatchedMailbox(app, dovecot);
    const { ownerId } = box.practice;
    const { first, p1, uid1, replies } = await anInvitedMeeting(box.practice);
    await whileFull(ownerId, () => box.came([stamped(aReply({ from: first.email, uid: uid1 }), passing())]));
    expect(await replies()).toEqual([]);
    const [kept, ...others] = await listAside(UNREAD_MAILS, ownerId);
    expect([kept?.isPutBack, others.length, isInMinutes(kept?.againAt ?? undefined)]).toEqual([true, 0, true]);
    const { connected } = await box.practice.api.mailboxes.get.query();
    expect(connected?.unread).toEqual({ count: 0, mails: [] });
    expect(await countAside()).not.toHaveProperty(UNREAD_MAILS);
    moveTime(PUT_BACK_MS + 1000);
    await box.look();
    expect(await replies()).toEqual([{ partyId: p1.partyId, reply: "accepted" }]);
    expect(await listAside(UNREAD_MAILS, ownerId)).toEqual([]);
  });
});
