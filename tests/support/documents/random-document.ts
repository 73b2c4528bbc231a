// Random texts of the editor, of all that Word has a word for.
import type {
  CellBlock,
  DocumentAlignment,
  DocumentBlock,
  DocumentContent,
  DocumentInline,
  DocumentMark,
  TableBlock,
  TableCell,
  WordBlock,
} from "@app/shared/document-content";
import fc from "fast-check";

const alignment = fc.option(fc.constantFrom<DocumentAlignment>("left", "center", "right", "justify"));
const words = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}{}\uFFFE\uFFFF]/gu, "x").normalize("NFC"));
const marks = fc.uniqueArray(
  fc.constantFrom<DocumentMark>(
    { type: "bold" },
    { type: "italic" },
    { type: "underline" },
    { type: "strike" },
    { type: "code" },
    { type: "link", attrs: { href: "https://example.org/a?b=1&c=<2>".replace(/[<>]/g, "") } },
    { type: "link", attrs: { href: "mailto:maya@example.org" } },
  ),
  { selector: ({ type }) => type, maxLength: 4 },
);
const inline: fc.Arbitrary<DocumentInline> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("text" as const), text: words, marks }) },
  { weight: 1, arbitrary: fc.constant({ type: "hardBreak" as const }) },
);
const inlines = fc.array(inline, { maxLength: 5 });

const paragraph: fc.Arbitrary<WordBlock> = fc.record({
  type: fc.constant("paragraph" as const),
  attrs: fc.record({ textAlign: alignment }),
  content: inlines,
});
const heading: fc.Arbitrary<WordBlock> = fc.record({
  type: fc.constant("heading" as const),
  attrs: fc.record({ level: fc.constantFrom(1 as const, 2 as const, 3 as const), textAlign: alignment }),
  content: inlines,
});

/** Lists within lists, each item with further paragraphs. */
function list(depth: number): fc.Arbitrary<WordBlock> {
  const inner =
    depth === 0 ? paragraph : fc.oneof({ weight: 2, arbitrary: paragraph }, { weight: 1, arbitrary: list(depth - 1) });
  const item = fc.tuple(paragraph, fc.array(inner, { maxLength: 2 })).map(([first, rest]) => ({
    type: "listItem" as const,
    content: [first, ...rest],
  }));
  const content = fc.array(item, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    fc.record({ type: fc.constant("bulletList" as const), content }),
    fc.record({
      type: fc.constant("orderedList" as const),
      attrs: fc.record({ start: fc.integer({ min: 0, max: 40 }) }),
      content,
    }),
  );
}

const cellContent: fc.Arbitrary<CellBlock[]> = fc.array(
  fc.oneof({ weight: 4, arbitrary: paragraph }, { weight: 1, arbitrary: list(1) }),
  { minLength: 1, maxLength: 2 },
);

const table: fc.Arbitrary<TableBlock> = fc
  .record({
    columns: fc.integer({ min: 1, max: 4 }),
    rows: fc.integer({ min: 1, max: 4 }),
    hasHead: fc.boolean(),
    joined: fc.constantFrom("none", "across", "down"),
    contents: fc.infiniteStream(cellContent),
  })
  .map(({ columns, rows, hasHead, joined, contents }) => {
    const cell = (row: number, colspan = 1, rowspan = 1): TableCell => ({
      type: hasHead && row === 0 ? "tableHeader" : "tableCell",
      attrs: { colspan, rowspan, colwidth: null },
      content: contents.next().value,
    });
    const grid = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, () => cell(row)));
    const last = grid.at(-1);
    if (joined === "across" && columns > 1) last?.splice(0, 2, cell(rows - 1, 2));
    if (joined === "down" && rows > 2 && columns > 1) {
      grid[rows - 2]?.splice(0, 1, cell(rows - 2, 1, 2));
      last?.splice(0, 1);
    }
    return { type: "table", content: grid.map((content) => ({ type: "tableRow" as const, content })) };
  });

const block: fc.Arbitrary<DocumentBlock> = fc.oneof(
  { weight: 4, arbitrary: paragraph },
  { weight: 2, arbitrary: heading },
  { weight: 3, arbitrary: list(3) },
  { weight: 2, arbitrary: table },
  { weight: 1, arbitrary: fc.constant({ type: "horizontalRule" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "pageBreak" as const }) },
);

export const randomDocument: fc.Arbitrary<DocumentContent> = fc
  .array(block, { minLength: 1, maxLength: 8 })
  .map((content) => ({ type: "doc", content }));

/** One way to write what reads the same: no empty lists of marks, marks in one order, and texts of one look as one. */
export const inOneForm = (content: unknown): unknown =>
  JSON.parse(JSON.stringify(content), (_key, value: unknown) => {
    if (!isInlines(value)) return value;
    return value.reduce<Inline[]>((all, one) => {
      const last = all.at(-1);
      const own = { ...one, ...(one.type === "text" && { marks: sorted(one.marks ?? []) }) };
      if (last?.type !== "text" || own.type !== "text" || JSON.stringify(last.marks) !== JSON.stringify(own.marks))
        return [...all, own];
      return [...all.slice(0, -1), { ...last, text: `${last.text}${own.text}` }];
    }, []);
  });

interface Inline {
  type: string;
  text?: string;
  marks?: DocumentMark[];
}
const sorted = (given: readonly DocumentMark[]) => given.toSorted((one, other) => (one.type < other.type ? -1 : 1));
const isInlines = (value: unknown): value is Inline[] =>
  Array.isArray(value) && value.every((one) => one?.type === "text" || one?.type === "hardBreak") && value.length > 0;
