// Paragraphs of Word, each of which says for itself how it is numbered and how deep, as lists within lists.
import type { DocumentBlock, DocumentListItem, WordBlock } from "@app/shared/document-content";
import type { WordNumbering } from "./word-model.ts";
import { startOf } from "./word-numbering.ts";

type List = Extract<WordBlock, { type: "bulletList" | "orderedList" }>;

interface Open {
  numbering: WordNumbering;
  list: List;
}

/** Takes blocks one after the other. `levelsMax` is how many lists may stand within each other. */
export function listsOf<Block extends DocumentBlock>(levelsMax: number) {
  const blocks: (Block | WordBlock)[] = [];
  /** From the outermost to the one that was last added to. */
  let open: Open[] = [];
  const counted = new Map<WordNumbering, number>();

  function begin(numbering: WordNumbering, depth: number): Open {
    const from = startOf(numbering.paragraphStyleId);
    // What interrupts a list does not end it: it goes on at the number at which it was.
    const start = depth === 0 ? (counted.get(numbering) ?? from) : from;
    const list: List = numbering.isOrdered
      ? { type: "orderedList", attrs: { start }, content: [] }
      : { type: "bulletList", content: [] };
    const parent = open.at(-1)?.list.content.at(-1);
    if (parent) parent.content.push(list);
    else blocks.push(list);
    if (!counted.has(numbering) || depth > 0) counted.set(numbering, start);
    return { numbering, list };
  }

  return {
    blocks,
    add(block: Block | WordBlock): void {
      open = [];
      blocks.push(block);
    },
    item(numbering: WordNumbering, block: WordBlock): void {
      const known = open.findIndex((one) => one.numbering === numbering);
      if (known >= 0) open = open.slice(0, known + 1);
      else {
        open = open.slice(0, Math.min(Number(numbering.level) || 0, levelsMax - 1));
        open = [...open, begin(numbering, open.length)];
      }
      const item: DocumentListItem = { type: "listItem", content: [block] };
      open.at(-1)?.list.content.push(item);
      counted.set(numbering, (counted.get(numbering) ?? 1) + 1);
    },
    /** A further paragraph of an item; false where there is no item so deep. */
    goOn(level: number, block: WordBlock): boolean {
      const item = open[level]?.list.content.at(-1);
      if (!item) return false;
      open = open.slice(0, level + 1);
      item.content.push(block);
      return true;
    },
  };
}
