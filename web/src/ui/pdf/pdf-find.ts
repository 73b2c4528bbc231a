// Finds words in the pages of a PDF as search does elsewhere: whatever their case and accents.
import { foldText } from "@app/shared/text";

/** A place in the words of a page: which piece of text, and the sign in it. */
export interface Place {
  piece: number;
  offset: number;
}

export interface PageText {
  folded: string;
  /** Where each sign of `folded` stands. */
  places: readonly Place[];
}

/** From one sign to the last. */
export interface Found {
  page: number;
  from: Place;
  to: Place;
}

interface Piece {
  str: string;
  hasEOL: boolean;
}

const isBlank = (sign: string): boolean => /\s/u.test(sign);

/** The words of a page in a row; the end of a line is a blank, and several blanks are one. */
export function pageTextOf(pieces: readonly Piece[]): PageText {
  const places: Place[] = [];
  let folded = "";
  const add = (text: string, place: Place) => {
    folded += text;
    for (let at = 0; at < text.length; at += 1) places.push(place);
  };
  for (const [piece, { str, hasEOL }] of pieces.entries()) {
    let offset = 0;
    for (const sign of str) {
      const isGap = isBlank(sign);
      if (!isGap || !folded.endsWith(" ")) add(isGap ? " " : foldText(sign), { piece, offset });
      offset += sign.length;
    }
    if (hasEOL && !folded.endsWith(" ")) add(" ", { piece, offset: Math.max(0, str.length - 1) });
  }
  return { folded, places };
}

/** Each place where these words stand on a page. */
export function findOn(page: number, { folded, places }: PageText, wanted: string): Found[] {
  const words = foldText(wanted);
  const found: Found[] = [];
  if (words === "") return found;
  for (let at = folded.indexOf(words); at !== -1; at = folded.indexOf(words, at + words.length)) {
    const [from, to] = [places[at], places[at + words.length - 1]];
    if (from && to) found.push({ page, from, to });
  }
  return found;
}
