// npm run import-data -- --owner EMAIL --kind clients FILE [--import]: what the page Account does under "Your data".
import { createReadStream } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { IMPORT_FIELDS, suggestColumns } from "@app/shared/import-fields";
import { IMPORT_KINDS, type ImportKind, isRunning, progressOf } from "@app/shared/import-states";
import type { DataImport } from "@app/shared/imports";
import { createLogger } from "@app/server/core/logger";
import type { Scope } from "@app/server/core/trpc";
import { runImport } from "@app/server/features/imports/import-run";
import { problemsOf } from "@app/server/features/imports/import-problems";
import { uploadImport } from "@app/server/features/imports/import-upload.service";
import * as imports from "@app/server/features/imports/imports.service";
import { ownerScope } from "./owner-scope.ts";
import { runCommand, UsageError } from "./run-command.ts";

const USAGE = `Usage: npm run import-data -- --owner EMAIL --kind ${IMPORT_KINDS.join("|")} FILE
  --import              stores what the check finds ready; without it nothing is stored
  --map "Heading=field" for a column that is not recognised; "Heading=" leaves one out; may be repeated
  --month-first         reads 03/04/1985 as 4 March
  --import-duplicates   imports rows that look like records that are there already
       npm run import-data -- --owner EMAIL --undo ID [--keep-changed]
FILE is CSV or Excel (.xlsx) with headings in its first row.`;
const POLL_MS = 500;

const log = createLogger("warn");

await runCommand(USAGE, main);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      owner: { type: "string", default: "" },
      kind: { type: "string", default: "clients" },
      map: { type: "string", multiple: true, default: [] },
      undo: { type: "string" },
      import: { type: "boolean", default: false },
      "keep-changed": { type: "boolean", default: false },
      "month-first": { type: "boolean", default: false },
      "import-duplicates": { type: "boolean", default: false },
    },
  });
  const kind = IMPORT_KINDS.find((known) => known === values.kind);
  const [file] = positionals;
  if (!values.owner || !kind || (!file && !values.undo)) throw new UsageError(USAGE);
  const scope = await ownerScope(values.owner);
  if (values.undo) return undo(scope, values.undo, values["keep-changed"]);
  if (!file) throw new UsageError(USAGE);
  const { id, headings } = await uploadImport(scope, createReadStream(file), {
    kind,
    name: path.basename(file),
  });
  const { dateOrder } = await imports.getImport(scope, id);
  await imports.checkImport(scope, {
    id,
    columns: columnsOf(kind, headings, values.map),
    dateOrder: values["month-first"] ? "mdy" : dateOrder,
    duplicates: values["import-duplicates"] ? "import" : "skip",
  });
  await untilDone(scope, id);
  if (values.import) {
    await imports.startImport(scope, id);
    await untilDone(scope, id);
  }
  await report(scope, id);
  if (!values.import) await imports.discardImport(scope, id);
}

function columnsOf(kind: ImportKind, headings: string[], maps: string[]): string[] {
  const chosen = new Map(
    maps.map((map) => {
      const at = map.lastIndexOf("=");
      const [heading, field] = [map.slice(0, at), map.slice(at + 1)];
      const known = IMPORT_FIELDS[kind].map(({ name }) => name);
      if (at < 0 || !headings.includes(heading) || (field && !known.includes(field)))
        throw new UsageError(`--map ${map}: write a heading of the file, = and one of: ${known.join(", ")}.`);
      return [heading, field];
    }),
  );
  const columns = suggestColumns(kind, headings).map((field, index) => chosen.get(headings[index] ?? "") ?? field);
  for (const [index, heading] of headings.entries()) console.log(`${heading} -> ${columns[index] || "left out"}`);
  return columns;
}

/** Works on the import here; where the server does so too, whoever is faster goes on. */
async function untilDone(scope: Scope, id: string): Promise<DataImport> {
  for (;;) {
    const work = runImport(scope.ownerId, id, log).then(() => "done" as const);
    while ((await Promise.race([work, sleep(POLL_MS, "going on" as const)])) === "going on") {
      const { done, total } = progressOf(await imports.getImport(scope, id));
      console.log(`${done} of ${total} rows`);
    }
    const found = await imports.getImport(scope, id);
    if (!isRunning(found.status)) return found;
    await sleep(POLL_MS);
  }
}

async function undo(scope: Scope, id: string, keepsChanged: boolean): Promise<void> {
  const result = await imports.undoImport(scope, { id, keepsChanged });
  if (result.outcome === "changed") {
    for (const { row, name, reason } of result.items) console.log(`row ${row}, ${name}: ${reason}`);
    throw new UsageError(
      `${result.total} were changed or used since, so nothing was undone. Add --keep-changed to undo the rest.`,
    );
  }
  const { counts } = await untilDone(scope, id);
  console.log(`${counts.undone} taken back, ${counts.kept} kept.`);
}

async function report(scope: Scope, id: string): Promise<void> {
  const { kind } = await imports.getImport(scope, id);
  for await (const { row, column, value, message } of problemsOf(scope, id, kind))
    console.log(`row ${row}${column && `, ${column}`}${value && `, "${value}"`}: ${message}`);
  const { status, counts, failure } = await imports.getImport(scope, id);
  if (failure) throw new UsageError(failure);
  const { ready, duplicates, bad, empty, imported } = counts;
  const what = status === "imported" ? `${imported} imported` : `${ready} ready, nothing stored`;
  console.log(`${what}; ${duplicates} duplicates, ${bad} with mistakes and ${empty} empty rows left out.`);
  if (status === "imported") console.log(`To take it back: npm run import-data -- --owner EMAIL --undo ${id}`);
}
