import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { work as draw } from "@app/server/core/pdf.foreign";
import type { DocumentBlock } from "@app/shared/document-content";
import { linesOf } from "@app/shared/document-walk";
import { jsPDF } from "jspdf";
import { bold, doc, heading, image, para, table } from "../support/documents/content.ts";
import { aPng } from "../support/documents/picture.ts";
import { type Figure, median } from "./figure.ts";

const ROUNDS = 5;
const PAGES = 60;
const LIMIT = 3;
const LINE_SIGNS = 88;
const LINES_OF_PAGE = 48;
const ROWS = 12;
const SENTENCE =
  "Each of them was told that the mediator takes no side, and was encouraged to take independent legal advice. ";

const PICTURE = image("plan", { alt: "A plan", widthPercent: 20 });

/** Of each page: two paragraphs and a table, and of every second a picture. */
const pageOf = (page: number): DocumentBlock[] => [
  heading(2, `${page}. Background`),
  para(SENTENCE.repeat(8)),
  para(bold("Proposed: "), SENTENCE.repeat(5)),
  table(
    ["What it is", "Value", "How it is known"],
    ...Array.from({ length: ROWS }, (_, row) => [`Item ${row} of page ${page}`, `£${row * 1000}.00`, "Statement"]),
  ),
  ...(page % 2 === 0 ? [PICTURE] : []),
  { type: "pageBreak" },
];

/**
 * `documents.pdf60`: how long 60 pages with tables and pictures are drawn, as a multiple of jsPDF by itself writing the same
 * number of signs in lines of one length, with a line below each cell and the same pictures.
 */
export async function benchDocumentsPdf(): Promise<Figure[]> {
  const content = doc(...Array.from({ length: PAGES }, (_, index) => pageOf(index + 1)).flat());
  const picture = aPng(64);
  const images = new Map([["plan", picture]]);
  const text = linesOf(content).join(" ");
  const ratios: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const own = await secondsOf(async () => {
      const { pages } = await draw({ title: "Sixty", footer: "Sixty", images, parts: [{ kind: "content", content }] });
      if (pages !== PAGES) throw new Error(`the document has ${pages} pages`);
    });
    const bare = await secondsOf(() => Promise.resolve(writeBare(text, picture)));
    if (round > 0) ratios.push(own / bare);
  }
  return [{ name: "documents.pdf60", value: median(ratios), unit: "x bare jsPDF", goal: "<=", limit: LIMIT }];
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

const FACES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map((file) => ({
  file,
  bytes: readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${file}`)).toString("base64"),
}));

function writeBare(text: string, picture: Uint8Array): void {
  const pdf = new jsPDF({ unit: "pt", format: "a4", putOnlyUsedFonts: true, compress: true });
  for (const { file, bytes } of FACES) pdf.addFileToVFS(file, bytes).addFont(file, file, "normal");
  const lines = Math.ceil(text.length / LINE_SIGNS);
  for (let line = 0; line < lines; line += 1) {
    if (line > 0 && line % Math.ceil(lines / PAGES) === 0) pdf.addPage();
    const at = 60 + (line % LINES_OF_PAGE) * 14;
    pdf.setFont(FACES[line % 10 === 0 ? 1 : 0]?.file ?? "", "normal").setFontSize(10);
    pdf.text(text.slice(line * LINE_SIGNS, (line + 1) * LINE_SIGNS), 60, at);
  }
  for (let page = 1; page <= PAGES; page += 1) {
    pdf.setPage(page);
    if (page % 2 === 0) pdf.addImage(picture, "PNG", 60, 600, 90, 90, undefined, "FAST");
    for (let cell = 0; cell < (ROWS + 1) * 3; cell += 1) pdf.line(60 + (cell % 3) * 100, 60 + cell, 160, 60 + cell);
  }
  pdf.output("arraybuffer");
}
