// What one person's content can cost everybody else: the longest stop of the server, its memory, and a list meanwhile.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import { startEmbeddedMongo } from "@app/embedded-mongo/start";
import { richTextOf } from "@app/shared/rich-text";
import { PRACTICE_ONLY, SHARED } from "@app/shared/visibility";
import { type Dovecot, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import {
  brokenJpeg,
  CALENDARS,
  deepJson,
  endlessCertificate,
  HEAVY_MAILS,
  htmlMail,
  LAYOUTS,
  LONG_LISTS,
  mailOfParts,
  STATEMENTS,
  TABLES,
  wideJson,
  WORD_DOCUMENTS,
  WORKBOOKS,
} from "../support/hostile/hostile.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { checked, upload, uploaded } from "../support/hostile/import-uploads.ts";
import { sendStatement } from "../support/server/bank-files.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { startNameServer } from "../support/mail/name-server.ts";
import { aCase, aClient, aPractice, type TestPractice } from "../support/server/people.ts";
import type { Figure } from "./figure.ts";
import { type Attack, type Attacked, FLOODS, keepSmallFile, SILENT_ZONE, unlessBrokenOff } from "./hold-floods.ts";
import { figureOf, measured, startWatched } from "./hold-measure.ts";
import { LISTS } from "./hold-lists.ts";
import { type LoudBox, LOUD } from "./hold-mail.ts";

const EMAIL = "box@practice.example.org";
const MEASURES = ["loop", "memory", "list", "health", "file"] as const;
const MAIL_MEASURES = [...MEASURES, "mail"] as const;
const LIST_MEASURES = [...MEASURES, "ready"] as const;

const uploading =
  (contents: Record<string, () => Buffer<ArrayBuffer> | string>): Attack =>
  ({ app, attacker }) =>
    Promise.all(Object.values(contents).map((content) => unlessBrokenOff(upload(app, attacker, content()))));

const ATTACKS: Record<string, Attack> = {
  layouts: (attacked) => openAll(attacked, "deep@example.org"),
  parts: (attacked) => openAll(attacked, "parts@example.org"),
  // Four such pages of one mailbox, one after the other, may take longer than a page waits.
  heavy: ({ attacker }) => listAll(attacker, "heavy@example.org").catch(() => undefined),
  calendars: ({ attacker }) =>
    Promise.allSettled(
      Object.values(CALENDARS).map((ics) => attacker.api.meetings.importBusy.mutate({ name: "Home", ics })),
    ),
  workbooks: uploading(WORKBOOKS),
  tables: uploading(TABLES),
  statements: ({ app, attacker }) =>
    Promise.all(Object.values(STATEMENTS).map((make) => unlessBrokenOff(sendStatement(app, attacker, make())))),
  // One person's many files may be refused until some are read.
  longCells: ({ app, attacker }) =>
    Promise.allSettled(
      LONG_LISTS.map(async ({ kind, csv }) => checked(attacker.api, await uploaded(app, attacker, csv, { kind }))),
    ),
  words: async ({ app, attacker }) => {
    const { id } = await attacker.api.documentTemplates.create.mutate({ id: newId(), name: "Word", kind: "letter" });
    const upload = () => encodeURIComponent(JSON.stringify({ id: newId(), textId: id, name: "text.docx" }));
    await Promise.all(
      Object.values(WORD_DOCUMENTS).map((make) =>
        unlessBrokenOff(
          send({ app, attacker }, `/word-imports?upload=${upload()}`, make(), "application/octet-stream"),
        ),
      ),
    );
  },
  pictures: ({ app, attacker, clientId }) => {
    const place = { id: newId(), clientId, caseId: null, name: "photo.jpg", visibility: PRACTICE_ONLY };
    const address = `/files?upload=${encodeURIComponent(JSON.stringify(place))}`;
    return unlessBrokenOff(send({ app, attacker }, address, brokenJpeg(), "application/octet-stream"));
  },
  json: (attacked) =>
    Promise.all(
      [deepJson(5_000_000), wideJson(10_000_000)].map((body) =>
        unlessBrokenOff(send(attacked, "/functions/imap-send", body, "application/json")),
      ),
    ),
  certificates: ({ attacker }) =>
    attacker.api.signatures.certificate.add
      .mutate({ file: endlessCertificate().toString("base64"), password: "x" })
      .catch(() => undefined),
  records: async ({ app, attacker, recordId }) => {
    const reply = await fetch(`${app.url}/export/clients/${recordId}.pdf`, { headers: { cookie: attacker.cookies() } });
    await reply.arrayBuffer();
  },
  ...FLOODS,
};

const measuresOf = (kind: string) => (kind in LOUD ? MAIL_MEASURES : kind in LISTS ? LIST_MEASURES : MEASURES);
const KINDS = [ATTACKS, LISTS, LOUD].flatMap((attacks) => Object.keys(attacks));
export const HOLD = KINDS.flatMap((kind) => measuresOf(kind).map((measure) => `hold.${kind}.${measure}`));

/** For each kind of content the worst while four at once send it. */
export async function benchHold(names: readonly string[]): Promise<Figure[]> {
  if (whyNoDovecot) throw new Error(whyNoDovecot);
  const dir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const dovecot = await startDovecot();
  const log = createLogger("silent");
  const engine = await startEmbeddedMongo({ dir: path.join(dir, "database"), log });
  const nameServer = await startNameServer({ known: {}, silent: SILENT_ZONE });
  const product = await startWatched(dir, { MONGODB_URI: engine.uri, DNS_SERVERS: nameServer.place });
  // Where this process lays what no call of the product can: a mailbox of this machine.
  configure(readSettings({ DATA_DIR: dir, MONGODB_URI: engine.uri }));
  await loadKey();
  const database = await openDatabase({ log });
  const boxes: LoudBox[] = [];
  try {
    const app = { url: product.url, close: () => Promise.resolve() };
    const [attacker, other] = [await aPractice(app), await aPractice(app)];
    await connectMailbox(attacker.ownerId, { email: EMAIL, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    const { id: clientId } = await attacker.api.clients.create.mutate(aClient());
    await layHostile(dovecot);
    const recordId = await longRecord(attacker);
    const { id: otherClientId } = await other.api.clients.create.mutate(aClient());
    const look = {
      list: () => other.api.clients.list.query({}),
      health: async () => (await fetch(`${app.url}/health`)).text(),
      ready: () => readiness(app.url),
      file: () => keepSmallFile(app, other, otherClientId),
    };
    const figures: Figure[] = [];
    const readMail = await mailReader(other, dovecot);
    for (const kind of KINDS) {
      if (!names.some((name) => name.startsWith(`hold.${kind}.`))) continue;
      const box = (await LOUD[kind]?.(app)) ?? null;
      if (box) boxes.push(box);
      const lists = await LISTS[kind]?.(attacker);
      const attack =
        box?.attack ?? lists ?? (() => ATTACKS[kind]?.({ app, attacker, clientId, recordId }) ?? Promise.resolve());
      const found = await measured(product, dir, box ? { ...look, mail: readMail } : look, attack);
      for (const measure of measuresOf(kind)) figures.push(figureOf(kind, measure, found[measure]));
    }
    return figures;
  } finally {
    await database.close();
    await product.stop();
    for (const box of boxes) await box.close();
    await engine.stop();
    await nameServer.close();
    await dovecot.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Throws where nobody is to be sent there. */
async function readiness(url: string): Promise<void> {
  const reply = await fetch(`${url}/ready`);
  await reply.text();
  if (!reply.ok) throw new Error(`/ready was answered with ${reply.status}`);
}

/** Reads a page of somebody's own mailbox, which is well; throws where that fails. */
async function mailReader({ ownerId, api }: TestPractice, dovecot: Dovecot): Promise<() => Promise<void>> {
  const email = "other@practice.example.org";
  await connectMailbox(ownerId, { email, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
  await layMails(dovecot, email, [aMail({ from: "priya@example.org" })]);
  const { id: clientId } = await api.clients.create.mutate(aClient({ email: "priya@example.org" }));
  return async () => {
    const { items, problem } = await api.inbox.list.query({ clientId });
    if (items.length !== 1) throw new Error(`their mail could not be read: ${problem}`);
  };
}

async function layHostile(dovecot: Dovecot): Promise<void> {
  const layouts = Object.values(LAYOUTS).map((layout) => htmlMail(layout, { from: "deep@example.org" }));
  const parts = [mailOfParts(5000, { from: "parts@example.org" }), mailOfParts(9, { depth: 300 })];
  const heavy = Object.values(HEAVY_MAILS).map(({ mail }) => mail("heavy@example.org"));
  await layMails(dovecot, EMAIL, [...layouts, ...parts, ...heavy]);
}

/** The page with the mails of whoever writes from this address. */
async function listAll(attacker: TestPractice, email: string) {
  const { id: clientId } = await attacker.api.clients.create.mutate(aClient({ email }));
  const { items, problem } = await attacker.api.inbox.list.query({ clientId });
  if (items.length === 0) throw new Error(`there are no mails to open: ${problem}`);
  return { clientId, items };
}

/** Sixty notes as long as a note may be, which a client may see. */
async function longRecord({ api }: TestPractice): Promise<string> {
  const { theCase, first } = await aCase({ api });
  const body = richTextOf("The boiler was to be mended first. ".repeat(1371));
  const place = { caseId: theCase.id, clientId: null, kind: "file_note" as const, visibility: SHARED };
  for (let note = 0; note < 60; note += 1) await api.notes.create.mutate({ id: newId(), ...place, body });
  return first.id;
}

/** Every mail of whoever writes from this address. */
async function openAll({ attacker }: Attacked, email: string): Promise<void> {
  const { clientId, items } = await listAll(attacker, email);
  await Promise.all(
    items.map(({ folder, uidValidity, uid }) => attacker.api.inbox.open.query({ clientId, folder, uidValidity, uid })),
  );
}

async function send(
  { app, attacker }: Pick<Attacked, "app" | "attacker">,
  address: string,
  body: string | Buffer<ArrayBuffer>,
  type: string,
): Promise<void> {
  const reply = await fetch(`${app.url}${address}`, {
    method: "POST",
    headers: { origin: app.url, cookie: attacker.cookies(), "content-type": type },
    body,
  });
  await reply.text();
}
