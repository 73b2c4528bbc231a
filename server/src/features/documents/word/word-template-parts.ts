// Parts of a template that stay, go or come again, from the lines between which they stand in Word.
import type { DocumentBlock } from "@app/shared/document-content";
import { isRepeatOver } from "@app/shared/document-fields";
import { inlinesOf, wordsOf } from "@app/shared/document-walk";

type Part = Extract<DocumentBlock, { type: "conditional" | "repeat" }>;

const BEGINS = /^\{\{#(if|unless|each) ([\w.]{1,60})\}\}$/;
const ENDS = /^\{\{\/(if|unless|each)\}\}$/;

interface Open {
  word: string;
  line: DocumentBlock;
  part: Part | null;
  blocks: DocumentBlock[];
}

/** What has a beginning and no end, or is no part, stays as it stands. */
export function partsAgain(blocks: readonly DocumentBlock[]): DocumentBlock[] {
  const open: Open[] = [{ word: "", line: { type: "pageBreak" }, part: null, blocks: [] }];
  const add = (...more: DocumentBlock[]) => open.at(-1)?.blocks.push(...more);
  for (const block of blocks) {
    const line = block.type === "paragraph" ? wordsOf(inlinesOf(block)) : "";
    const [, begins, path = ""] = BEGINS.exec(line) ?? [];
    const part = begins === undefined ? null : partOf(begins, path, open);
    if (begins !== undefined && part) {
      open.push({ word: begins, line: block, part, blocks: [] });
      continue;
    }
    const [, ends] = ENDS.exec(line) ?? [];
    const last = open.at(-1);
    if (ends === undefined || !last?.part || last.word !== ends || last.blocks.length === 0) {
      add(block);
      continue;
    }
    open.pop();
    add(closed(last.part, last.blocks));
  }
  while (open.length > 1) {
    const last = open.pop();
    if (last) add(last.line, ...last.blocks);
  }
  return open[0]?.blocks ?? [];
}

/** Each within each would be more than anybody could print. */
function partOf(word: string, path: string, open: readonly Open[]): Part | null {
  if (word !== "each") {
    const test = word === "if" ? ("is-there" as const) : ("is-missing" as const);
    return { type: "conditional", attrs: { path, test }, content: [] };
  }
  if (!isRepeatOver(path) || open.some(({ part }) => part?.type === "repeat")) return null;
  return { type: "repeat", attrs: { over: path }, content: [] };
}

const closed = (part: Part, content: DocumentBlock[]): DocumentBlock => ({ ...part, content });
