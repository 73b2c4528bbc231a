// Mails of anybody that take long to read: nobody else waits for them, and the mails around them are there.
import { closeConnections } from "@app/server/features/inbox/connections";
import { openImap } from "@app/server/features/mailboxes/mailbox-access.service";
import { afterAll, describe, expect, test } from "vitest";
import { aBrokenServer } from "../support/mail/broken-servers.ts";
import { DOVECOT_PASSWORD, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { HEAVY_MAILS } from "../support/hostile/hostile.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { anInvitedMeeting, aWatchedMailbox, SENDER_CHECKS } from "../support/mail/watched-mailbox.ts";
import { aReply, passing, stamped } from "../support/mail/automated-mails.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const PRIYA = "priya@example.org";
const STOP_MAX_MS = 100;
const LOOK_MS = 5;

describe.skipIf(whyNoDovecot)("a mail that takes long to read", () => {
  let count = 0;
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp(SENDER_CHECKS));
  afterAll(closeConnections);

  /** A practice with these mails in its mailbox, and Priya as its client. */
  async function aBoxOf(mails: string[]) {
    const email = `heavy${(count += 1)}@practice.example.org`;
    const practice = await aPractice(app);
    await connectMailbox(practice.ownerId, { email, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    await layMails(dovecot, email, mails);
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: PRIYA }));
    return { practice, clientId, list: () => practice.api.inbox.list.query({ clientId }) };
  }

  /** The longest that this thread worked on it in one go, by its own time: the machine may have other work. */
  async function stopOf(work: () => Promise<unknown>): Promise<number> {
    const workedMs = () => Object.values(process.threadCpuUsage()).reduce((sum, part) => sum + part, 0) / 1000;
    let [before, longest] = [workedMs(), 0];
    const watch = setInterval(() => {
      longest = Math.max(longest, workedMs() - before);
      before = workedMs();
    }, LOOK_MS);
    await work();
    clearInterval(watch);
    return longest;
  }

  test.each(Object.entries(HEAVY_MAILS))(
    "S74: a stranger's mail of %s, when the page of a client is opened, stops nobody, and the others are listed",
    async (_what, { mail, isUnreadable }) => {
      const mails = [aMail({ subject: "First" }), mail(PRIYA), aMail({ subject: "Last" })];
      const { practice, clientId, list } = await aBoxOf(mails);
      let page = await list();
      expect(await stopOf(async () => (page = await list()))).toBeLessThan(STOP_MAX_MS);
      expect(page).toMatchObject({ state: "ready", problem: "" });
      expect(page.items.map(({ subject }) => subject)).toEqual(["Last", "Heavy", "First"]);
      const [, heavy] = page.items;
      expect(heavy?.preview.startsWith("This message cannot be shown here.")).toBe(isUnreadable);
      if (!heavy) throw new Error("the mail is not listed");
      const { folder, uidValidity, uid } = heavy;
      const opening = practice.api.inbox.open.query({ clientId, folder, uidValidity, uid });
      await (isUnreadable ? expect(opening).rejects.toThrow("cannot be shown here") : opening);
    },
  );

  test("S74: a client's own address, when it is the last of many hundreds, is found among them", async () => {
    const many = Array.from({ length: 900 }, (_, index) => `n${index}@example.com`);
    const { list } = await aBoxOf([aMail({ to: [...many, PRIYA].join(",\n ") })]);
    const [mail, ...others] = (await list()).items;
    expect(mail?.to).toHaveLength(100);
    expect(others).toEqual([]);
  });

  test("S78: a mail of more senders than anybody reads, when it passes at its server, proves none of them", async () => {
    const box = await aWatchedMailbox(app, dovecot);
    const { first, uid1, replies } = await anInvitedMeeting(box.practice);
    const reply = aReply({ from: first.email, uid: uid1 });
    const many = Array.from({ length: 600 }, (_, index) => `Sender: n${index}@example.com\n`).join("");
    await box.came([
      stamped(reply.replace("MIME-Version", `${many}From: mallory@example.org\nMIME-Version`), passing()),
    ]);
    expect(await replies()).toEqual([]);
  });

  test("S77: mails that take long to read, when answers lie around them, stop none of these", async () => {
    const box = await aWatchedMailbox(app, dovecot);
    const { first, second, uid1, uid2, replies } = await anInvitedMeeting(box.practice);
    const heavy = Object.values(HEAVY_MAILS).map(({ mail }) => mail("mallory@stranger.example"));
    await box.came([
      stamped(aReply({ from: first.email, uid: uid1 }), passing()),
      ...heavy,
      stamped(aReply({ from: second.email, uid: uid2 }), passing()),
    ]);
    expect((await replies()).map(({ reply }) => reply)).toEqual(["accepted", "accepted"]);
  });

  test(
    "S74: a server whose answers are too much to read, when others read theirs, ends alone, and they read on",
    { timeout: 90_000 },
    async () => {
      const { practice, list } = await aBoxOf([aMail({ subject: "First" })]);
      const { ownerId: userId } = practice;
      expect((await list()).items).toHaveLength(1);
      const endless = await anImapWithFolders(`* LIST (${"\\A ".repeat(1_300_000)}) "/" x\r\n`.repeat(12));
      try {
        const imap = { host: "127.0.0.1", port: endless.port, secure: false, user: "x", password: DOVECOT_PASSWORD };
        let refused: unknown;
        const opening = openImap({ userId, imap, ca: undefined }).catch((error: unknown) => (refused = error));
        expect(await stopOf(() => opening)).toBeLessThan(5 * STOP_MAX_MS);
        expect(refused).toMatchObject({ code: "ResponseTooLarge" });
        expect((await list()).items).toHaveLength(1);
      } finally {
        await endless.close();
      }
    },
  );

  /** A server that signs everybody in and has these folders. */
  const anImapWithFolders = (folders: string) =>
    aBrokenServer({
      greeting: "* OK [CAPABILITY IMAP4rev1] ready",
      answer(line) {
        const [tag = "", command = ""] = line.split(" ");
        if (/^list$/i.test(command)) return `${folders}${tag} OK done`;
        return /^capability$/i.test(command) ? `* CAPABILITY IMAP4rev1\r\n${tag} OK done` : `${tag} OK done`;
      },
    });
});
