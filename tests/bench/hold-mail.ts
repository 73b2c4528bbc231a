// Mail servers that say what takes long to read, or very much, or ever again, and who looks at their mail.
import { setTimeout as sleep } from "node:timers/promises";
import { openEventStream } from "../support/server/event-stream.ts";
import { aHostileImap, sayMany } from "../support/mail/hostile-imap.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aClient, aPractice, type TestPractice } from "../support/server/people.ts";

const MEGABYTE = 1024 * 1024;
const LOUD_MS = 15_000;

interface Loud {
  says: Parameters<typeof aHostileImap>[0];
  isWatched: boolean;
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

export const LOUD: Record<string, Loud> = {
  mailWords: {
    isWatched: false,
    says: { SEARCH: (tag, socket) => sayMany(socket, [word], 1, `${tag} OK done\r\n`) },
  },
  mailDownloads: {
    isWatched: false,
    says: { FETCH: (tag, socket) => sayMany(socket, unasked, 20, `${tag} OK done\r\n`) },
  },
  mailHeaders: {
    isWatched: false,
    says: { FETCH: (tag, socket) => sayMany(socket, asked, 20, `${tag} OK done\r\n`) },
  },
  mailNews: {
    isWatched: true,
    says: {
      IDLE(_tag, socket) {
        socket.write("+ idling\r\n");
        sayMany(socket, [news], 100_000);
      },
    },
  },
};

export interface LoudBox {
  attack: () => Promise<void>;
  close: () => Promise<void>;
}

/** Somebody with such a mailbox, whose page is asked for again and again, or stands open. */
export async function aLoudBox(app: Parameters<typeof aPractice>[0], kind: string): Promise<LoudBox> {
  const { says = {}, isWatched = false } = LOUD[kind] ?? {};
  const server = await aHostileImap(says);
  const practice = await aPractice(app);
  const place = { email: `${kind}@practice.example.org`, smtpPort: 1, imapPort: server.port };
  await connectMailbox(practice.ownerId, place);
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "priya@example.org" }));
  return { attack: () => (isWatched ? look(app, practice) : readAgain(practice, clientId)), close: server.close };
}

async function readAgain({ api }: TestPractice, clientId: string): Promise<void> {
  for (const until = performance.now() + LOUD_MS; performance.now() < until;) await api.inbox.list.query({ clientId });
}

async function look(app: Parameters<typeof aPractice>[0], practice: TestPractice): Promise<void> {
  const stream = await openEventStream(app, practice, "inbox.onNews");
  await sleep(LOUD_MS);
  stream.close();
}
