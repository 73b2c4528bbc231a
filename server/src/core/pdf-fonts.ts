// The letters of a PDF: which there are, how wide they are, and that none is lost without a word.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { jsPDF } from "jspdf";

const FILES = {
  normal: "DejaVuSans.ttf",
  bold: "DejaVuSans-Bold.ttf",
  italic: "DejaVuSans-Oblique.ttf",
  bolditalic: "DejaVuSans-BoldOblique.ttf",
  mono: "DejaVuSansMono.ttf",
} as const;
export type Face = keyof typeof FILES;

const FONT = "DejaVu";
/** Stands where the fonts have no sign. */
const UNWRITTEN = "\u25A1";
// The fonts have these letters, but not the ways in which they join and run.
const RUNS_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/u;

const resolve = createRequire(import.meta.url).resolve;
const read = new Map<Face, string>();

function bytesOf(face: Face): string {
  const known = read.get(face);
  if (known) return known;
  const bytes = readFileSync(resolve(`dejavu-fonts-ttf/ttf/${FILES[face]}`)).toString("base64");
  read.set(face, bytes);
  return bytes;
}

interface Glyphs {
  characterToGlyph(code: number): number;
  widthOfGlyph(glyph: number): number;
}

interface Letters {
  glyphs: Glyphs;
  /** In thousandths of the size. */
  widths: Map<string, number>;
}

// What a PDF reader would take for a command, or a font has no sign for, has no place in a text.
const withoutCommands = (text: string): string => text.normalize("NFC").replace(/[^\P{C}\n]/gu, "");

/** The faces that a document uses, each embedded when it is first written in, with the signs that are written alone. */
export function openFonts(pdf: jsPDF) {
  const faces = new Map<Face, Letters>();
  const unwritten = new Set<string>();
  function lettersOf(face: Face): Letters {
    const known = faces.get(face);
    if (known) return known;
    pdf.addFileToVFS(FILES[face], bytesOf(face));
    pdf.addFont(FILES[face], FONT, face);
    const glyphs: Glyphs = pdf.setFont(FONT, face).getFont().metadata;
    const opened = { glyphs, widths: new Map<string, number>() };
    faces.set(face, opened);
    return opened;
  }
  function widthOf({ glyphs, widths }: Letters, sign: string): number {
    const known = widths.get(sign);
    if (known !== undefined) return known;
    const width = glyphs.widthOfGlyph(glyphs.characterToGlyph(sign.charCodeAt(0)));
    widths.set(sign, width);
    return width;
  }
  const isWritten = ({ glyphs }: Letters, sign: string): boolean =>
    sign === "\n" || (sign.length === 1 && !RUNS_LEFT.test(sign) && glyphs.characterToGlyph(sign.charCodeAt(0)) > 0);
  return {
    use(face: Face, size: number): void {
      lettersOf(face);
      pdf.setFont(FONT, face).setFontSize(size);
    },
    /** The text as it can be written in this face: what the fonts lack is marked, and told with the document. */
    written(given: string, face: Face): string {
      const letters = lettersOf(face);
      const text = withoutCommands(given);
      let all = "";
      for (const sign of text) {
        if (isWritten(letters, sign)) all += sign;
        else {
          unwritten.add(sign);
          all += UNWRITTEN;
        }
      }
      return all;
    },
    /** In points. */
    width: (text: string, face: Face, size: number): number => {
      const letters = lettersOf(face);
      let thousandths = 0;
      for (const sign of text) thousandths += widthOf(letters, sign);
      return (thousandths * size) / 1000;
    },
    unwritten: (): string[] => [...unwritten],
  };
}
export type Fonts = ReturnType<typeof openFonts>;
