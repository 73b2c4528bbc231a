// What a text says of the finances and the proposals of its case, beside what is recorded of them when it is finished.
import type { DocumentContent, DocumentInline, MergeFieldNode, TableBlock } from "@app/shared/document-content";
import {
  type EachValues,
  fieldName,
  isDocumentField,
  isOfRecord,
  type RepeatValues,
} from "@app/shared/document-fields";
import type { DocumentData } from "@app/shared/document-merge";
import { blocksIn, fieldsIn, inlinesOf } from "@app/shared/document-walk";
import { FINANCE_CATEGORIES } from "@app/shared/finance-categories";
import { TOGETHER } from "./finance-data.ts";

/** What stands in one row, or in one line outside of a table, by field; empty where a field had nothing to say. */
type SaidRow = Map<string, string>;
type NowRow = ReadonlyMap<string, string>;

/** Each thing that is not recorded so any more, or never was, in words: what the text says, and what is recorded now. */
export function changedSince(content: DocumentContent, { values, repeats }: DocumentData): string[] {
  const now = rowsOf(repeats, isOfFinances).concat(rowsOf(repeats, isOfProposals));
  const rows = saidRows(content).filter((row) => !now.some((one) => isSame(row, one)));
  const fields = fieldsIn(content).flatMap(({ attrs: { path, said } }) => {
    if (said === null || !path.startsWith("finances.") || !isDocumentField(path) || values[path] === said) return [];
    return [differs(fieldName(path), said, values[path] ?? "")];
  });
  return [...new Set([...fields, ...rows.map((row) => inWordsOf(row, now))])];
}

/** By name, what was disclosed in the parts that a statement shows, and is missing in it. */
export function leftOutOf(content: DocumentContent, { repeats }: DocumentData): string[] {
  const said = saidRows(content);
  const isSaid = (row: NowRow) => said.some((one) => isSame(one, row));
  const isTotalled = rowsOf(repeats, (over) => over === "finances.totals").some(isSaid);
  return FINANCE_CATEGORIES.flatMap((category) => {
    const rows = rowsOf(repeats, (over) => over === `finances.${category}`);
    if (!isTotalled && !rows.some(isSaid)) return [];
    return rows.filter((row) => row.get("each.thing") !== TOGETHER && !isSaid(row)).map(nameOf);
  });
}

/** Two proposals about one thing may both stand, or one was meant in the place of the other. */
export function doubtsIn(content: DocumentContent): string[] {
  const about = saidRows(content).flatMap((row) => row.get("each.proposalAbout") || []);
  const twice = about.filter((issue, index) => about.indexOf(issue) !== index);
  return [...new Set(twice)].map(
    (issue) => `More than one proposal is about “${cut(issue)}”. Check that each of them still stands.`,
  );
}

const isOfFinances = (over: string): boolean => over.startsWith("finances.");
const isOfProposals = (over: string): boolean => over.startsWith("proposals.");

const rowsOf = (repeats: RepeatValues, isAsked: (over: string) => boolean): NowRow[] =>
  Object.entries(repeats).flatMap(([over, rows]) => (isAsked(over) ? rows.map(rowNow) : []));
const rowNow = (row: EachValues): NowRow => new Map(Object.entries(row));

function saidRows({ content }: DocumentContent): SaidRow[] {
  const units = content.flatMap((block) =>
    block.type === "table" ? tableRows(block) : [...blocksIn([block])].map((one) => inlinesOf(one).filter(isField)),
  );
  return units.map(saidRow).filter(({ size }) => size > 0);
}

const isField = (inline: DocumentInline): inline is MergeFieldNode => inline.type === "mergeField";

const tableRows = ({ content }: TableBlock): MergeFieldNode[][] =>
  content.map((row) => fieldsIn({ type: "doc", content: row.content.flatMap((cell) => cell.content) }));

/** What is too long for one field stands in several, one after the other. */
function saidRow(fields: readonly MergeFieldNode[]): SaidRow {
  const row: SaidRow = new Map();
  for (const { attrs } of fields)
    if (isOfRecord(attrs.path)) row.set(attrs.path, `${row.get(attrs.path) ?? ""}${attrs.said ?? ""}`);
  return row;
}

const isSame = (said: SaidRow, now: NowRow): boolean =>
  [...said].every(([path, words]) => words === (now.get(path) ?? ""));

const NAMING = ["each.thing", "each.proposalAbout", "each.question"];

const nameOf = (row: NowRow): string => {
  const path = NAMING.find((one) => row.get(one));
  return `“${cut(path ? (row.get(path) ?? "") : ([...row.values()].find(Boolean) ?? ""))}”`;
};

/** Beside the row of the same thing that says the most of it. */
function inWordsOf(said: SaidRow, now: readonly NowRow[]): string {
  const sameIn = (row: NowRow) => [...said].filter(([path, words]) => words === (row.get(path) ?? "")).length;
  const ofSame = now.filter((row) => NAMING.some((path) => said.get(path) && said.get(path) === row.get(path)));
  const [nearest] = ofSame.toSorted((one, other) => sameIn(other) - sameIn(one));
  if (!nearest) return `${nameOf(said)} is not recorded so any more`;
  const changed = [...said].filter(([path, words]) => words !== (nearest.get(path) ?? ""));
  return changed
    .map(([path, words]) => `${nameOf(said)}, ${differs(fieldName(path), words, nearest.get(path) ?? "")}`)
    .join("; ");
}

const differs = (name: string, said: string, now: string): string =>
  `${name}: ${said ? `“${cut(said)}”` : "nothing"} here, ${now ? `“${cut(now)}”` : "nothing"} now`;

const WORDS_MAX = 80;
const cut = (words: string): string =>
  words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX).trimEnd()}…` : words.replaceAll("\n", ", ");
