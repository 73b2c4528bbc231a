// What one person's mail server says costs nobody else their mail, and their server no memory.
import { setTimeout as sleep } from "node:timers/promises";
import { endReading } from "@app/server/core/imap-client";
import { createLogger } from "@app/server/core/logger";
import { closeConnections } from "@app/server/features/inbox/connections";
import { closeWatches, openWatches } from "@app/server/features/inbox/mail-watch";
import { readAutomatedMails } from "@app/server/features/inbox/automated-mails.service";
import mongoose from "mongoose";
import { afterEach, describe, expect, test } from "vitest";
import { openEventStream } from "../support/server/event-stream.ts";
import { aHostileImap, type HostileImap, HONEST_FETCH, sayMany } from "../support/mail/hostile-imap.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const MEGABYTE = 1024 * 1024;
/** LOUD_MS=8000 for the whole. */
const LOUD_MS = Number(process.env["LOUD_MS"] ?? 3000);
const log = createLogger("silent");

describe("a mail server that says too much", () => {
  let count = 0;
  const servers: HostileImap[] = [];
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  afterEach(async () => {
    closeWatches();
    closeConnections();
    for (const server of servers.splice(0)) await server.close();
  });

  /** A practice with a mailbox at a server that answers this. */
  async function aBoxAt(says: Parameters<typeof aHostileImap>[0] = {}) {
    const server = await aHostileImap(says);
    servers.push(server);
    const practice = await aPractice(app);
    const email = `hold${(count += 1)}@practice.example.org`;
    await connectMailbox(practice.ownerId, { email, smtpPort: 1, imapPort: server.port });
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "priya@example.org" }));
    return { server, practice, clientId, list: () => practice.api.inbox.list.query({ clientId }) };
  }

  test.each([
    ["LIST", "* LIST ", "A["],
    ["SEARCH", "* LIST ", "A,"],
    ["SEARCH", "* ESEARCH (TAG x) UID ALL ", "1A:"],
    ["FETCH", "* 1 FETCH (UID 1 X ", "A["],
    ["FETCH", "* OK [X (\\A", "\\"],
  ])(
    "S74: a server that answers %s with %s and millions of %s, when it is read in a loop, takes nobody else their mail",
    { timeout: 120_000 },
    async (command, start, word) => {
      const line = `${start}${word.repeat((480 * 1024) / word.length)}\r\n`;
      const loud = await aBoxAt({ [command]: (tag, socket) => socket.write(`${line.repeat(8)}${tag} OK done\r\n`) });
      const quiet = await Promise.all([aBoxAt(), aBoxAt(), aBoxAt(), aBoxAt()]);
      const until = performance.now() + LOUD_MS;
      const shouting = (async () => {
        while (performance.now() < until) await loud.list();
      })();
      while (performance.now() < until) {
        for (const { list } of quiet) expect(await list()).toMatchObject({ state: "ready", problem: "" });
        await sleep(50);
      }
      await shouting;
      expect(quiet.map(({ server }) => server.connections())).toEqual([1, 1, 1, 1]);
    },
  );

  test.each([
    ["nothing of a folder", ""],
    ["no next number", "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n"],
    ["words for numbers", "* one EXISTS\r\n* OK [UIDVALIDITY seven] x\r\n* OK [UIDNEXT abc] x\r\n"],
    [
      "numbers that are too large",
      `* ${"9".repeat(30)} EXISTS\r\n* OK [UIDVALIDITY ${"9".repeat(400)}] x\r\n* OK [UIDNEXT ${"9".repeat(400)}] x\r\n`,
    ],
    ["numbers below nothing", "* -1 EXISTS\r\n* OK [UIDVALIDITY -7] x\r\n* OK [UIDNEXT -2] x\r\n"],
  ])("S74: a server that says %s, when its mail is read, stops nobody", async (_what, says) => {
    const odd = await aBoxAt({ SELECT: (tag, socket) => socket.write(`${says}${tag} OK done\r\n`) });
    const honest = await aBoxAt();
    const { items } = await odd.list().catch(() => ({ items: [] }));
    expect(items.length).toBeLessThanOrEqual(1);
    await readAutomatedMails(odd.practice.ownerId, log);
    expect(await honest.list()).toMatchObject({ state: "ready", problem: "" });
  });

  test("S74: a server that does not say its next number, when its mail is looked through, is read all the same", async () => {
    const { practice } = await aBoxAt({
      SELECT: (tag, socket) => socket.write(`* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n${tag} OK done\r\n`),
      SEARCH: (tag, socket) => socket.write(`* ESEARCH (TAG "${tag}") UID ALL 1\r\n${tag} OK done\r\n`),
    });
    await readAutomatedMails(practice.ownerId, log);
    const position = await mongoose.connection
      .collection<{ _id: string }>("mail_positions")
      .findOne({ _id: practice.ownerId });
    expect(position).toMatchObject({ lastUid: 1 });
  });

  test("S74: ranges of very many mails, when a search finds them, are read to the last", async () => {
    const uids = Array.from({ length: 120_000 }, (_, index) => 2 * index + 1);
    const { practice } = await aBoxAt({
      SELECT: (tag, socket) =>
        socket.write(`* 200000 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 2] x\r\n${tag} OK done\r\n`),
      SEARCH: (tag, socket) => socket.write(`* ESEARCH (TAG "${tag}") UID ALL ${uids.join(",")}\r\n${tag} OK done\r\n`),
      FETCH: (tag, socket) => socket.write(`${HONEST_FETCH.replace("UID 1 ", "UID 239999 ")}${tag} OK done\r\n`),
    });
    const asked = { userId: practice.ownerId, folder: "INBOX", limit: 1, offset: 0, searchQuery: "x" };
    const reply = await fetch(`${app.url}/functions/imap-fetch`, {
      method: "POST",
      headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/json" },
      body: JSON.stringify(asked),
    });
    expect(await reply.json()).toMatchObject({ emails: [{ uid: 239_999, subject: "Honest" }] });
  });

  test.each([
    ["unasked mails", 49, 2],
    ["one mail again and again", 1, 1],
  ])(
    "S74: a server that answers with the content of %s, when a page is opened, is not listened to for long",
    { timeout: 60_000 },
    async (_what, size, uid) => {
      const start = `* 1 FETCH (UID ${uid} BODY[1] {${size * MEGABYTE}}\r\n`;
      const pieces = [start, ...Array.from({ length: size }, () => Buffer.alloc(MEGABYTE, "x")), ")\r\n"];
      const { server, list } = await aBoxAt({
        FETCH: (tag, socket) => sayMany(socket, pieces, Math.ceil(400 / size), `${tag} OK done\r\n`),
      });
      const page = await list();
      expect(page).toMatchObject({ state: "failing" });
      expect(page.problem).toContain("sends more in one answer than a mail server has to");
      // With what the system itself takes in on the way.
      expect(server.taken()).toBeLessThan(24 * MEGABYTE);
    },
  );

  test(
    "onNews: a server with news ten thousand times a second, when somebody looks, rings once a second and is left soon",
    { timeout: 60_000 },
    async () => {
      const news = Array.from({ length: 1000 }, (_, index) => `* ${index + 2} EXISTS\r\n`).join("");
      const { server, practice } = await aBoxAt({
        IDLE: (_tag, socket) => {
          socket.write("+ idling\r\n");
          sayMany(socket, [news], 100_000);
        },
      });
      const stream = await openEventStream(app, practice, "inbox.onNews");
      const startedAt = performance.now();
      await sleep(6000);
      stream.close();
      expect(stream.events.length).toBeLessThan(3 + (performance.now() - startedAt) / 1000 + server.connections());
      expect(server.connections()).toBeLessThan(6);
      expect(server.taken()).toBeLessThan(server.connections() * 6 * MEGABYTE);
    },
  );

  test("S74: a reading that is cut off by the end of its thread, when it is on its way, is done again unseen", async () => {
    let isFirst = true;
    const { server, list } = await aBoxAt({
      SEARCH(tag, socket) {
        if (!isFirst) return void socket.write(`* ESEARCH (TAG "${tag}") UID ALL 1\r\n${tag} OK done\r\n`);
        isFirst = false;
        endReading();
      },
    });
    expect(await list()).toMatchObject({ state: "ready", problem: "", items: [{ subject: "Honest" }] });
    expect(server.connections()).toBe(2);
  });

  test("S77: a mail at which the reading of others cuts it off each time, when it is looked at, is never set aside", async () => {
    const { practice, list } = await aBoxAt({ FETCH: () => endReading() });
    for (let look = 0; look < 4; look += 1) await readAutomatedMails(practice.ownerId, log);
    expect((await practice.api.mailboxes.get.query()).connected?.unread).toEqual({ count: 0, mails: [] });
    const position = await mongoose.connection
      .collection<{ _id: string; breaks?: number }>("mail_positions")
      .findOne({ _id: practice.ownerId });
    expect(position?.breaks ?? 0).toBe(0);
    const { state, problem } = await list();
    expect(state).toBe("failing");
    expect(problem).toBe(
      "Reading this mailbox was interrupted on this server. Nothing is wrong with it: try again in a moment.",
    );
  });

  test("onNews: when the page is left, its connection for news ends within seconds", { timeout: 40_000 }, async () => {
    const { practice } = await aBoxAt();
    const stream = await openEventStream(app, practice, "inbox.onNews");
    await expect.poll(openWatches, { timeout: 10_000 }).toBe(1);
    stream.close();
    await sleep(1000);
    expect(openWatches()).toBe(1);
    await expect.poll(openWatches, { timeout: 20_000 }).toBe(0);
  });
});
