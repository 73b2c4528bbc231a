import { idSchema, ofNewThing } from "@app/shared/ids";
import { IMPORT_MAX_BYTES, importSchema, uploadImportSchema } from "@app/shared/imports";
import { csvLine } from "../../core/csv.ts";
import { sendLines } from "../../core/csv-answer.ts";
import { notFound } from "../../core/errors.ts";
import type { AskedBy, RawRoute } from "../../core/raw-route.ts";
import { assertFits } from "../../core/read-body.ts";
import type { Scope } from "../../core/trpc.ts";
import { describedUpload } from "../../core/upload.ts";
import { problemsOf } from "./import-problems.ts";
import { tooLargeImport } from "./import-storing.ts";
import { uploadImport } from "./import-upload.service.ts";
import { getImport, leftOutRows } from "./imports.service.ts";

const BYTE_ORDER_MARK = "\uFEFF";
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
  answer: (asked) => sendOfImport(asked, "import-report.csv", linesOf),
};

/** GET /export/imports/:id/rows.csv: those rows themselves. */
export const rowsLeftOut: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "data.export"],
  asksAgain: true,
  answer: (asked) => sendOfImport(asked, "rows-left-out.csv", rowLinesOf),
};

async function sendOfImport(asked: AskedBy, name: string, linesFor: typeof linesOf): Promise<void> {
  const { req, scope } = asked;
  const id = idSchema.safeParse(req.params["id"]);
  if (!id.success) throw notFound("Import");
  await getImport(scope, id.data);
  await sendLines(asked, name, linesFor(scope, id.data));
}

async function* rowLinesOf(scope: Scope, id: string): AsyncGenerator<string> {
  let start = BYTE_ORDER_MARK;
  for await (const cells of leftOutRows(scope, id)) {
    yield start + csvLine(cells);
    start = "";
  }
}

async function* linesOf(scope: Scope, id: string): AsyncGenerator<string> {
  const { kind: kindOfRecords } = await getImport(scope, id);
  yield BYTE_ORDER_MARK + csvLine(["Row", "Result", "Column", "Value", "What is wrong and what to do"]);
  for await (const { row, kind, column, value, message } of problemsOf(scope, id, kindOfRecords))
    yield csvLine([String(row), KIND_WORDS[kind], column, value, message]);
}
