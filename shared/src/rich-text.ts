// What the editor may write and the page may draw: an allow-list. Anything else is refused where it is stored.
import { z } from "zod";

/** Of the stored JSON, in characters. */
export const RICH_TEXT_MAX_LENGTH = 50_000;
export const RICH_TEXT_DEPTH_MAX = 12;
const HREF_MAX_LENGTH = 2000;

const SAFE_HREF = /^(https?:\/\/[^\s<>"\\]+|mailto:[^\s<>"\\]+|tel:[+\d ().-]+)$/i;

/** Whether a link may lead there: a web page, an address or a phone number, and nothing that runs. */
export const isSafeHref = (href: string): boolean => href.length <= HREF_MAX_LENGTH && SAFE_HREF.test(href);

const MARKS = ["bold", "italic", "underline", "strike", "code"] as const;
/** Each once, and a link. */
export const RICH_TEXT_MARKS_MAX = MARKS.length + 1;

export const richTextMarkSchema = z.union([
  z.strictObject({ type: z.enum(MARKS) }),
  z.strictObject({
    type: z.literal("link"),
    // The editor's other attributes (target, rel, class) are the page's to decide, and are left out.
    attrs: z.object({ href: z.string().refine(isSafeHref, "Use a link that begins with https, mailto or tel") }),
  }),
]);
export type RichTextMark = z.infer<typeof richTextMarkSchema>;

/** Words, and breaks within a paragraph. */
export const richTextInlineSchemas = [
  z.strictObject({
    type: z.literal("text"),
    text: z.string().min(1),
    marks: z.array(richTextMarkSchema).max(RICH_TEXT_MARKS_MAX).exactOptional(),
  }),
  z.strictObject({ type: z.literal("hardBreak") }),
] as const;
const inlineSchema = z.discriminatedUnion("type", richTextInlineSchemas);
export type RichTextInline = z.infer<typeof inlineSchema>;

// Written by hand: a type that contains itself cannot be inferred from its schema across packages.
type Inlines = RichTextInline[];
export interface RichTextListItem {
  type: "listItem";
  content: RichTextBlock[];
}
export type RichTextBlock =
  | { type: "paragraph"; content?: Inlines }
  | { type: "heading"; attrs: { level: 1 | 2 | 3 }; content?: Inlines }
  | { type: "bulletList"; content: RichTextListItem[] }
  | { type: "orderedList"; attrs?: { start: number }; content: RichTextListItem[] }
  | { type: "blockquote"; content: RichTextBlock[] }
  | { type: "horizontalRule" };

const inlinesSchema = z.array(inlineSchema).exactOptional();
const blocksSchema: z.ZodType<RichTextBlock[], RichTextBlock[]> = z.lazy(() => z.array(blockSchema));
const listItemSchema = z.strictObject({ type: z.literal("listItem"), content: blocksSchema });

const blockSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("paragraph"), content: inlinesSchema }),
  z.strictObject({
    type: z.literal("heading"),
    attrs: z.strictObject({ level: z.union([z.literal(1), z.literal(2), z.literal(3)]) }),
    content: inlinesSchema,
  }),
  z.strictObject({ type: z.literal("bulletList"), content: z.array(listItemSchema).min(1) }),
  z.strictObject({
    type: z.literal("orderedList"),
    attrs: z.object({ start: z.number().int().min(0).max(10_000) }).exactOptional(),
    content: z.array(listItemSchema).min(1),
  }),
  z.strictObject({ type: z.literal("blockquote"), content: blocksSchema }),
  z.strictObject({ type: z.literal("horizontalRule") }),
]);

export interface RichText {
  type: "doc";
  content?: RichTextBlock[];
}
const docSchema: z.ZodType<RichText, RichText> = z.strictObject({
  type: z.literal("doc"),
  content: z.array(blockSchema).exactOptional(),
});

/** Walks without recursion, so that what is nested a million times is refused and not followed. */
function isWithinLimits(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > RICH_TEXT_DEPTH_MAX) return false;
    level = level.flatMap(childrenOf);
  }
  return JSON.stringify(value)?.length <= RICH_TEXT_MAX_LENGTH;
}

function childrenOf(node: unknown): unknown[] {
  if (typeof node !== "object" || node === null || !("content" in node)) return [];
  return Array.isArray(node.content) ? node.content : [];
}

export const richTextSchema = z
  .custom<RichText>(isWithinLimits, "This text is too long or nested too deeply. Shorten it, or make two of it.")
  .pipe(docSchema);

export const EMPTY_RICH_TEXT: RichText = { type: "doc", content: [{ type: "paragraph" }] };

export const paragraphOf = (text: string): RichTextBlock => ({ type: "paragraph", content: [{ type: "text", text }] });

/** An address by itself, to press. */
export const linkOf = (href: string): RichTextBlock => ({
  type: "paragraph",
  content: [{ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }],
});

/** What somebody wrote to stand in a letter: a paragraph for each line that says something. */
export const paragraphsOf = (words: string): RichTextBlock[] =>
  words.split(/\n+/).flatMap((line) => (line.trim() ? [paragraphOf(line.trim())] : []));

/** A text as the editor would have written it: a paragraph for each line. */
export const richTextOf = (text: string): RichText => ({
  type: "doc",
  content: text.split("\n").map((line) => ({
    type: "paragraph",
    ...(line ? { content: [{ type: "text", text: line } as const] } : {}),
  })),
});

/** The words alone, a line for each paragraph: for search, for lists and for what is compared. */
export const plainText = (doc: RichText): string => (doc.content ?? []).map(textOfBlock).join("\n").trim();

function textOfBlock(block: RichTextBlock): string {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return (block.content ?? []).map((inline) => (inline.type === "text" ? inline.text : "\n")).join("");
    case "bulletList":
    case "orderedList":
      return block.content.map((item) => item.content.map(textOfBlock).join("\n")).join("\n");
    case "blockquote":
      return block.content.map(textOfBlock).join("\n");
    case "horizontalRule":
      return "";
  }
}

export const isEmptyRichText = (doc: RichText): boolean => plainText(doc) === "";
