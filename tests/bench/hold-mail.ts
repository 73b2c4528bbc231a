// Mail servers that say what takes long to read, or very much, or ever again, and who looks at their mail.
import { setTimeout as sleep } from "node:timers/promises";
import { openEventStream } from "../support/server/event-stream.ts";
import { aHostileImap, sayMany } from "../support/mail/hostile-imap.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { anSmtpThatStopsReading } from "../support/mail/odd-smtp.ts";
import { aClient, aPractice, type TestPractice } from "../support/server/people.ts";
import { send } from "../support/server/raw-http.ts";

const MEGABYTE = 1024 * 1024;
const LOUD_MS = 15_000;
/** Each of four who attack at once. */
const SENDERS = 4;
const PAUSE_MS = 500;

type App = Parameters<typeof aPractice>[0];

export interface LoudBox {
  attack: () => Promise<unknown>;
  close: () => Promise<void>;
}

const word = `* LIST ${"A[".repeat(1.9 * MEGABYTE)}\r\n`;
const content = Buffer.alloc(MEGABYTE, "x");
const unasked = [
  `* 1 FETCH (UID 2 BODY[1] {${49 * MEGABYTE}}\r\n`,
  ...Array.from({ length: 49 }, () => content),
  ")\r\n",
];
const asked = [
  `* 1 FETCH (UID 1 BODY[HEADER] {${15 * MEGABYTE}}\r\n`,
  ...Array.from({ length: 15 }, () => content),
  ")\r\n",
];
const news = Array.from({ length: 1000 }, (_, index) => `* ${index + 2} EXISTS\r\n`).join("");

type Says = Parameters<typeof aHostileImap>[0];

/** Somebody with a mailbox that says so, whose page is asked for again and again, or stands open. */
const saying =
  (says: Says, { isWatched = false } = {}) =>
  async (app: App): Promise<LoudBox> => {
    const server = await aHostileImap(says);
    const practice = await aPractice(app);
    await connectMailbox(practice.ownerId, { email: emailOf(practice), smtpPort: 1, imapPort: server.port });
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "priya@example.org" }));
    return { attack: () => (isWatched ? look(app, practice) : readAgain(practice, clientId)), close: server.close };
  };

/** Somebody whose mail server takes nothing of the largest mails that a program may send by it. */
async function sendingSlowly(app: App): Promise<LoudBox> {
  const server = await anSmtpThatStopsReading();
  const practice = await aPractice(app);
  const email = emailOf(practice);
  await connectMailbox(practice.ownerId, { email, smtpPort: server.port, imapPort: 1 });
  const attachment = { mimeType: "application/pdf", name: "a.pdf", content: "A".repeat(33 * MEGABYTE) };
  const message = {
    from: { name: "", address: email },
    to: [{ address: "somebody@elsewhere.example" }],
    cc: [],
    subject: "Your papers",
    body: "Here they are.",
    attachments: [attachment],
  };
  const body = Buffer.from(JSON.stringify({ userId: practice.ownerId, message }));
  const headers = { origin: app.url, cookie: practice.cookies(), "content-type": "application/json" };
  async function sendAgain(): Promise<void> {
    for (const until = performance.now() + LOUD_MS; performance.now() < until;) {
      const answer = send(`${app.url}/functions/imap-send`, { method: "POST", headers, body }).catch(() => undefined);
      await Promise.race([answer, sleep(LOUD_MS)]);
      await sleep(PAUSE_MS);
    }
  }
  return { attack: () => Promise.all(Array.from({ length: SENDERS }, sendAgain)), close: () => server.close() };
}

const emailOf = ({ ownerId }: TestPractice) => `${ownerId.toLowerCase()}@practice.example.org`;

export const LOUD: Record<string, (app: App) => Promise<LoudBox>> = {
  mailWords: saying({ SEARCH: (tag, socket) => sayMany(socket, [word], 1, `${tag} OK done\r\n`) }),
  mailDownloads: saying({ FETCH: (tag, socket) => sayMany(socket, unasked, 20, `${tag} OK done\r\n`) }),
  mailHeaders: saying({ FETCH: (tag, socket) => sayMany(socket, asked, 20, `${tag} OK done\r\n`) }),
  mailNews: saying(
    {
      IDLE(_tag, socket) {
        socket.write("+ idling\r\n");
        sayMany(socket, [news], 100_000);
      },
    },
    { isWatched: true },
  ),
  mailSends: sendingSlowly,
};

async function readAgain({ api }: TestPractice, clientId: string): Promise<void> {
  for (const until = performance.now() + LOUD_MS; performance.now() < until;) await api.inbox.list.query({ clientId });
}

async function look(app: App, practice: TestPractice): Promise<void> {
  const stream = await openEventStream(app, practice, "inbox.onNews");
  await sleep(LOUD_MS);
  stream.close();
}
