// A template or a document as a Word document (ISO/IEC 29500), with head, foot and mark as the PDF has them.
import {
  AlignmentType,
  Document,
  Footer,
  Header,
  ImageRun,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  Tab,
  TabStopType,
  TextRun,
} from "docx";
import { foreignWork } from "../../../core/foreign-work.ts";
import { pictureKindOf, pixelsOf } from "../../../core/images.ts";
import { blocksOf, type Drawing } from "./word-blocks.ts";
import { type WordPaper, wordPaperSchema } from "./word-paper.ts";
import { STYLES } from "./word-style-names.ts";
import { numberingOf, WORD_STYLES } from "./word-styles.ts";

const MARGIN = "22mm";
/** Where words begin and end, in twentieths of a point. */
const RIGHT = 9412;
const LOGO_PX = { width: 196, height: 49 };
const QUIET = { size: 16, color: "5F6B69" };

export const work = foreignWork<WordPaper, Uint8Array>(wordPaperSchema, async (paper) => {
  const { title, content, isTemplate, images } = wordPaperSchema.parse(paper);
  const drawing: Drawing = { isTemplate, images, lists: [] };
  const children = [...ruleOf(paper), ...blocksOf(drawing, content.content)];
  const document = new Document({
    title,
    creator: paper.head.name,
    styles: WORD_STYLES,
    numbering: numberingOf(drawing.lists),
    sections: [
      {
        properties: { page: { margin: { top: "26mm", bottom: MARGIN, left: MARGIN, right: MARGIN } } },
        headers: { default: headOf(paper) },
        footers: { default: footOf(paper) },
        children,
      },
    ],
  });
  return Uint8Array.from(await Packer.toBuffer(document));
});

const tabToRight = [{ type: TabStopType.RIGHT, position: RIGHT }];

function headOf({ head }: WordPaper): Header {
  const name = new TextRun({ text: head.name, ...QUIET });
  const mark = new TextRun({ children: [new Tab(), head.mark], bold: true, ...QUIET });
  const children = [...logoOf(head.logo), name, ...(head.mark ? [mark] : [])];
  return new Header({ children: [new Paragraph({ tabStops: tabToRight, children })] });
}

function logoOf(logo: Uint8Array | null): ParagraphChild[] {
  const bytes = Buffer.from(logo ?? []);
  const type = pictureKindOf(bytes);
  const size = type && pixelsOf(bytes, type === "png" ? "image/png" : "image/jpeg");
  if (!type || !size || size.width === 0 || size.height === 0) return [];
  const scale = Math.min(LOGO_PX.width / size.width, LOGO_PX.height / size.height);
  const transformation = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
  const picture = new ImageRun({
    type,
    data: bytes,
    transformation,
    altText: { name: "Logo", title: "", description: "" },
  });
  return [picture, new TextRun({ text: "  ", ...QUIET })];
}

function footOf({ footer }: WordPaper): Footer {
  const number = ["Page ", PageNumber.CURRENT, " of ", PageNumber.TOTAL_PAGES];
  return new Footer({
    children: [
      new Paragraph({ children: [new TextRun({ text: footer, ...QUIET })] }),
      new Paragraph({ alignment: AlignmentType.RIGHT, children: [new TextRun({ children: number, ...QUIET })] }),
    ],
  });
}

/** No part of the text: the head of each page bears the mark, and this is how it is meant. */
const ruleOf = ({ head, rule }: WordPaper): Paragraph[] =>
  rule ? [new Paragraph({ style: STYLES.privilege, text: `${head.mark}. ${rule}` })] : [];
