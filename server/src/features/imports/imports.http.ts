import type { ImportKind } from "@app/shared/import-states";
import { idSchema, ofNewThing } from "@app/shared/ids";
import { IMPORT_MAX_BYTES, importSchema, uploadImportSchema } from "@app/shared/imports";
import { notFound } from "../../core/errors.ts";
import type { AskedBy, RawRoute } from "../../core/raw-route.ts";
import { assertFits } from "../../core/read-body.ts";
import { sendTable } from "../../core/table-answer.ts";
import type { Scope } from "../../core/trpc.ts";
import type { Table } from "../../core/xlsx.ts";
import { describedUpload } from "../../core/upload.ts";
import { problemsOf } from "./import-problems.ts";
import { tooLargeImport } from "./import-storing.ts";
import { uploadImport } from "./import-upload.service.ts";
import { getImport, leftOutRows } from "./imports.service.ts";

const KIND_WORDS = { bad: "not imported", duplicate: "duplicate", kept: "not undone", note: "note" } as const;

/** POST /imports?upload=JSON takes the body as the file to import. */
export const importUpload: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "clients.write", "data.export"],
  takes: "application/octet-stream",
  async answer({ req, res, scope, present, log }) {
    const upload = describedUpload(req, uploadImportSchema.safeExtend(ofNewThing));
    assertFits(req, IMPORT_MAX_BYTES, tooLargeImport);
    const stored = await uploadImport(scope, req, upload, present);
    log.info({ event: "file for import stored", importId: stored.id, kind: stored.kind, rows: stored.total }, "audit");
    res.status(201).json(importSchema.parse(stored));
  },
};

/** GET /export/imports/:id.csv: every row that was not imported, and why. */
export const importReport: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "data.export"],
  asksAgain: true,
  answer: (asked) => sendOfImport(asked, "import-report", reportOf),
};

/** GET /export/imports/:id/rows.csv: those rows themselves. */
export const rowsLeftOut: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "data.export"],
  asksAgain: true,
  answer: (asked) => sendOfImport(asked, "rows-left-out", leftOutRows),
};

type TableOf = (scope: Scope, id: string) => Promise<Table>;

async function sendOfImport(asked: AskedBy, things: string, tableOf: TableOf): Promise<void> {
  const { req, scope } = asked;
  const id = idSchema.safeParse(req.params["id"]);
  if (!id.success) throw notFound("Import");
  await getImport(scope, id.data);
  await sendTable(asked, things, await tableOf(scope, id.data), "csv");
}

async function reportOf(scope: Scope, id: string): Promise<Table> {
  const { kind } = await getImport(scope, id);
  const headings = ["Row", "Result", "Column", "Value", "What is wrong and what to do"];
  return { headings, rows: problemRows(scope, id, kind) };
}

async function* problemRows(scope: Scope, id: string, kindOfRecords: ImportKind): AsyncGenerator<string[]> {
  for await (const { row, kind, column, value, message } of problemsOf(scope, id, kindOfRecords))
    yield [String(row), KIND_WORDS[kind], column, value, message];
}
