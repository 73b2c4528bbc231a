import { closeConnections } from "@app/server/features/inbox/connections";
import mongoose from "mongoose";
import { noteCalendarReply } from "@app/server/features/meetings/replies.service";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { aPractice } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import {
  anInvitedMeeting,
  aWatchedMailbox,
  type WatchedMailbox,
  SENDER_CHECKS,
} from "../support/mail/watched-mailbox.ts";
import { aReply, FAILING, passing, stamped } from "../support/mail/automated-mails.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

describe.skipIf(whyNoDovecot)("what mail programs say", () => {
  let box: WatchedMailbox;
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp(SENDER_CHECKS));
  afterAll(closeConnections);
  beforeEach(async () => {
    box = await aWatchedMailbox(app, dovecot);
  });
  type Answer = Parameters<typeof aReply>[0];
  const proved = (answer: Answer) => stamped(aReply(answer), passing());

  test("S78: an answer that the mail server proves stands at the meeting, and a later one replaces it", async () => {
    const { first, p1, uid1, replies, claims } = await anInvitedMeeting(box.practice);
    await box.came([proved({ from: first.email, uid: uid1 })]);
    expect(await replies()).toEqual([{ partyId: p1.partyId, reply: "accepted" }]);
    await box.came([proved({ from: first.email, uid: uid1, status: "DECLINED" })]);
    expect(await replies()).toEqual([{ partyId: p1.partyId, reply: "declined" }]);
    expect(await claims()).toEqual([]);
  });

  test("S78: the names by which calendars know a meeting tell neither the other party's nor the product", async () => {
    const { uid1, uid2, meeting } = await anInvitedMeeting(box.practice);
    for (const uid of [uid1, uid2]) {
      expect(uid).toMatch(/^[\w-]{43}$/);
      expect(uid).not.toContain(meeting.id);
      expect(uid.toLowerCase()).not.toContain("evenhand");
    }
    expect(uid1.slice(0, 20)).not.toBe(uid2.slice(0, 20));
  });

  const UNPROVED = {
    "fails DMARC": (mail: string) => stamped(mail, FAILING),
    "has no results": (mail: string) => mail,
    "was proved by another server": (mail: string) => stamped(mail, passing(), "mx.elsewhere.example"),
    "was proved for another domain": (mail: string) => stamped(mail, "dkim=pass header.d=other.example"),
    "says below the server's word that it passes": (mail: string) =>
      stamped(`Authentication-Results: mx.practice.example.org; ${passing()}\n${mail}`, FAILING),
    "says so in a comment": (mail: string) => stamped(mail, `dmarc=fail (; dmarc=pass) header.from=example.org`),
    "passes DMARC of nobody knows which domain": (mail: string) => stamped(mail, "dmarc=pass (p=reject)"),
    "is from a group": (mail: string) => stamped(mail.replace(/^From: (.*)$/m, "From: x@evil.test: $1;"), passing()),
    "is from an address within a name": (mail: string) =>
      stamped(mail.replace(/^From: (.*)$/m, "From: x@evil.test <$1>"), passing()),
    "says so below its own fields": (mail: string) =>
      mail.replace("MIME-Version", `Authentication-Results: mx.practice.example.org; ${passing()}\nMIME-Version`),
  };
  test.each(Object.entries(UNPROVED))(
    "S78: an answer from the party's address, when its mail %s, is shown as unproved until somebody confirms it",
    async (_why, wrapped) => {
      const { meeting, first, p1, uid1, replies, claims } = await anInvitedMeeting(box.practice);
      const { api } = box.practice;
      await box.came([wrapped(aReply({ from: first.email, uid: uid1, status: "DECLINED" }))]);
      expect(await replies()).toEqual([]);
      const claim = { partyId: p1.partyId, reply: "declined" as const };
      expect(await claims()).toEqual([claim]);
      const tasks = await api.tasks.list.query({ clientId: first.id, assignee: "anyone" });
      expect(tasks.items.map(({ title }) => title)).toEqual([
        "P1 may have answered the invitation for Tuesday 4 March 2031: open the meeting and say whether it was them",
      ]);
      const settled = await api.meetings.settleReply.mutate({ ...claim, id: meeting.id, isTheirs: true });
      expect(settled).toMatchObject({ replies: [claim], claims: [] });
      expect((await api.tasks.list.query({ clientId: first.id, assignee: "anyone" })).items).toEqual([]);
      expect(
        await refusal(api.meetings.settleReply.mutate({ ...claim, id: meeting.id, isTheirs: false })),
      ).toMatchObject({ code: "PRECONDITION_FAILED" });
      const { items } = await api.timeline.list.query({ clientId: first.id, page: 1 });
      expect(items.map(({ text }) => text)).toContain("An unconfirmed answer to an invitation (declined) is theirs");
    },
  );

  test("S78: an unproved answer, when a proved one stands, leaves it, and is gone once somebody ignores it", async () => {
    const { meeting, first, p1, uid1, replies, claims } = await anInvitedMeeting(box.practice);
    await box.came([
      proved({ from: first.email, uid: uid1 }),
      stamped(aReply({ from: first.email, uid: uid1, status: "DECLINED" }), FAILING),
    ]);
    const accepted = { partyId: p1.partyId, reply: "accepted" };
    expect(await replies()).toEqual([accepted]);
    const declined = { partyId: p1.partyId, reply: "declined" as const };
    expect(await claims()).toEqual([declined]);
    await box.practice.api.meetings.settleReply.mutate({ ...declined, id: meeting.id, isTheirs: false });
    expect([await replies(), await claims()]).toEqual([[accepted], []]);
  });

  test("S78: both parties, when their answers come at the same moment, keep theirs", async () => {
    const { first, second, p1, p2, uid1, uid2, replies } = await anInvitedMeeting(box.practice);
    const answers = [
      { uid: uid1, address: first.email },
      { uid: uid2, address: second.email },
    ];
    const noted = answers.map((answer) =>
      noteCalendarReply(box.practice.ownerId, { ...answer, sequence: 0, reply: "accepted" }, true),
    );
    expect(await Promise.all(noted)).toEqual([true, true]);
    expect((await replies()).map(({ partyId }) => partyId).toSorted()).toEqual([p1.partyId, p2.partyId].toSorted());
  });

  test("S78: a mailbox for whose server nobody vouches, when forty senders say that it stamps their mails, believes none", async () => {
    box = await aWatchedMailbox(app, dovecot, { isVouched: false });
    const senders = Array.from({ length: 40 }, (_, index) => `domain${index}.example.com`);
    await layMails(
      dovecot,
      box.email,
      senders.map((domain) => stamped(aMail({ from: `ann@${domain}` }), passing(domain))),
    );
    const { first, p1, uid1, replies, claims } = await anInvitedMeeting(box.practice);
    await box.came([proved({ from: first.email, uid: uid1 })]);
    expect([await replies(), await claims()]).toEqual([[], [{ partyId: p1.partyId, reply: "accepted" }]]);
  });

  test("S78: a proved answer by the other party, to an older invitation, or that is none, changes nothing", async () => {
    const { first, second, uid1, uid2, replies, claims } = await anInvitedMeeting(box.practice);
    await box.came([
      proved({ from: second.email, uid: uid1 }),
      proved({ from: second.email, attendee: first.email, uid: uid1 }),
      proved({ from: first.email, uid: uid2 }),
      proved({ from: first.email, uid: uid1, sequence: -1 }),
      proved({ from: first.email, uid: uid1, sequence: 7 }),
      proved({ from: first.email, uid: uid1, method: "REQUEST" }),
      proved({ from: first.email, uid: uid1, status: "DELEGATED" }),
      proved({ from: first.email, uid: "something-p1" }),
      aMail({ from: first.email, headers: ["Content-Type: text/calendar; method=REPLY"], text: "no calendar at all" }),
    ]);
    expect([await replies(), await claims()]).toEqual([[], []]);
  });

  test("reply: another practice's meeting cannot be answered by mail to this one", async () => {
    const other = await aPractice(app);
    const { first, uid1, replies, claims } = await anInvitedMeeting(other);
    await box.came([proved({ from: first.email, uid: uid1 })]);
    expect([await replies(), await claims()]).toEqual([[], []]);
  });

  test("reply: moving the meeting asks again under the same name, so the answer to the first invitation is gone", async () => {
    const { meeting, first, p1, uid1, replies } = await anInvitedMeeting(box.practice);
    await box.came([proved({ from: first.email, uid: uid1 })]);
    expect(await replies()).toHaveLength(1);
    const moved = await box.practice.api.meetings.reschedule.mutate({
      changeId: meeting.id,
      id: meeting.id,
      version: (await box.practice.api.meetings.get.query({ id: meeting.id })).version,
      startsAt: "2031-03-05T09:00:00.000Z",
      endsAt: "2031-03-05T10:00:00.000Z",
      reason: "",
      allowsOverlap: false,
    });
    expect(moved.replies).toEqual([]);
    await box.came([proved({ from: first.email, uid: uid1, sequence: 1 })]);
    const { replies: again } = await box.practice.api.meetings.get.query({ id: moved.id });
    expect(again).toEqual([{ partyId: p1.partyId, reply: "accepted" }]);
  });

  test("looking: what was looked at once is not looked at again, and a new mailbox begins anew", async () => {
    box = await aWatchedMailbox(app, dovecot, { isVouched: false });
    const { ownerId } = box.practice;
    const position = () => mongoose.connection.collection<{ _id: string }>("mail_positions").findOne({ _id: ownerId });
    await box.came([aMail(), aMail()]);
    expect(await position()).toMatchObject({ mailbox: box.email, lastUid: 2 });
    await box.came([aMail()]);
    expect(await position()).toMatchObject({ lastUid: 3 });
    await mongoose.connection
      .collection<{ _id: string }>("email_credentials")
      .updateOne({ _id: ownerId }, { $set: { email: `new-${box.email}`, "imap.user": `new-${box.email}` } });
    await layMails(dovecot, `new-${box.email}`, [aMail()]);
    await box.look();
    expect(await position()).toMatchObject({ mailbox: `new-${box.email}`, lastUid: 1 });
  });
});
