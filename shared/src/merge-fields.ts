// What a mail to one person may say of them, their case and their meeting; documents say more (document-fields). No field tells of another party, but for who
// asks for an invitation, where they agreed to be named.
import type { RichText, RichTextBlock, RichTextInline } from "./rich-text.ts";

export const MERGE_FIELDS = {
  "client.firstName": "First name",
  "client.lastName": "Last name",
  "client.fullName": "Full name",
  "client.salutation": "Salutation",
  "case.reference": "Case reference",
  "case.takesPlace": "Whether mediation takes place",
  "invitation.replyBy": "Day by which to answer",
  "invitation.request": "Who asks for the invitation",
  "invitation.matter": "What the invitation is about",
  "meeting.date": "Day of the next meeting",
  "meeting.time": "Time of the next meeting",
  "meeting.place": "Place of the next meeting",
  "practice.name": "Name of the practice",
  "mediator.name": "Name of the mediator",
  "sender.name": "Your name",
  today: "Today’s date",
} as const;
export type MergeField = keyof typeof MERGE_FIELDS;
/** A field without a value is missing: a mail that uses it is not sent. */
export type MergeValues = Partial<Record<MergeField, string>>;

const FIELD = /\{\{\s*([\w.]+)\s*\}\}/g;

export const MERGE_PATHS = Object.keys(MERGE_FIELDS).filter(isMergeField);

export function isMergeField(path: string): path is MergeField {
  return Object.hasOwn(MERGE_FIELDS, path);
}

/** How a field stands in a text: subjects and bodies hold them alike. */
export const fieldMark = (path: MergeField): string => `{{${path}}}`;

interface Piece {
  text: string;
  /** The field that stands here; null for words. */
  path: string | null;
}

/** A text cut where fields begin and end. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of text.matchAll(FIELD)) {
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), path: null });
    pieces.push({ text: found[0], path: found[1] ?? "" });
    at = found.index + found[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), path: null });
  return pieces;
}

export interface Resolved<Content> {
  content: Content;
  /** Fields that have no value here, and names that are no field. */
  missing: string[];
  /** What was put into it, by field. */
  said: MergeValues;
}

/** Says what each field stands for, once or again, and keeps which were said and which had nothing to say. */
export function sayingFields<Path extends string>(values: Partial<Record<Path, string>>) {
  const missing = new Set<string>();
  const said: Partial<Record<Path, string>> = {};
  const isKnown = (path: string): path is Path => Object.hasOwn(values, path);
  return {
    /** Null where there is no value, or no such field. */
    say(path: string): string | null {
      const value = isKnown(path) ? values[path] : undefined;
      if (!isKnown(path) || !value) missing.add(path);
      else said[path] = value;
      return value || null;
    },
    told: () => ({ missing: [...missing], said }),
  };
}

type Fields = ReturnType<typeof sayingFields<MergeField>>;

const sayLine = (line: string, fields: Fields): string =>
  piecesOf(line)
    .map(({ text, path }) => (path === null ? text : (fields.say(path) ?? text)))
    .join("");

/** The line with each field's value in its place; a field without one stays as it is. */
export function resolveLine(line: string, values: MergeValues): Resolved<string> {
  const fields = sayingFields(values);
  const content = sayLine(line, fields);
  return { content, ...fields.told() };
}

/** The same for a body. */
export function resolveMergeFields(body: RichText, values: MergeValues): Resolved<RichText> {
  const fields = sayingFields(values);
  const resolveInline = (inline: RichTextInline): RichTextInline =>
    inline.type === "text" ? { ...inline, text: sayLine(inline.text, fields) } : inline;
  const content = body.content?.map((block) => withInlines(block, resolveInline));
  return { content: content ? { ...body, content } : body, ...fields.told() };
}

function withInlines(block: RichTextBlock, change: (inline: RichTextInline) => RichTextInline): RichTextBlock {
  const inBlocks = (blocks: RichTextBlock[]) => blocks.map((one) => withInlines(one, change));
  switch (block.type) {
    case "paragraph":
    case "heading":
      return block.content ? { ...block, content: block.content.map(change) } : block;
    case "bulletList":
    case "orderedList":
      return { ...block, content: block.content.map((item) => ({ ...item, content: inBlocks(item.content) })) };
    case "blockquote":
      return { ...block, content: inBlocks(block.content) };
    case "horizontalRule":
      return block;
  }
}
