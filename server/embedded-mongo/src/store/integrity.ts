// Compares rows with their sums and every index with keys computed anew, and lets SQLite check its own pages.
import { createCatalogue } from "./catalogue.ts";
import { checkCollection, MOST_PROBLEMS } from "./check-collection.ts";
import { sumOf } from "./checksum.ts";
import {
  areSumsWhole,
  definitionOf,
  formatOf,
  hasSums,
  SUMMED_COLUMNS,
  SUMMED_TABLES,
  type SummedTable,
} from "./schema.ts";
import type { Connection } from "./sqlite-file.ts";

const PAGE = 500;

/** One line for each thing that is wrong; none for a sound file. What cannot be read at all hides nothing else. */
export function checkFile(main: Connection, onlyCollection?: number): string[] {
  const found: string[] = [];
  const look = (where: string, check: () => string[]): void => {
    if (found.length >= MOST_PROBLEMS) return;
    try {
      found.push(...check());
    } catch (error) {
      found.push(`${where} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  look("the file", () => checkPages(main));
  look("the list of tables", () => checkDefinitions(main));
  look("the description of the file", () => checkDescription(main));
  for (const table of hasSums(main) ? SUMMED_TABLES : []) look(table, () => checkSums(main, table));
  look("the list of collections", () => {
    const problems: string[] = [];
    // Its own catalogue, read from the file, so that nothing in memory can hide a difference.
    for (const collection of createCatalogue(
      main,
      () => 0,
      (problem) => problems.push(problem),
    ).all())
      if (onlyCollection === undefined || collection.id === onlyCollection)
        look(collection.ns, () => checkCollection(main, collection));
    return problems;
  });
  return found;
}

export const checkPages = (main: Connection): string[] =>
  main
    .all("PRAGMA integrity_check(20)")
    .map((row) => String(row["integrity_check"]))
    .filter((line) => line !== "ok");

/** A table that is called or defined otherwise than it was made is not the one that it is taken for. */
function checkDefinitions(main: Connection): string[] {
  const format = formatOf(main);
  const tables = main.all("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_auto%'");
  const wanted = new Set(["_meta", "_coll", "_idx", "_retry", "oplog", "sqlite_sequence"]);
  for (const { id } of main.all("SELECT id FROM _coll")) wanted.add(`c${Number(id)}`);
  for (const { id } of main.all("SELECT id FROM _idx")) wanted.add(`i${Number(id)}`);
  const strange = tables.filter(
    ({ type, name, tbl_name: of, sql }) =>
      type !== "table" || of !== name || !wanted.delete(String(name)) || sql !== definitionOf(String(name), format),
  );
  return [
    ...strange.map(({ name }) => `the table ${String(name)} is not as it was made`),
    ...[...wanted].map((name) => `the table ${name} is missing`),
  ];
}

const SEQUENCES = { _coll: "id", _idx: "id", oplog: "seq" } as const;

function checkDescription(main: Connection): string[] {
  const known = main.number(
    "SELECT COUNT(*) FROM _meta WHERE (k = 'format' AND v IN (1, 2)) OR (k = 'sums' AND v = 'all')",
  );
  const problems = known === main.number("SELECT COUNT(*) FROM _meta") ? [] : ["what describes the file is changed"];
  for (const [table, column] of Object.entries(SEQUENCES)) {
    const last = main.number(`SELECT COALESCE(MAX(${column}), 0) FROM ${table}`);
    const given = main.number("SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = ?", table);
    if (given < last) problems.push(`${table} would give numbers again that it has given`);
  }
  return problems;
}

function checkSums(main: Connection, table: SummedTable): string[] {
  const areWhole = areSumsWhole(main);
  const columns = SUMMED_COLUMNS[table];
  let wrong = 0;
  for (let offset = 0; ; offset += PAGE) {
    const rows = main.all(`SELECT * FROM ${table} ORDER BY 1 LIMIT ? OFFSET ?`, PAGE, offset);
    for (const row of rows) {
      const isSound = row["s"] === null ? !areWhole : row["s"] === sumOf(columns.map((column) => row[column]));
      if (!isSound) wrong += 1;
    }
    if (rows.length < PAGE) return wrong === 0 ? [] : [`${table}: ${wrong} rows are not as they were written`];
  }
}
