// How the templates that come with the product are written down: words, with a mark at the beginning of a line for what
// it is. A line that begins with {if path}, {unless path} or {each list} begins a part that {end} ends.
import type {
  CellBlock,
  DocumentBlock,
  DocumentContent,
  DocumentInline,
  DocumentListItem,
  TableCell,
  WordBlock,
} from "@app/shared/document-content";

const HEADINGS = [
  ["### ", 3],
  ["## ", 2],
  ["# ", 1],
] as const;
const MARKED = /\*\*([^*]+)\*\*|\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g;
/** How wide the words of a page are in the editor. */
const PAGE_PX = 528;
const PART = /^\{(if|unless|each) ([\w.]+)\}$/;

export function written(text: string): DocumentContent {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return { type: "doc", content: blocksOf(lines) };
}

/** Takes lines until all are taken, or the part that they stand in ends. */
function blocksOf(lines: string[]): DocumentBlock[] {
  const blocks: DocumentBlock[] = [];
  for (let line = lines.shift(); line !== undefined && line !== "{end}"; line = lines.shift())
    blocks.push(blockOf(line, lines));
  return blocks;
}

function blockOf(line: string, rest: string[]): DocumentBlock {
  const [, part, path = ""] = PART.exec(line) ?? [];
  if (part === "each") return { type: "repeat", attrs: { over: path }, content: blocksOf(rest) };
  if (part) {
    const test = part === "if" ? ("is-there" as const) : ("is-missing" as const);
    return { type: "conditional", attrs: { path, test }, content: blocksOf(rest) };
  }
  if (line === "---") return { type: "horizontalRule" };
  if (line === "===") return { type: "pageBreak" };
  const level = HEADINGS.find(([mark]) => line.startsWith(mark));
  if (level) return heading(line.slice(level[0].length), level[1]);
  if (line.startsWith("- ")) return { type: "bulletList", content: itemsOf([line, ...taken(rest, "- ")], 2) };
  if (line.startsWith("1. "))
    return { type: "orderedList", attrs: { start: 1 }, content: itemsOf([line, ...taken(rest, "1. ")], 3) };
  if (line.startsWith("> ")) return { type: "blockquote", content: [paragraph(line.slice(2))] };
  if (line.startsWith("| ")) return tableOf([line, ...taken(rest, "| ")]);
  return paragraph(line);
}

function taken(lines: string[], mark: string): string[] {
  const end = lines.findIndex((line) => !line.startsWith(mark));
  return lines.splice(0, end === -1 ? lines.length : end);
}

const itemsOf = (lines: readonly string[], mark: number): DocumentListItem[] =>
  lines.map((line) => ({ type: "listItem", content: [paragraph(line.slice(mark))] }));

/** The first row heads the others; what stands in it after a stroke is how wide its column is. */
function tableOf(lines: readonly string[]): DocumentBlock {
  const rows = lines.map((line) => line.split("|").slice(1, -1));
  const heads = (rows[0] ?? []).map((cell) => cell.split("/"));
  const given = heads.map(([, width = "1"]) => Number(width));
  const total = given.reduce((sum, width) => sum + width, 0);
  const widths = given.map((width) => Math.round((width / total) * PAGE_PX));
  const cellOf = (text: string, index: number, type: TableCell["type"]): TableCell => {
    const width = widths[index];
    const content: CellBlock[] = text === SIGN_HERE ? ROOM_TO_SIGN : [paragraph(text)];
    return { type, attrs: { colspan: 1, rowspan: 1, colwidth: width ? [width] : null }, content };
  };
  return {
    type: "table",
    content: rows.map((row, at) => ({
      type: "tableRow",
      content: row.map((cell, index) =>
        at === 0
          ? cellOf(heads[index]?.[0]?.trim() ?? "", index, "tableHeader")
          : cellOf(cell.trim(), index, "tableCell"),
      ),
    })),
  };
}

function paragraph(text: string): WordBlock {
  const content = inlinesOf(text);
  return { type: "paragraph", attrs: { textAlign: null }, ...(content.length > 0 && { content }) };
}

const SIGN_HERE = "___";
const ROOM_TO_SIGN = [paragraph(""), paragraph("")];

const heading = (text: string, level: 1 | 2 | 3): WordBlock => ({
  type: "heading",
  attrs: { level, textAlign: null },
  content: inlinesOf(text),
});

function inlinesOf(text: string): DocumentInline[] {
  const inlines: DocumentInline[] = [];
  const say = (words: string) => void (words && inlines.push({ type: "text", text: words }));
  let at = 0;
  for (const found of text.matchAll(MARKED)) {
    say(text.slice(at, found.index));
    const [, strong, path, fallback = ""] = found;
    if (strong) inlines.push({ type: "text", text: strong, marks: [{ type: "bold" }] });
    else inlines.push({ type: "mergeField", attrs: { path: path ?? "", fallback, said: null } });
    at = found.index + found[0].length;
  }
  say(text.slice(at));
  return inlines;
}
