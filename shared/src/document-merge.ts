// A template becomes a document: each field says its value, and parts stay, go, or come again for each person.
import type {
  CellBlock,
  ConditionalBlock,
  DocumentBlock,
  DocumentContent,
  DocumentInline,
  RepeatBlock,
  TableBlock,
  TableRow,
  WordBlock,
} from "./document-content.ts";
import { type DocumentValues, type EachValues, isRepeatOver, REPEATS, type RepeatValues } from "./document-fields.ts";
import { SAID_MAX_LENGTH } from "./document-content.ts";
import { type Resolved as Merged, sayingFields } from "./merge-fields.ts";

export interface DocumentData {
  values: DocumentValues;
  repeats: RepeatValues;
}

export type ResolvedDocument = Omit<Merged<DocumentContent>, "said"> & {
  /** What was put in, by field, for the history of the document. */
  said: DocumentValues;
};

interface Saying {
  fields: ReturnType<typeof sayingFields<keyof DocumentValues>>;
  data: DocumentData;
  /** Of whom a repeated part is being written. */
  each: EachValues | null;
  missing: Set<string>;
}

/** With each value in its place. A field that has none and no words instead stays, and is named. */
export function resolveDocument({ content }: DocumentContent, data: DocumentData): ResolvedDocument {
  const missing = new Set<string>();
  const fields = sayingFields(data.values);
  const blocks = content.flatMap((block) => resolveBlock(block, { fields, data, each: null, missing }));
  const { said } = fields.told();
  return {
    content: { type: "doc", content: blocks.length > 0 ? blocks : [{ type: "paragraph", attrs: { textAlign: null } }] },
    missing: [...missing],
    said,
  };
}

function resolveBlock(block: DocumentBlock, saying: Saying): DocumentBlock[] {
  switch (block.type) {
    case "conditional":
      return isMet(block, saying) ? block.content.flatMap((one) => resolveBlock(one, saying)) : [];
    case "repeat":
      return repeated(block, saying);
    case "table":
      return [{ ...block, content: block.content.map((row) => resolveRow(row, saying)) }];
    case "pageBreak":
      return [block];
    default:
      return [resolveCellBlock(block, saying)];
  }
}

const resolveRow = (row: TableRow, saying: Saying): TableRow => ({
  ...row,
  content: row.content.map((cell) => ({
    ...cell,
    content: cell.content.map((one) => resolveCellBlock(one, saying)),
  })),
});

function resolveCellBlock(block: CellBlock, saying: Saying): CellBlock {
  return block.type === "horizontalRule" || block.type === "image" ? block : resolveWords(block, saying);
}

function resolveWords(block: WordBlock, saying: Saying): WordBlock {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return block.content
        ? { ...block, content: block.content.flatMap((inline) => resolveInline(inline, saying)) }
        : block;
    case "bulletList":
    case "orderedList":
      return {
        ...block,
        content: block.content.map((item) => ({
          ...item,
          content: item.content.map((one) => resolveWords(one, saying)),
        })),
      };
    case "blockquote":
      return { ...block, content: block.content.map((one) => resolveWords(one, saying)) };
  }
}

function resolveInline(inline: DocumentInline, saying: Saying): DocumentInline[] {
  if (inline.type !== "mergeField") return [inline];
  const { path, fallback } = inline.attrs;
  const said = valueOf(path, saying);
  if (said === null && fallback === "") saying.missing.add(path);
  const parts = said === null ? [null] : partsOf(said);
  return parts.map((part) => ({ ...inline, attrs: { ...inline.attrs, said: part } }));
}

/** What is longer than one field holds stands in several, one after the other: nothing of it is left out. */
function partsOf(said: string): string[] {
  const parts: string[] = [];
  for (let rest = said; rest !== "";) {
    const space = rest.length > SAID_MAX_LENGTH ? rest.lastIndexOf(" ", SAID_MAX_LENGTH - 1) : -1;
    const part = rest.length > SAID_MAX_LENGTH ? rest.slice(0, space > 0 ? space + 1 : SAID_MAX_LENGTH) : rest;
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts;
}

function valueOf(path: string, { fields, each }: Saying): string | null {
  if (!path.startsWith("each.")) return fields.say(path);
  return (each && Object.entries(each).find(([field]) => field === path)?.[1]) || null;
}

/** What is asked of a list is whether there is anybody in it. */
function isMet({ attrs: { path, test } }: ConditionalBlock, saying: Saying): boolean {
  const isThere = isRepeatOver(path)
    ? (saying.data.repeats[path] ?? []).length > 0
    : valueOf(path, { ...saying, fields: sayingFields(saying.data.values) }) !== null;
  return test === "is-there" ? isThere : !isThere;
}

function repeated({ attrs: { over }, content }: RepeatBlock, saying: Saying): DocumentBlock[] {
  const all = isRepeatOver(over) ? (saying.data.repeats[over] ?? []) : [];
  if (isRepeatOver(over) && REPEATS[over].isRows) return all.length > 0 ? inRows(content, all, saying) : [];
  return all.flatMap((each) => content.flatMap((block) => resolveBlock(block, { ...saying, each })));
}

/** Once, with a row of its tables for each. */
const inRows = (content: readonly DocumentBlock[], all: readonly EachValues[], saying: Saying): DocumentBlock[] =>
  content.flatMap((block) => (block.type === "table" ? [tableOf(block, all, saying)] : resolveBlock(block, saying)));

const tableOf = (table: TableBlock, all: readonly EachValues[], saying: Saying): TableBlock => ({
  ...table,
  content: table.content.flatMap((row) =>
    row.content.every(({ type }) => type === "tableHeader")
      ? [resolveRow(row, saying)]
      : all.map((each) => resolveRow(row, { ...saying, each })),
  ),
});
