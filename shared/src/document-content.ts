// What a document or template holds, as the editor writes it: an allow-list. Anything else is refused where it is stored.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import {
  RICH_TEXT_MARKS_MAX,
  richTextInlineSchemas,
  type RichTextInline,
  type RichTextMark,
  richTextMarkSchema,
} from "./rich-text.ts";

/** Of the stored JSON, in characters: some 300 pages. */
export const DOCUMENT_MAX_LENGTH = 2_000_000;
export const DOCUMENT_DEPTH_MAX = 24;
export const DOCUMENT_NODES_MAX = 20_000;
export const TABLE_COLUMNS_MAX = 12;
export const TABLE_ROWS_MAX = 1000;
export const IMAGES_MAX = 40;
const FALLBACK_MAX_LENGTH = 200;
export const SAID_MAX_LENGTH = 500;
export const ALT_MAX_LENGTH = 200;
/** How wide a picture is drawn, of the room that it has. */
export const PICTURE_PERCENT = { min: 10, max: 100 };
/** How narrow a column may be drawn, and how wide. */
const COLUMN_PX = { min: 20, max: 2000 };

export const DOCUMENT_ALIGNMENTS = ["left", "center", "right", "justify"] as const;
export type DocumentAlignment = (typeof DOCUMENT_ALIGNMENTS)[number];
export const PICTURE_ALIGNMENTS = ["left", "center", "right"] as const;
export type PictureAlignment = (typeof PICTURE_ALIGNMENTS)[number];

export const CONDITION_TESTS = ["is-there", "is-missing"] as const;
export type ConditionTest = (typeof CONDITION_TESTS)[number];

/** What somebody chose from the list of fields, or once could. */
const pathSchema = z.string().regex(/^[\w.]{1,60}$/, "Choose a field from the list");

const mergeFieldSchema = z.strictObject({
  type: z.literal("mergeField"),
  attrs: z.strictObject({
    path: pathSchema,
    /** What stands there where the field has no value; empty where that must not be. */
    fallback: z.string().max(FALLBACK_MAX_LENGTH),
    /** What was put in when the document was made; null in a template, and where there was nothing. */
    said: z.string().max(SAID_MAX_LENGTH).nullable(),
  }),
  marks: z.array(richTextMarkSchema).max(RICH_TEXT_MARKS_MAX).exactOptional(),
});
export type MergeFieldNode = z.infer<typeof mergeFieldSchema>;

const inlineSchema = z.discriminatedUnion("type", [...richTextInlineSchemas, mergeFieldSchema]);
export type DocumentInline = RichTextInline | MergeFieldNode;
export type DocumentMark = RichTextMark;

const inlinesSchema = z.array(inlineSchema).exactOptional();
const alignSchema = z.enum(DOCUMENT_ALIGNMENTS).nullable().default(null);
const levelSchema = z.union([z.literal(1), z.literal(2), z.literal(3)]);
const startSchema = z.number().int().min(0).max(10_000).default(1);
const percentSchema = z.number().int().min(PICTURE_PERCENT.min).max(PICTURE_PERCENT.max);

// Written by hand: a type that contains itself cannot be inferred from its schema across packages.
type Inlines = DocumentInline[];
export interface DocumentListItem {
  type: "listItem";
  content: WordBlock[];
}
/** What is made of words: all that a list, a quotation or an item of a list may hold. */
export type WordBlock =
  | { type: "paragraph"; attrs: { textAlign: DocumentAlignment | null }; content?: Inlines }
  | { type: "heading"; attrs: { level: 1 | 2 | 3; textAlign: DocumentAlignment | null }; content?: Inlines }
  | { type: "bulletList"; content: DocumentListItem[] }
  | { type: "orderedList"; attrs: { start: number }; content: DocumentListItem[] }
  | { type: "blockquote"; content: WordBlock[] };
export interface ImageBlock {
  type: "image";
  attrs: {
    /** Of a picture that is kept for this text; never an address. */
    pictureId: string;
    /** What it shows, in words. */
    alt: string;
    /** It says nothing that the words do not, so it is not read out. */
    isDecorative: boolean;
    widthPercent: number;
    align: PictureAlignment;
  };
}
/** What a cell of a table may hold: no table within a table. */
export type CellBlock = WordBlock | { type: "horizontalRule" } | ImageBlock;
export interface TableCell {
  type: "tableCell" | "tableHeader";
  attrs: { colspan: number; rowspan: number; colwidth: number[] | null };
  content: CellBlock[];
}
export interface TableRow {
  type: "tableRow";
  content: TableCell[];
}
export interface TableBlock {
  type: "table";
  content: TableRow[];
}
export interface ConditionalBlock {
  type: "conditional";
  attrs: { path: string; test: ConditionTest };
  content: DocumentBlock[];
}
export interface RepeatBlock {
  type: "repeat";
  attrs: { over: string };
  content: DocumentBlock[];
}
export type DocumentBlock = CellBlock | { type: "pageBreak" } | TableBlock | ConditionalBlock | RepeatBlock;
export interface DocumentContent {
  type: "doc";
  content: DocumentBlock[];
}

type Schema<Kind> = z.ZodType<Kind, unknown>;

