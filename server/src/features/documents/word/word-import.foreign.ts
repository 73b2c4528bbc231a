// A Word document that somebody wants to go on with here: its words and what they are, and its pictures.
import { readFile } from "node:fs/promises";
import {
  ALT_MAX_LENGTH,
  type DocumentContent,
  documentContentSchema,
  type ImageBlock,
  IMAGES_MAX,
} from "@app/shared/document-content";
import { DOCUMENT_PICTURE_MAX_BYTES } from "@app/shared/document-pictures";
import mammoth from "mammoth";
import { z } from "zod";
import { foreignWork, TooMuch } from "../../../core/foreign-work.ts";
import { pictureKindOf, pixelsOf } from "../../../core/images.ts";
import { openArchive, type WordArchive } from "./word-archive.ts";
import { type WordBlock, type WordImage, wordDocumentSchema } from "./word-model.ts";
import { isGap, readBlocks, TOO_MANY_PICTURES } from "./word-reading.ts";
import { partsAgain } from "./word-template-parts.ts";
import type { ReadPicture, ReadWord } from "./word-read.ts";
import type { Left } from "./word-words.ts";

/** How wide the words of a page are, in points of a screen. */
const PAGE_PX = 627;

const LEFT_PICTURES = "Pictures that are no PNG or JPEG, are too large, or lie elsewhere";

const inputSchema = z.object({ file: z.string(), isTemplate: z.boolean() });

export const work = foreignWork(inputSchema, async ({ file, isTemplate }): Promise<ReadWord> => {
  const archive = openArchive(await readFile(file));
  const left: Left = new Set(leftBy(archive));
  const children = await read(archive, left);
  const pictures = new Map<WordImage, ReadPicture>();
  for (const image of imagesIn(children)) {
    const picture = await pictureOf(image, `word-${pictures.size + 1}`);
    if (!picture) left.add(LEFT_PICTURES);
    else if (pictures.size === IMAGES_MAX) left.add(TOO_MANY_PICTURES);
    else pictures.set(image, picture);
  }
  const keep = (image: WordImage) => blockOf(image, pictures.get(image));
  const blocks = readBlocks({ left, keep }, children).filter((block) => !isGap(block));
  const content = bounded(isTemplate ? partsAgain(blocks) : blocks);
  return { content, pictures: [...pictures.values()], left: [...left] };
});

/** What mammoth does not even tell of. */
function leftBy({ main, names, hasLeftPictures }: WordArchive): string[] {
  const said: [boolean, string][] = [
    [/<w:(?:ins|del|moveTo|moveFrom)[ >]/.test(main), "Tracked changes: the text is as if all of them were accepted"],
    [
      names.some((name) => /^word\/(?:header|footer)\d*\.xml$/.test(name)),
      "Head and foot of the pages: documents have the practice’s own",
    ],
    [main.includes("<m:oMath"), "Formulas"],
    [main.includes("<c:chart") || main.includes("<dgm:relIds"), "Charts and diagrams"],
    [main.includes("<w:txbxContent"), "Boxes with words: their words stand in the text"],
    [hasLeftPictures, LEFT_PICTURES],
  ];
  return said.flatMap(([is, what]) => (is ? [what] : []));
}

async function read({ packed }: WordArchive, left: Left): Promise<WordBlock[]> {
  let found: unknown = null;
  const { messages } = await mammoth.convertToHtml(
    { buffer: packed },
    {
      externalFileAccess: false,
      includeEmbeddedStyleMap: false,
      transformDocument(document: object) {
        found = document;
        // Its layout is of no use here.
        return { ...document, children: [] };
      },
    },
  );
  if (messages.some(({ message }) => message.startsWith("Could not find image file"))) left.add(LEFT_PICTURES);
  return wordDocumentSchema.parse(found).children;
}

function* imagesIn(children: readonly WordBlock[]): Generator<WordImage> {
  for (const child of children) {
    if (child.type === "image") yield child;
    else if (child.type === "table")
      for (const row of child.children) for (const cell of row.children) yield* imagesIn(cell.children);
    else if ("children" in child) yield* imagesIn(child.children);
  }
}

/** Null of one that is not within the document. */
async function bytesOf(image: WordImage): Promise<Buffer | null> {
  try {
    return await image.readAsBuffer();
  } catch {
    // Some are missing, and some lie at an address, where nobody looks.
    return null;
  }
}

async function pictureOf(image: WordImage, id: string): Promise<ReadPicture | null> {
  const bytes = await bytesOf(image);
  const ending = bytes && pictureKindOf(bytes);
  if (!bytes || !ending || bytes.length > DOCUMENT_PICTURE_MAX_BYTES) return null;
  return { id, ending, bytes: Uint8Array.from(bytes) };
}

function blockOf({ altText }: WordImage, picture: ReadPicture | undefined): ImageBlock | null {
  if (!picture) return null;
  const size = pixelsOf(Buffer.from(picture.bytes), picture.ending === "png" ? "image/png" : "image/jpeg");
  const percent = Math.round(((size?.width ?? PAGE_PX) / PAGE_PX) * 100);
  const alt = (altText ?? "").trim().replaceAll(/\s+/g, " ").slice(0, ALT_MAX_LENGTH);
  return {
    type: "image",
    attrs: {
      pictureId: picture.id,
      alt,
      isDecorative: false,
      widthPercent: Math.min(100, Math.max(10, percent)),
      align: "left",
    },
  };
}

/** Throws TooMuch where it is more than a document may be. */
function bounded(blocks: DocumentContent["content"]): DocumentContent {
  const content = blocks.length > 0 ? blocks : [{ type: "paragraph", attrs: { textAlign: null } }];
  const parsed = documentContentSchema.safeParse({ type: "doc", content });
  if (!parsed.success) throw new TooMuch(parsed.error.message.slice(0, 500));
  return parsed.data;
}
