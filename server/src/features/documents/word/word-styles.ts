// How a Word document of ours looks.
import { AlignmentType, BorderStyle, type IStylesOptions, LevelFormat } from "docx";
import type { WordList } from "./word-blocks.ts";
import { continueName, continueStyle, LEVELS_MAX, STYLE_NAMES, STYLES } from "./word-style-names.ts";

const INDENT = 425;
const HANGING = 340;
const FONT = "Arial";
const INK = "18201F";

const levels = Array.from({ length: LEVELS_MAX }, (_, level) => level);
const leftOf = (level: number): number => INDENT * (level + 1);

export const WORD_STYLES: IStylesOptions = {
  default: {
    document: { run: { font: FONT, size: 20, color: INK }, paragraph: { spacing: { after: 120, line: 276 } } },
    heading1: {
      run: { size: 32, bold: true, color: INK },
      paragraph: { spacing: { before: 320, after: 120 }, keepNext: true },
    },
    heading2: {
      run: { size: 25, bold: true, color: INK },
      paragraph: { spacing: { before: 260, after: 100 }, keepNext: true },
    },
    heading3: {
      run: { size: 21, bold: true, color: INK },
      paragraph: { spacing: { before: 200, after: 80 }, keepNext: true },
    },
    hyperlink: { run: { color: "0B5C5A", underline: {} } },
    listParagraph: { paragraph: { spacing: { after: 60 } } },
  },
  paragraphStyles: [
    {
      id: STYLES.quote,
      name: STYLE_NAMES.quote,
      basedOn: "Normal",
      paragraph: {
        indent: { left: INDENT },
        border: { left: { style: BorderStyle.SINGLE, size: 12, color: "CDD4D3", space: 8 } },
      },
    },
    {
      id: STYLES.rule,
      name: STYLE_NAMES.rule,
      basedOn: "Normal",
      paragraph: { border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: "C8D0CF", space: 1 } } },
    },
    { id: STYLES.part, name: STYLE_NAMES.part, basedOn: "Normal", run: { color: "0B5C5A", size: 18 } },
    { id: STYLES.privilege, name: STYLE_NAMES.privilege, basedOn: "Normal", run: { size: 16, color: "5F6B69" } },
    { id: STYLES.tableHead, name: STYLE_NAMES.tableHead, basedOn: "Normal", run: { bold: true } },
    {
      id: STYLES.gap,
      name: STYLE_NAMES.gap,
      basedOn: "Normal",
      paragraph: { spacing: { before: 0, after: 0, line: 120 } },
    },
    ...levels.map((level) => ({
      id: continueStyle(level),
      name: continueName(level),
      basedOn: "Normal",
      paragraph: { indent: { left: leftOf(level) }, spacing: { after: 60 } },
    })),
  ],
  characterStyles: [{ id: STYLES.code, name: STYLE_NAMES.code, run: { font: "Courier New" } }],
};

/** How each list is counted: for itself, so that none goes on where another ended. */
export const numberingOf = (lists: readonly WordList[]) => ({
  config: lists.map(({ reference, start }) => ({
    reference,
    levels: levels.map((level) => ({
      level,
      format: start === null ? LevelFormat.BULLET : LevelFormat.DECIMAL,
      text: start === null ? "\u2022" : `%${level + 1}.`,
      start: start ?? 1,
      alignment: AlignmentType.LEFT,
      style: { paragraph: { indent: { left: leftOf(level), hanging: HANGING } } },
    })),
  })),
});