const wordsSchema: Schema<WordBlock[]> = z.lazy(() => z.array(wordBlockSchema).min(1));
const itemsSchema = z.array(z.strictObject({ type: z.literal("listItem"), content: wordsSchema })).min(1);
// The editor's other attributes are left out: nothing here has a use for them.
const wordSchemas = [
  z.strictObject({
    type: z.literal("paragraph"),
    attrs: z.strictObject({ textAlign: alignSchema }).default({ textAlign: null }),
    content: inlinesSchema,
  }),
  z.strictObject({
    type: z.literal("heading"),
    attrs: z.strictObject({ level: levelSchema, textAlign: alignSchema }),
    content: inlinesSchema,
  }),
  z.strictObject({ type: z.literal("bulletList"), content: itemsSchema }),
  z.strictObject({
    type: z.literal("orderedList"),
    attrs: z.strictObject({ start: startSchema }).default({ start: 1 }),
    content: itemsSchema,
  }),
  z.strictObject({ type: z.literal("blockquote"), content: wordsSchema }),
] as const;
const wordBlockSchema = z.discriminatedUnion("type", wordSchemas);

const cellSchemas = [
  ...wordSchemas,
  z.strictObject({ type: z.literal("horizontalRule") }),
  z.strictObject({
    type: z.literal("image"),
    attrs: z.strictObject({
      pictureId: idSchema,
      alt: z.string().max(ALT_MAX_LENGTH),
      isDecorative: z.boolean().default(false),
      widthPercent: percentSchema,
      align: z.enum(PICTURE_ALIGNMENTS).default("left"),
    }),
  }),
] as const;

const spanSchema = (max: number) => z.number().int().min(1).max(max).default(1);
const widthSchema = z.number().min(COLUMN_PX.min).max(COLUMN_PX.max);
const cellSchema: Schema<TableCell> = z.strictObject({
  type: z.enum(["tableCell", "tableHeader"]),
  attrs: z
    .strictObject({
      colspan: spanSchema(TABLE_COLUMNS_MAX),
      rowspan: spanSchema(TABLE_ROWS_MAX),
      colwidth: z.array(widthSchema).max(TABLE_COLUMNS_MAX).nullable().default(null),
    })
    .default({ colspan: 1, rowspan: 1, colwidth: null }),
  content: z.array(z.discriminatedUnion("type", cellSchemas)).min(1),
});
const rowSchema = z.strictObject({ type: z.literal("tableRow"), content: z.array(cellSchema).max(TABLE_COLUMNS_MAX) });

const blocksSchema: Schema<DocumentBlock[]> = z.lazy(() => z.array(blockSchema));
const blockSchema = z.discriminatedUnion("type", [
  ...cellSchemas,
  z.strictObject({ type: z.literal("pageBreak") }),
  z.strictObject({ type: z.literal("table"), content: z.array(rowSchema).min(1).max(TABLE_ROWS_MAX) }),
  z.strictObject({
    type: z.literal("conditional"),
    attrs: z.strictObject({ path: pathSchema, test: z.enum(CONDITION_TESTS) }),
    content: blocksSchema,
  }),
  z.strictObject({ type: z.literal("repeat"), attrs: z.strictObject({ over: pathSchema }), content: blocksSchema }),
]);

const docSchema: Schema<DocumentContent> = z.strictObject({ type: z.literal("doc"), content: z.array(blockSchema) });

/** Walks without recursion, so that what is nested a million times is refused and not followed. */
function isWithinLimits(value: unknown): boolean {
  let level: Node[] = [{ value, isRepeated: false }];
  let nodes = 0;
  let images = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    images += level.filter((node) => isOfType(node, "image")).length;
    if (depth > DOCUMENT_DEPTH_MAX || nodes > DOCUMENT_NODES_MAX || images > IMAGES_MAX) return false;
    // Each repeated within each would be more than anybody could print.
    if (level.some((node) => node.isRepeated && isOfType(node, "repeat"))) return false;
    level = level.flatMap(childrenOf);
  }
  return JSON.stringify(value)?.length <= DOCUMENT_MAX_LENGTH;
}

interface Node {
  value: unknown;
  isRepeated: boolean;
}

const isOfType = ({ value }: Node, type: string): boolean =>
  typeof value === "object" && value !== null && "type" in value && value.type === type;

function childrenOf(node: Node): Node[] {
  const { value } = node;
  if (typeof value !== "object" || value === null || !("content" in value)) return [];
  const isRepeated = node.isRepeated || isOfType(node, "repeat");
  return Array.isArray(value.content) ? value.content.map((child: unknown) => ({ value: child, isRepeated })) : [];
}

export const DOCUMENT_TOO_LARGE = `This is too long, is nested too deeply, has more than ${IMAGES_MAX} pictures, or repeats a part within a repeated one. Make two documents of it.`;

export const documentContentSchema = z
  .custom<DocumentContent>(isWithinLimits, DOCUMENT_TOO_LARGE)
  .transform((content): unknown => content)
  .pipe(docSchema);

export const EMPTY_DOCUMENT: DocumentContent = {
  type: "doc",
  content: [{ type: "paragraph", attrs: { textAlign: null } }],
};
