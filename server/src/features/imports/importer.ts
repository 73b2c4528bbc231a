// How the rows of a file become records: the same for every kind, and the same in the trial as in earnest.
import { cutText } from "@app/shared/cut-text";
import type { ImportCounts, ImportOptions, ImportProblem } from "@app/shared/imports";
import { inSlices } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { type CellProblem, readerOf, type RowReader, type SourceRow } from "./row-reader.ts";

const VALUE_MAX_LENGTH = 100;

/** What makes two records likely the same, and in which field a person sees it. */
export interface RowKey {
  key: string;
  field: string;
  /** Such as "the same email". */
  what: string;
}

/** What became of a row that could be read, once it was compared with what is stored. */
export type Resolved<Input> =
  /** With what there is to tell of it, although it is imported. */
  | { kind: "ready"; input: Input; note?: CellProblem }
  | { kind: "bad"; problem: CellProblem }
  /** Without an input it can only be skipped. */
  | { kind: "duplicate"; problem: CellProblem; input: Input | null };

/** It would show a colleague's own mail as that person's. */
export const OWN_ADDRESS: CellProblem = {
  field: "email",
  message: "This is the address of somebody who works here. Use the person’s own address.",
};

export interface Candidate<Draft> {
  row: SourceRow;
  draft: Draft;
}

interface Definition<Draft, Input> {
  /** Null where it cannot be read; the reader then holds why. */
  read: (reader: RowReader) => Draft | null;
  keysOf: (draft: Draft) => RowKey[];
  /** What becomes of each, by what is stored. */
  resolve: (scope: Scope, candidates: Candidate<Draft>[]) => Promise<Resolved<Input>[]>;
  /** Stores them all and gives their ids in the same order. */
  store: (scope: Scope, inputs: Input[]) => Promise<string[]>;
}

/** For each key of the rows before, the first row that had it. */
export type Seen = Map<string, number>;

export interface Batch {
  rows: SourceRow[];
  options: ImportOptions;
  headings: string[];
  seen: Seen;
}

/** A line of the report, with the stored record that it speaks of. */
export type ReportLine = ImportProblem & { recordId: string; recordName: string };

export interface Plan {
  problems: ReportLine[];
  counts: Pick<ImportCounts, "ready" | "duplicates" | "bad" | "empty">;
  readyRows: number[];
  store(scope: Scope): Promise<string[]>;
}

export interface Importer {
  plan(scope: Scope, batch: Batch): Promise<Plan>;
  /** Takes note of rows that an earlier run has done. */
  remember(batch: Batch): Promise<void>;
}

const isEmptyRow = ({ cells }: SourceRow): boolean => cells.every((cell) => cell.trim() === "");

type Tell = (kind: "bad" | "duplicate" | "note", row: SourceRow, problem: CellProblem) => void;

/** The rows that can be read; each other one goes to `report`, with every reason. */
async function* readable<Draft>(
  read: (reader: RowReader) => Draft | null,
  { rows, options, headings }: Batch,
  report: (row: SourceRow, problem: CellProblem) => void,
): AsyncGenerator<Candidate<Draft>> {
  for await (const row of inSlices(rows)) {
    const reader = readerOf(row, options);
    const draft = read(reader);
    const surplus = surplusProblem(row, headings);
    if (surplus) reader.problems.push(surplus);
    if (draft !== null && reader.problems.length === 0) yield { row, draft };
    else for (const problem of reader.problems) report(row, problem);
  }
}

/** Whether a row that can be read is imported; what there is to tell of it goes to `tell`. */
function judge<Input>(
  { row, keys }: { row: SourceRow; keys: RowKey[] },
  found: Resolved<Input>,
  { options, seen }: Batch,
  tell: Tell,
): Input | null {
  if (found.kind === "bad") {
    tell("bad", row, found.problem);
    return null;
  }
  // Of a row that is left out as bad there is no twin.
  const twin = seenBefore(seen, row.row, keys);
  const problem = twin ?? (found.kind === "duplicate" ? found.problem : null);
  const isSkipped = problem !== null && (options.duplicates === "skip" || found.input === null);
  if (problem) tell("duplicate", row, isSkipped ? problem : importedAllTheSame(problem));
  if (found.kind === "ready" && found.note && !isSkipped) tell("note", row, found.note);
  return isSkipped ? null : found.input;
}

export function importerOf<Draft, Input>({ read, keysOf, resolve, store }: Definition<Draft, Input>): Importer {
  async function plan(scope: Scope, batch: Batch): Promise<Plan> {
    const problems: ReportLine[] = [];
    const badRows = new Set<number>();
    const tell: Tell = (kind, row, problem) => {
      problems.push({ kind, ...reportLine(row, problem, batch) });
      if (kind === "bad") badRows.add(row.row);
    };
    const full = withoutEmpty(batch);
    const candidates: Candidate<Draft>[] = [];
    for await (const one of readable(read, full, (row, problem) => tell("bad", row, problem))) candidates.push(one);
    const resolved = await resolve(scope, candidates);
    const ready = candidates.flatMap(({ row, draft }, index) => {
      const found = resolved[index];
      if (!found) throw new Error("a row was not compared");
      const input = judge({ row, keys: keysOf(draft) }, found, batch, tell);
      return input === null ? [] : [{ row: row.row, input }];
    });
    const inputs = ready.map(({ input }) => input);
    const bad = badRows.size;
    return {
      problems,
      counts: {
        ready: ready.length,
        duplicates: full.rows.length - bad - ready.length,
        bad,
        empty: batch.rows.length - full.rows.length,
      },
      readyRows: ready.map(({ row }) => row),
      store: (as) => (inputs.length > 0 ? store(as, inputs) : Promise.resolve([])),
    };
  }

  return {
    plan,
    async remember(batch) {
      for await (const { row, draft } of readable(read, withoutEmpty(batch), () => {}))
        seenBefore(batch.seen, row.row, keysOf(draft));
    },
  };
}

const withoutEmpty = (batch: Batch): Batch => ({ ...batch, rows: batch.rows.filter((row) => !isEmptyRow(row)) });

const importedAllTheSame = (problem: CellProblem): CellProblem => ({
  ...problem,
  message: `${problem.message} It is imported all the same.`,
});

/** More cells than headings: a comma inside a text moved the rest one column on. */
function surplusProblem({ cells }: SourceRow, headings: string[]): CellProblem | null {
  const surplus = cells.slice(headings.length).find((cell) => cell.trim() !== "");
  if (surplus === undefined) return null;
  return {
    field: "",
    message: `This row has more cells than there are headings, from “${cutText(surplus, VALUE_MAX_LENGTH)}” on. Put quotation marks around a text that holds the separating sign.`,
  };
}

/** Notes the keys of a row, and tells of an earlier row that has one of them. */
function seenBefore(seen: Seen, row: number, keys: RowKey[]): CellProblem | null {
  let twin: CellProblem | null = null;
  for (const { key, field, what } of keys) {
    const before = seen.get(key);
    if (before === undefined) seen.set(key, row);
    else if (before < row) twin ??= { field, message: `Row ${before} has ${what}.` };
  }
  return twin;
}

function reportLine({ row, cells }: SourceRow, { field, message, twin }: CellProblem, { options, headings }: Batch) {
  const index = field ? options.columns.indexOf(field) : -1;
  return {
    row,
    column: headings[index] ?? "",
    value: cutText(cells[index] ?? "", VALUE_MAX_LENGTH),
    message,
    recordId: twin?.id ?? "",
    recordName: twin?.name ?? "",
  };
}
