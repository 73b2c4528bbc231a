// One mail that cannot be taken in, among others: of a stranger, and of a server that breaks over it.
import { closeConnections } from "@app/server/features/inbox/connections";
import mongoose from "mongoose";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startCuttingProxy } from "../support/server/cutting-proxy.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, aNestedMail, layMails } from "../support/mail/imap-mail.ts";
import {
  anInvitedMeeting,
  aWatchedMailbox,
  type WatchedMailbox,
  SENDER_CHECKS,
} from "../support/mail/watched-mailbox.ts";
import { aReply, passing, stamped } from "../support/mail/automated-mails.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

describe.skipIf(whyNoDovecot)("a mail that cannot be taken in", () => {
  let box: WatchedMailbox;
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp(SENDER_CHECKS));
  afterAll(closeConnections);
  beforeEach(async () => {
    box = await aWatchedMailbox(app, dovecot);
  });
  const unread = async () => (await box.practice.api.mailboxes.get.query()).connected?.unread;
  const STRANGER = "mallory@stranger.example";

  test.each([";VALUE=TEXT:abc", ";VALUE=FLOAT:1.5", ";VALUE=TEXT:NaN", ":99999999999999999999"])(
    "S77: a stranger's answer with SEQUENCE%s stops none of the others, and is shown at the mailbox",
    async (sequence) => {
      const { first, second, p1, p2, uid1, uid2, replies } = await anInvitedMeeting(box.practice);
      await box.came([
        stamped(aReply({ from: first.email, uid: uid1 }), passing()),
        aReply({ from: STRANGER, uid: "anything", sequence }),
        stamped(aReply({ from: second.email, uid: uid2, status: "DECLINED" }), passing()),
      ]);
      expect(await replies()).toEqual([
        { partyId: p1.partyId, reply: "accepted" },
        { partyId: p2.partyId, reply: "declined" },
      ]);
      expect(await unread()).toEqual({ count: 1, mails: [{ from: STRANGER, at: expect.any(String) }] });
      await box.came([stamped(aReply({ from: first.email, uid: uid1, status: "DECLINED" }), passing())]);
      expect((await replies()).map(({ reply }) => reply).toSorted()).toEqual(["declined", "declined"]);
      expect((await unread())?.count).toBe(1);
    },
  );

  test("S77: a stranger's mail of a thousand levels, when answers lie around it, stops none, and is shown at the mailbox", async () => {
    const { first, second, uid1, uid2, replies } = await anInvitedMeeting(box.practice);
    await box.came([
      stamped(aReply({ from: first.email, uid: uid1 }), passing()),
      aNestedMail({ levels: 1000, from: STRANGER }),
      stamped(aReply({ from: second.email, uid: uid2 }), passing()),
    ]);
    expect((await replies()).map(({ reply }) => reply)).toEqual(["accepted", "accepted"]);
    expect(await unread()).toEqual({ count: 1, mails: [{ from: STRANGER, at: expect.any(String) }] });
  });

  test("S77: a mail that was set aside, when the product is updated, is tried again, and is gone once it is understood", async () => {
    const { first, p1, uid1, replies } = await anInvitedMeeting(box.practice);
    await box.came([stamped(aReply({ from: first.email, uid: uid1 }), passing())]);
    const position = await stored("mail_positions").findOne({ _id: box.practice.ownerId });
    // As it would lie there if the code of before had not understood this very mail.
    await stored("meetings").updateMany({ ownerId: box.practice.ownerId }, { $set: { replies: [] } });
    const key = `${String(position?.["uidValidity"])}:${String(position?.["lastUid"])}`;
    const of = box.practice.ownerId;
    const aside = { queue: "mail signs", of, key, name: first.email, at: new Date(), since: new Date(), againAt: null };
    await stored("set_aside").insertOne({ _id: `mail signs:${of}:${key}`, ...aside, release: "the one before" });
    expect((await unread())?.count).toBe(1);
    await box.look();
    expect(await replies()).toEqual([{ partyId: p1.partyId, reply: "accepted" }]);
    expect((await unread())?.count).toBe(0);
  });

  test("S77: a mail over which the connection ends each time stops the others for a while only, and is shown then", async () => {
    const proxy = await startCuttingProxy(dovecot.port, "POISONED");
    try {
      box = await aWatchedMailbox(app, dovecot, { imapPort: proxy.port });
      const { first, p1, uid1, replies } = await anInvitedMeeting(box.practice);
      const poisoned = aMail({ from: STRANGER, subject: "POISONED" });
      await layMails(dovecot, box.email, [poisoned, stamped(aReply({ from: first.email, uid: uid1 }), passing())]);
      for (let round = 0; round < 3; round += 1) {
        expect(await replies()).toEqual([]);
        closeConnections();
        await box.look();
      }
      expect((await unread())?.count).toBe(1);
      closeConnections();
      await box.look();
      expect(await replies()).toEqual([{ partyId: p1.partyId, reply: "accepted" }]);
    } finally {
      closeConnections();
      await proxy.close();
    }
  });

  const stored = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);
});
