// How much of what is sent to us may lie in memory, and for how long: asked over HTTP, by bodies that are announced and
// never come, so that nothing of them lies anywhere.
import { connect } from "node:net";
import { bodyRoomOf } from "@app/server/core/body-room";
import type { Asker } from "@app/server/core/fair-turns";
import { afterEach, expect, test, vi } from "vitest";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { anSmtpThatStopsReading } from "../support/mail/odd-smtp.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { type RawAnswer, send } from "../support/server/raw-http.ts";
import { slowBody } from "../support/server/slow-sockets.ts";
import { startTestApp } from "../support/server/test-app.ts";

const MB = 1024 * 1024;
const SOON = { timeout: 10_000, interval: 50 };
const NO_ROOM = "Too much is being sent at this moment. Try again in a minute.";

const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));

const endings: (() => void)[] = [];
const endAll = () => endings.splice(0).forEach((end) => end());
/** Whoever hangs up leaves their room in a moment: each test begins with all of it. */
afterEach(() => {
  endAll();
  return vi.waitFor(
    () => expect(sharesOf(["a", "b", "c"].map((group) => ({ group, one: "" })))).toEqual(ALL_ROOM),
    SOON,
  );
});
const ALL_ROOM = [48, 48, 48];

/** How many MB each of them gets, one after the other, if they take as much as they can. */
function sharesOf(askers: Asker[]): number[] {
  const rooms = askers.map(bodyRoomOf);
  const shares = rooms.map((room) => {
    for (let got = 0; ; got += 1) if (isRefused(() => room.holdUpTo((got + 1) * MB))) return got;
  });
  rooms.forEach((room) => room.leave());
  return shares;
}

function isRefused(hold: () => void): boolean {
  try {
    hold();
    return false;
  } catch {
    return true;
  }
}

/** Sends this as it stands; gives what the server says to it, in the end. */
function write(text: string): { said: string } {
  const heard = { said: "" };
  const socket = connect({ port: Number(new URL(app.url).port), host: "127.0.0.1" });
  socket.on("data", (data) => (heard.said += String(data))).on("error", () => undefined);
  socket.write(text);
  endings.push(() => socket.destroy());
  return heard;
}

/** Announces a mail of this size and sends nothing of it. */
const announce = (person: TestPerson, bytes: number) =>
  write(slowBody(app.url, "/functions/imap-send", { cookie: person.cookies(), "content-length": `${bytes}` }));

const post = (person: TestPerson, path: string, body: unknown): Promise<RawAnswer> =>
  send(`${app.url}${path}`, {
    method: "POST",
    headers: { origin: app.url, "content-type": "application/json", cookie: person.cookies() },
    body: JSON.stringify(body),
  });

/** A save as large as there may be one; where there is room for it, it is read and answered at its field. */
const saving = async (person: TestPerson) =>
  (await post(person, "/trpc/clients.create", { ...aClient(), needs: "a".repeat(0.9 * MB) })).status;
const READ = 400;
const REFUSED = 429;
const expectSaving = (person: TestPerson, status: number) =>
  vi.waitFor(async () => expect(await saving(person)).toBe(status), SOON);

/** Takes all the room that one person may have, but for so much. */
async function fillUp(person: TestPerson, leftBytes: number): Promise<void> {
  for (const bytes of [40 * MB, 8 * MB - leftBytes]) announce(person, bytes);
  if (leftBytes < 0.9 * MB) await expectSaving(person, REFUSED);
}

test("S74 room: one person whose mails under way fill their room, when they send more, then it is refused at once, and a colleague's is read", async () => {
  const practice = await aPractice(app);
  const colleague = await aStaffUser(app, practice);
  await fillUp(practice, 0.5 * MB);
  const more = announce(practice, 1 * MB);
  await vi.waitFor(() => expect(more.said).toContain(NO_ROOM), SOON);
  expect(more.said).toMatch(/^HTTP\/1\.1 429 /);
  expect(await saving(colleague)).toBe(READ);
});

test("S74 room: somebody who is refused for want of room, when they hang up on what they sent, then the next is read", async () => {
  const practice = await aPractice(app);
  await fillUp(practice, 0.5 * MB);
  endAll();
  await expectSaving(practice, READ);
});

test("S74 room: a body that does not say how long it is, when more of it comes than there is room for, then it is refused", async () => {
  const practice = await aPractice(app);
  await fillUp(practice, 0.5 * MB);
  const head = slowBody(app.url, "/functions/imap-send", { cookie: practice.cookies() });
  const chunk = "x".repeat(0.9 * MB);
  const chunked = head.replace(/content-length: \d+/, "transfer-encoding: chunked");
  const more = write(`${chunked}${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  await vi.waitFor(() => expect(more.said).toContain(NO_ROOM), SOON);
});

test("S74 room: a mail that has come whole, while its server does not take it, then it counts until it has ended", async () => {
  const practice = await aPractice(app);
  const smtp = await anSmtpThatStopsReading();
  const email = "ines@practice.example.org";
  await connectMailbox(practice.ownerId, { email, smtpPort: smtp.port, imapPort: smtp.port });
  const mail = post(practice, "/functions/imap-send", {
    userId: practice.ownerId,
    message: {
      from: { name: "Ines", address: email },
      to: [{ address: "priya@example.org" }],
      cc: [],
      subject: "Your appointment",
      body: "Dear Priya",
      attachments: [{ mimeType: "application/pdf", name: "a.pdf", content: "A".repeat(MB), contentEncoding: "base64" }],
    },
  });
  await vi.waitFor(() => expect(smtp.mails()).toBe(1), SOON);
  // Beside the mail there is half a megabyte left; without it there would be room for the largest save.
  await fillUp(practice, 1.5 * MB);
  await expectSaving(practice, REFUSED);
  await smtp.close();
  expect((await mail).status).toBeGreaterThanOrEqual(500);
  await expectSaving(practice, READ);
});

test("S74 room: three people who hold most of all room, when somebody comes who holds nothing, then theirs is read", async () => {
  const [first, second, third, last] = await Promise.all(Array.from({ length: 4 }, () => aPractice(app)));
  if (!first || !second || !third || !last) throw new Error("four practices were asked for");
  await fillUp(first, 0.5 * MB);
  await fillUp(second, 0.5 * MB);
  const mails = [announce(third, 40 * MB), announce(third, 40 * MB)];
  await vi.waitFor(() => expect(mails.filter(({ said }) => said.includes(NO_ROOM))).toHaveLength(1), SOON);
  expect(await saving(last)).toBe(READ);
});

test("S74 room: people who take as much as they can, when another comes, then nobody has more than they leave for all others", () => {
  const people = ["first", "second", "third", "fourth", "fifth"].map((group) => ({ group, one: "" }));
  expect(sharesOf(people)).toEqual([48, 48, 48, 24, 12]);
});

test("S74 room: anonymous callers of one network who take as much as they can, when others come, then all networks share what one person has", () => {
  const networks = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((one) => ({ group: "anonymous", one }));
  expect(sharesOf([...networks, { group: "person", one: "" }])).toEqual([24, 12, 6, 48]);
});
