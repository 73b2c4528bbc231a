// Two texts of a document side by side: which lines are new, gone, or other than before, and which words in them.
import type { DocumentContent } from "./document-content.ts";
import { fieldName } from "./document-fields.ts";
import { blocksIn, inlinesOf, wordsOf } from "./document-walk.ts";

export type Piece = { kind: "same" | "added" | "removed"; text: string };
/** A line that differs, as its pieces. */
export interface Difference {
  pieces: Piece[];
}

/** Of the lines that differ: more than that are not compared one with each other. */
const PAIRS_MAX = 2_000_000;

export interface Comparison {
  differences: Difference[];
  /** The words are the same, and how they are set is not. */
  isOnlyForm: boolean;
}

export function compareTexts(before: DocumentContent, after: DocumentContent): Comparison {
  const steps = stepsBetween(comparedLines(before), comparedLines(after));
  const differences = paired(steps);
  const isOnlyForm = differences.length === 0 && JSON.stringify(before) !== JSON.stringify(after);
  return { differences, isOnlyForm };
}

/** A picture is a line of what it shows. */
const comparedLines = ({ content }: DocumentContent): string[] =>
  [...blocksIn(content)].flatMap((block) => {
    if (block.type === "image") return [`[Picture: ${block.attrs.alt || "not described"}]`];
    const words = wordsOf(inlinesOf(block), (path) => `[${fieldName(path)}]`);
    return words === "" ? [] : [words];
  });

/** The same as a few words: what `own` says that `other` does not. */
export function ownWords(own: DocumentContent, other: DocumentContent): string {
  const { differences, isOnlyForm } = compareTexts(other, own);
  if (isOnlyForm) return "the same words, set in another way";
  return differences
    .map(({ pieces }) => {
      const said = pieces.filter(({ kind }) => kind !== "removed").map(({ text }) => text);
      return said.length > 0
        ? `“${said.join("").trim()}”`
        : `without “${pieces
            .map(({ text }) => text)
            .join("")
            .trim()}”`;
    })
    .join("; ");
}

/** A line that went and one that came in its place are one line that changed. */
function paired(steps: readonly Piece[]): Difference[] {
  const differences: Difference[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [was, is] = [removed[at], added[at]];
      if (was !== undefined && is !== undefined) differences.push({ pieces: wordsBetween(was, is) });
      else if (was !== undefined) differences.push({ pieces: [{ kind: "removed", text: was }] });
      else if (is !== undefined) differences.push({ pieces: [{ kind: "added", text: is }] });
    }
    removed = [];
    added = [];
  };
  for (const { kind, text } of steps) {
    if (kind === "same") flush();
    else (kind === "removed" ? removed : added).push(text);
  }
  flush();
  return differences;
}

const wordsBetween = (before: string, after: string): Piece[] =>
  joined(stepsBetween(before.split(/(?<= )/), after.split(/(?<= )/)));

function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.kind === piece.kind) all[all.length - 1] = { ...last, text: last.text + piece.text };
    else all.push(piece);
  }
  return all;
}

/** What stays, goes and comes, in order: the longest that both have in common stays. */
function stepsBetween(before: readonly string[], after: readonly string[]): Piece[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (texts: readonly string[]): Piece[] => texts.map((text) => ({ kind: "same", text }));
  return [
    ...same(before.slice(0, start)),
    ...between(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

function between(before: readonly string[], after: readonly string[]): Piece[] {
  const gone = before.map((text): Piece => ({ kind: "removed", text }));
  const come = after.map((text): Piece => ({ kind: "added", text }));
  if (before.length * after.length > PAIRS_MAX) return [...gone, ...come];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        before[row] === after[column]
          ? (common[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(common[(row + 1) * width + column] ?? 0, common[row * width + column + 1] ?? 0);
  const steps: Piece[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    const [was, is] = [before[row] ?? "", after[column] ?? ""];
    if (was === is) {
      steps.push({ kind: "same", text: was });
      row += 1;
      column += 1;
    } else if ((common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0)) {
      steps.push({ kind: "removed", text: was });
      row += 1;
    } else {
      steps.push({ kind: "added", text: is });
      column += 1;
    }
  }
  return [...steps, ...gone.slice(row), ...come.slice(column)];
}
