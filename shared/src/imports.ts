import { z } from "zod";
import { fieldNames } from "./import-fields.ts";
import { IMPORT_KINDS, IMPORT_STATUSES, type ImportKind } from "./import-states.ts";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { lineSchema, visibleName } from "./text.ts";
import { instantSchema } from "./time.ts";

export const IMPORT_MAX_BYTES = 20 * 1024 * 1024;
export const IMPORT_ROWS_MAX = 100_000;
export const IMPORT_COLUMNS_MAX = 100;
/** As many as a spreadsheet takes itself. */
export const IMPORT_CELL_MAX_CHARACTERS = 32_767;
export const IMPORT_ROW_MAX_CHARACTERS = 200_000;
/** Of all rows as they are stored: a workbook may say a long text once, and mean it in each of its cells. */
export const IMPORT_MAX_CHARACTERS = 2 * IMPORT_MAX_BYTES;
/** How long the rows of a file are kept after they were imported, so that the import can be undone. */
export const IMPORT_KEPT_DAYS = 30;
export const UNDO_LIST_MAX = 50;

export const DATE_ORDERS = ["dmy", "mdy"] as const;

export const uploadImportSchema = z.strictObject({
  kind: z.enum(IMPORT_KINDS),
  name: z.string().transform(visibleName).pipe(lineSchema(200).min(1, "Give the file a name")),
});

const optionFields = {
  /** For each column of the file the field that it fills; empty where it is left out. */
  columns: z.array(z.string().max(40)).max(IMPORT_COLUMNS_MAX),
  duplicates: z.enum(["skip", "import"]),
  /** How 03/04/1985 is read. */
  dateOrder: z.enum(DATE_ORDERS),
};
export const importOptionsSchema = z.strictObject(optionFields);
export type ImportOptions = z.infer<typeof importOptionsSchema>;

/** Why these columns cannot be used; empty where they can. */
export function columnsProblem(kind: ImportKind, columns: readonly string[]): string {
  const used = columns.filter(Boolean);
  const known = new Set<string>(fieldNames(kind));
  if (used.length === 0) return "Choose at least one column to import.";
  if (used.some((name) => !known.has(name))) return "Choose fields from the list.";
  const twice = used.find((name, index) => used.indexOf(name) !== index);
  return twice ? "Two columns fill the same field. Choose one of them." : "";
}

export const checkImportSchema = z.strictObject({ id: idSchema, ...optionFields });
export const undoImportSchema = z.strictObject({
  id: idSchema,
  /** Takes back the rest, although some were changed since. */
  keepsChanged: z.boolean(),
});

export const importCountsSchema = z.object({
  ready: z.number().int(),
  duplicates: z.number().int(),
  bad: z.number().int(),
  empty: z.number().int(),
  imported: z.number().int(),
  undone: z.number().int(),
  kept: z.number().int(),
});
export type ImportCounts = z.infer<typeof importCountsSchema>;
export const NO_COUNTS: ImportCounts = {
  ready: 0,
  duplicates: 0,
  bad: 0,
  empty: 0,
  imported: 0,
  undone: 0,
  kept: 0,
};

export const importSchema = z.object({
  ...optionFields,
  id: idSchema,
  kind: z.enum(IMPORT_KINDS),
  fileName: z.string(),
  sizeBytes: z.number().int(),
  /** How the file was read, in words. */
  readAs: z.string(),
  status: z.enum(IMPORT_STATUSES),
  headings: z.array(z.string()),
  sample: z.array(z.array(z.string())),
  /** Rows below the headings, empty ones included. */
  total: z.number().int(),
  /** How many of them the present run has done. */
  done: z.number().int(),
  counts: importCountsSchema,
  /** When the present run began. */
  startedAt: instantSchema.nullable(),
  /** Why it stopped, and what to do. */
  failure: z.string(),
  startedByName: z.string(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type DataImport = z.infer<typeof importSchema>;

export const listImportsSchema = z.strictObject({ ...pageInputSchema.shape });
export const importPageSchema = pageOf(importSchema);

export const PROBLEM_KINDS = ["bad", "duplicate", "kept", "note"] as const;
export const importProblemSchema = z.object({
  kind: z.enum(PROBLEM_KINDS),
  /** The row as a spreadsheet numbers it: the headings are row 1. */
  row: z.number().int(),
  column: z.string(),
  value: z.string(),
  message: z.string(),
});
export type ImportProblem = z.infer<typeof importProblemSchema>;
export const listProblemsSchema = z.strictObject({ ...pageInputSchema.shape, id: idSchema });
export const problemPageSchema = pageOf(importProblemSchema);

export const undoResultSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("started") }),
  z.object({
    outcome: z.literal("changed"),
    total: z.number().int(),
    items: z.array(z.object({ row: z.number().int(), name: z.string(), reason: z.string() })),
  }),
]);
export type UndoResult = z.infer<typeof undoResultSchema>;
