// The words of a paragraph of Word, with what of their look is kept here.
import type { DocumentInline, DocumentMark } from "@app/shared/document-content";
import { isSafeHref } from "@app/shared/rich-text";
import { fieldsWithin } from "@app/shared/word-fields";
import type { WordImage, WordInline, WordRun } from "./word-model.ts";
import { STYLE_NAMES } from "./word-style-names.ts";

/** What could not be taken over, in words; each is told once. */
export type Left = Set<string>;

export const LEFT = {
  notes: "Footnotes and endnotes",
  comments: "Comments",
  links: "Links to a place in the document or to a file: their words are kept",
  raised: "Raised and lowered letters: they stand on the line",
  highlight: "Highlighting",
} as const;

/** What a paragraph holds, in its order: words, pictures between them, and ends of pages. */
export type Piece = { inline: DocumentInline } | { image: WordImage } | { pageBreak: true };

export function piecesOf(children: readonly WordInline[], left: Left): Piece[] {
  return joined(children.flatMap((child) => pieceOf(child, [], left))).flatMap(withFields);
}

function pieceOf(node: WordInline, marks: readonly DocumentMark[], left: Left): Piece[] {
  switch (node.type) {
    case "text":
      return textPiece(node.value, marks);
    case "tab":
      return textPiece("\t", marks);
    case "checkbox":
      return textPiece(node.checked ? "\u2611" : "\u2610", marks);
    case "break":
      return [node.breakType === "page" ? { pageBreak: true } : { inline: { type: "hardBreak" } }];
    case "image":
      return [{ image: node }];
    case "run": {
      const own = marksOf(node, marks, left);
      return node.children.flatMap((child) => pieceOf(child, own, left));
    }
    case "hyperlink": {
      const { href } = node;
      const isKept = href !== undefined && isSafeHref(href);
      if (!isKept) left.add(LEFT.links);
      const own = isKept ? withMark(marks, { type: "link", attrs: { href } }) : marks;
      return node.children.flatMap((child) => pieceOf(child, own, left));
    }
    case "noteReference":
      left.add(LEFT.notes);
      return [];
    case "commentReference":
      left.add(LEFT.comments);
      return [];
    default:
      return [];
  }
}

function textPiece(value: string, marks: readonly DocumentMark[]): Piece[] {
  const text = value.replaceAll(/[\r\n]+/g, " ");
  return text ? [{ inline: { type: "text", text, ...(marks.length > 0 && { marks: [...marks] }) } }] : [];
}

const withMark = (marks: readonly DocumentMark[], mark: DocumentMark): DocumentMark[] => [
  ...marks.filter(({ type }) => type !== mark.type),
  mark,
];

function marksOf(run: WordRun, given: readonly DocumentMark[], left: Left): DocumentMark[] {
  if (run.verticalAlignment !== "baseline") left.add(LEFT.raised);
  if (run.highlight) left.add(LEFT.highlight);
  const own: [boolean, Exclude<DocumentMark["type"], "link">][] = [
    [run.isBold, "bold"],
    [run.isItalic, "italic"],
    [run.isUnderline, "underline"],
    [run.isStrikethrough, "strike"],
    [run.styleName === STYLE_NAMES.code, "code"],
  ];
  return own.reduce<DocumentMark[]>((marks, [has, type]) => (has ? withMark(marks, { type }) : marks), [...given]);
}

/** Word cuts a text wherever somebody once stopped writing. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && "inline" in last && "inline" in piece && last.inline.type === "text" && piece.inline.type === "text") {
      if (isSame(last.inline.marks, piece.inline.marks)) {
        all[all.length - 1] = { inline: { ...last.inline, text: last.inline.text + piece.inline.text } };
        continue;
      }
    }
    all.push(piece);
  }
  return all;
}

const isSame = (one: readonly DocumentMark[] = [], other: readonly DocumentMark[] = []): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
const sorted = (marks: readonly DocumentMark[]) => marks.toSorted((one, other) => (one.type < other.type ? -1 : 1));

function withFields(piece: Piece): Piece[] {
  if (!("inline" in piece) || piece.inline.type !== "text") return [piece];
  const { text, marks } = piece.inline;
  const own = marks && { marks };
  return fieldsWithin(text).map((part) => ({
    inline: typeof part === "string" ? { type: "text", text: part, ...own } : { ...part, ...own },
  }));
}
