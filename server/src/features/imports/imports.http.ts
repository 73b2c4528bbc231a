import { Router, type Request, type Response } from "express";
import { TRPCError } from "@trpc/server";
import { idSchema, ofNewThing } from "@app/shared/ids";
import { IMPORT_MAX_BYTES, uploadImportSchema } from "@app/shared/imports";
import { csvLine } from "../../core/csv.ts";
import { sendLines } from "../../core/csv-answer.ts";
import { badField, notFound } from "../../core/errors.ts";
import { assertFits } from "../../core/read-body.ts";
import { type Context, requireExporting, requirePermitted, type Scope } from "../../core/trpc.ts";
import { problemsOf } from "./import-problems.ts";
import { tooLargeImport } from "./import-storing.ts";
import { uploadImport } from "./import-upload.service.ts";
import { getImport, leftOutRows } from "./imports.service.ts";

type ContextFactory = (req: Request, res: Response) => Promise<Context>;

const REPORT_PERMISSIONS = ["clients.read", "data.export"] as const;
const BYTE_ORDER_MARK = "\uFEFF";
const KIND_WORDS = { bad: "not imported", duplicate: "duplicate", kept: "not undone", note: "note" } as const;

/** POST /imports?upload=JSON takes the body as the file to import. */
export function importUpload(createContext: ContextFactory): Router {
  const routes = Router();
  routes.post("/", async (req, res) => {
    const { standing, log } = await createContext(req, res);
    const present = async () =>
      requirePermitted(await standing.read(), ["clients.read", "clients.write", "data.export"]).scope;
    const scope = await present();
    const upload = uploadImportSchema.safeExtend(ofNewThing).safeParse(parsed(req.query["upload"]));
    if (!upload.success) {
      const [issue] = upload.error.issues;
      throw badField(issue?.path.join(".") ?? "name", issue?.message ?? "This upload is not complete.");
    }
    assertFits(req, IMPORT_MAX_BYTES, tooLargeImport);
    const stored = await uploadImport(scope, req, upload.data, present);
    log.info({ event: "file for import stored", importId: stored.id, kind: stored.kind, rows: stored.total }, "audit");
    res.status(201).json(stored);
  });
  return routes;
}

/** GET /export/imports/:id.csv: every row that was not imported, and why; /export/imports/:id/rows.csv: those rows themselves. */
export function importReport(createContext: ContextFactory): Router {
  const routes = Router();
  const answer = async (req: Request, res: Response, name: string, linesFor: typeof linesOf) => {
    const context = await createContext(req, res);
    const { scope } = requireExporting(context.actor, REPORT_PERMISSIONS);
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("Import");
    await getImport(scope, id.data);
    await sendLines(res, { context, permissions: REPORT_PERMISSIONS, name: `${name}.csv` }, linesFor(scope, id.data));
  };
  routes.get("/imports/:id.csv", (req, res) => answer(req, res, "import-report", linesOf));
  routes.get("/imports/:id/rows.csv", (req, res) => answer(req, res, "rows-left-out", rowLinesOf));
  return routes;
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

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new TRPCError({ code: "BAD_REQUEST", message: "This upload is not complete." });
    throw error;
  }
}
