// Imports are taken back, files swept, notes deleted and brought back, while twenty people write. Whatever they were
// told is stored is there afterwards, or it was refused.
import { createLogger } from "@app/server/core/logger";
import { DAY_MS, HOUR_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { restoreFiles } from "@app/server/features/files/file-changes.service";
import { sweepFiles } from "@app/server/features/files/file-sweeper";
import { readableFile } from "@app/server/features/files/files.service";
import { ImportChunkModel } from "@app/server/features/imports/imports.model";
import type { ImportKind } from "@app/shared/import-states";
import { richTextOf } from "@app/shared/rich-text";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { TRPCError } from "@trpc/server";
import mongoose from "mongoose";
import { beforeAll, expect, test } from "vitest";
import {
  type Acknowledged,
  anOldDeletedFile,
  aShelf,
  missingFrom,
  type Office,
  recordOf,
  stir,
  writeOn,
} from "../support/visibility/busy-writers.ts";
import { imported, settled } from "../support/hostile/import-uploads.ts";
import { aCase, aPractice, scopeOf } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { aSureClock } from "../support/clocks/sure-clock.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const ROUNDS = Number(process.env["UNDO_ROUNDS"] ?? 6);
const ROUND_LIMIT_MS = 20_000;
const WRITERS = 20;
/** Who delete, move, bring back and rewrite something else meanwhile. */
const STIRRERS = 12;
const RECORDS = 8;
/** In which the undo and the writers begin. */
const SPREAD_MS = 120;
const KINDS: readonly ImportKind[] = ["clients", "cases", "contacts", "meetings"];
// The last: no worker is free to open what they sent.
const KNOWN_REFUSALS = ["NOT_FOUND", "CONFLICT", "PRECONDITION_FAILED", "BAD_REQUEST", "SERVICE_UNAVAILABLE"];

let office: Office;
const app = forAllTests(startTestApp);
beforeAll(async () => {
  office = await anOffice();
});

async function anOffice(): Promise<Office> {
  const practice = await aPractice(app);
  const { theCase, first } = await aCase(practice);
  let at = Date.UTC(2032, 0, 5, 9);
  const nextTime = () => new Date((at += HOUR_MS)).toISOString();
  return { practice, clientId: first.id, caseId: theCase.id, nextTime };
}

const rows = (heading: string, rowOf: (index: number) => string): string =>
  [heading, ...Array.from({ length: RECORDS }, (_, index) => rowOf(index))].join("\n");

/** A list whose rows nobody has met before. */
async function listOf(kind: ImportKind, round: number): Promise<string> {
  const [reference] = await mongoose.connection
    .collection<{ _id: string; caseRef: string }>("cases")
    .find({ _id: office.caseId })
    .toArray();
  if (kind === "clients")
    return rows("First name,Surname,Email", (index) => `Maya,Quill ${round} ${index},m${round}-${index}@example.org`);
  if (kind === "contacts")
    return rows(
      "First name,Surname,Role,Email",
      (index) => `Asha,Verity ${round} ${index},Solicitor,a${round}-${index}@example.org`,
    );
  if (kind === "cases") {
    const { email } = await office.practice.api.clients.get.query({ id: office.clientId });
    return rows("Reference,Party 1,Status", (index) => `R-${round}-${index},${email},Enquiry`);
  }
  return rows("Type,Date,Start,End,Case", (index) => {
    const at = new Date(Date.UTC(2035, 0, 1 + round)).toISOString().slice(0, 10);
    return `Mediation,${at},${9 + index}:00,${9 + index}:45,${reference?.caseRef ?? ""}`;
  });
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD_MS));

/** What was told to be stored; null where it was refused in a way that a person is shown. */
async function told<Result>(writing: Promise<Result>): Promise<Result | null> {
  try {
    return await writing;
  } catch (error) {
    const { code, message } = error instanceof TRPCError ? error : await refusal(Promise.reject(error));
    expect(KNOWN_REFUSALS, message).toContain(code);
    return null;
  }
}

const LOOKS = 3;

/** What is not there, with why not. A look that takes too long on a busy machine is taken again. */
async function lost(found: (Acknowledged | null)[]): Promise<string[]> {
  const missing: string[] = [];
  for (const one of found.filter((each) => each !== null)) {
    let why: string | null = null;
    for (let look = 0; look < LOOKS; look += 1) {
      why = await one.look().then(
        () => null,
        (error: unknown) => `${one.what}: ${String(error)}`,
      );
      if (!why?.includes("too long")) break;
    }
    if (why) missing.push(why);
  }
  return missing;
}

