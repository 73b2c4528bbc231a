// Words become lines: broken between words, after a dash or a stroke, and within what is wider than the line.
import type { Face } from "./pdf-fonts.ts";

export interface Style {
  face: Face;
  size: number;
  color: readonly [number, number, number];
  isUnderlined?: boolean;
  isStruck?: boolean;
  href?: string;
}
export interface Run extends Style {
  text: string;
}

export interface Piece {
  style: Style;
  text: string;
  width: number;
  isSpace: boolean;
}
export interface Line {
  pieces: Piece[];
  width: number;
  /** Of the largest letters in it. */
  size: number;
  /** Nothing follows it in its paragraph, or a break was made here. */
  isLast: boolean;
}

type Measure = (text: string, face: Face, size: number) => number;

const BREAK_AFTER = new Set(["-", "/", "\u2013", "\u2014"]);
const isSpace = (sign: string): boolean => sign === " " || sign === "\t";

/** A text cut where a line may end: words, spaces, and breaks that were made. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  let begin = 0;
  const cutAt = (end: number) => {
    if (end > begin) tokens.push(text.slice(begin, end));
    begin = end;
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    const before = text[at - 1] ?? "";
    if (sign === "\n" || before === "\n" || isSpace(sign) !== isSpace(before) || BREAK_AFTER.has(before)) cutAt(at);
  }
  cutAt(text.length);
  return tokens;
}

/** Widths that are added up in another order differ by less. */
const ROUNDED = 0.01;

/** What is not broken as long as it fits a line: it may be written in several styles. */
interface Word {
  pieces: Piece[];
  width: number;
}

/** The lines of a paragraph. A paragraph without words is one empty line. */
export function breakLines(runs: readonly Run[], width: number, measure: Measure): Line[] {
  const lines = linesOf(width, measure, runs[0]?.size ?? 10);
  let word: Word = { pieces: [], width: 0 };
  const endWord = () => {
    if (word.pieces.length > 0) lines.addWord(word);
    word = { pieces: [], width: 0 };
  };
  for (const { text, ...style } of runs) {
    for (const token of tokensOf(text)) {
      if (token === "\n") {
        endWord();
        lines.end(true);
        continue;
      }
      const own = isSpace(token[0] ?? "");
      const piece = { style, text: token, width: measure(token, style.face, style.size), isSpace: own };
      if (own) {
        endWord();
        lines.addSpace(piece);
        continue;
      }
      word.pieces.push(piece);
      word.width += piece.width;
      if (BREAK_AFTER.has(token.at(-1) ?? "")) endWord();
    }
  }
  endWord();
  return lines.end(true);
}

/** Takes words and what is between them, a line after the other. */
function linesOf(width: number, measure: Measure, emptySize: number) {
  const lines: Line[] = [];
  const empty = (): Line => ({ pieces: [], width: 0, size: 0, isLast: false });
  let line = empty();
  let spaces: Piece[] = [];

  function end(isLast: boolean): Line[] {
    lines.push({ ...line, size: line.size || emptySize, isLast });
    line = empty();
    spaces = [];
    return lines;
  }
  function add(piece: Piece): void {
    line.pieces.push(piece);
    line.width += piece.width;
    line.size = Math.max(line.size, piece.style.size);
  }
  function addByLetters({ style, text }: Piece): void {
    let part = "";
    let partWidth = 0;
    for (const sign of text) {
      const signWidth = measure(sign, style.face, style.size);
      if (part && line.width + partWidth + signWidth > width) {
        add({ style, text: part, width: partWidth, isSpace: false });
        end(false);
        part = "";
        partWidth = 0;
      }
      part += sign;
      partWidth += signWidth;
    }
    if (part) add({ style, text: part, width: partWidth, isSpace: false });
  }
  return {
    end,
    addSpace: (piece: Piece) => void spaces.push(piece),
    addWord(word: Word): void {
      const before = spaces.reduce((sum, piece) => sum + piece.width, 0);
      if (line.pieces.length > 0 && line.width + before + word.width > width + ROUNDED) end(false);
      for (const space of spaces) add(space);
      spaces = [];
      for (const piece of word.pieces) {
        if (word.width > width) addByLetters(piece);
        else add(piece);
      }
    },
  };
}