test(
  "imports.undo: while twenty people build on what it made, then all they were told is stored is there",
  { timeout: ROUNDS * ROUND_LIMIT_MS },
  async () => {
    const { api, ownerId } = office.practice;
    const seen = { stored: 0, refused: 0, undone: 0, kept: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const kind = KINDS[round % KINDS.length] ?? "clients";
      const { id } = await imported(app, office.practice, await listOf(kind, round), {
        kind,
        duplicates: "import",
      });
      const chunks = await ImportChunkModel.find({ ownerId, importId: id }).lean();
      const made = chunks.flatMap((chunk) => chunk.made.map((one) => one.id));
      expect(made).toHaveLength(RECORDS);
      const writing = Array.from({ length: WRITERS }, async () => {
        await later();
        const on = made[Math.floor(Math.random() * made.length)] ?? "";
        return told(writeOn(office, { kind, id: on, choice: Math.random() }));
      });
      const shelf = await aShelf(office);
      const stirring = Array.from({ length: STIRRERS }, async () => {
        await later();
        await told(stir(office, shelf, Math.random()));
      });
      await later();
      await api.imports.undo.mutate({ id, keepsChanged: true });
      await Promise.all(stirring);
      expect(await missingFrom(office, shelf)).toEqual([]);
      const stored = await Promise.all(writing);
      const { counts } = await settled(api, id);
      expect(await lost(stored)).toEqual([]);
      const there = await Promise.all(
        made.map((one) =>
          recordOf(office, kind, one).then(
            () => true,
            () => false,
          ),
        ),
      );
      expect(there.filter(Boolean)).toHaveLength(counts.kept);
      expect(counts.undone + counts.kept).toBe(RECORDS);
      seen.undone += counts.undone;
      seen.kept += counts.kept;
      seen.stored += stored.filter(Boolean).length;
      seen.refused += stored.filter((one) => one === null).length;
    }
    // Otherwise they did not meet.
    expect(
      Object.values(seen).every((count) => count > 0),
      JSON.stringify(seen),
    ).toBe(true);
  },
);

test(
  "files.restore: while the sweep removes what was deleted long ago, then whoever was told has the file",
  { timeout: ROUNDS * ROUND_LIMIT_MS },
  async () => {
    const scope = scopeOf(office.practice.ownerId);
    await aSureClock();
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = await Promise.all(Array.from({ length: 4 }, () => anOldDeletedFile(office)));
      const longAgo = { deletedAt: new Date(Date.now() - 34 * DAY_MS) };
      await mongoose.connection
        .collection("files")
        .updateMany({ name: "old.txt", deletedAt: { $ne: null } }, { $set: longAgo });
      const restoring = ids.map((id) =>
        told(restoreFiles(scope, [id]).then(() => ({ what: "file", look: () => aPresentFile(id) }))),
      );
      const [restored] = await Promise.all([Promise.all(restoring), sweepFiles(createLogger("silent"))]);
      expect(await lost(restored)).toEqual([]);
    }
  },
);

async function aPresentFile(id: string): Promise<void> {
  const { deletedAt } = await readableFile(scopeOf(office.practice.ownerId), id);
  if (deletedAt) throw new Error("it is deleted");
}

test(
  "notes.remove and restore: while others write in it, then no text that was told to be saved is lost",
  { timeout: ROUNDS * ROUND_LIMIT_MS },
  async () => {
    const { api } = office.practice;
    for (let round = 0; round < ROUNDS; round += 1) {
      const place = { clientId: office.clientId, caseId: null };
      const note = { kind: "file_note", visibility: PRACTICE_ONLY, body: richTextOf("Begun.") } as const;
      const { id, version } = await api.notes.create.mutate({ id: newId(), ...place, ...note });
      const saving = ["First.", "Second."].map(async (text): Promise<Acknowledged | null> => {
        const body = richTextOf(text);
        const saved = await told(api.notes.update.mutate({ id, version, saveId: newId(), body }));
        const look = async () => expect((await api.notes.get.query({ id })).body).toEqual(body);
        return saved ? { what: text, look } : null;
      });
      const changing = [api.notes.remove.mutate({ id }), api.notes.restore.mutate({ id })];
      const stored = await Promise.all(saving);
      await Promise.allSettled(changing);
      await api.notes.restore.mutate({ id });
      expect(await lost(stored)).toEqual([]);
    }
  },
);
