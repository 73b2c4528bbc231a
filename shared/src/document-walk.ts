// What is found in a document by going through it: its words, its headings, its fields and its pictures.
import type {
  CellBlock,
  DocumentBlock,
  DocumentContent,
  DocumentInline,
  ImageBlock,
  MergeFieldNode,
} from "./document-content.ts";

/** Each block with those in it, in the order in which they are read. */
export function* blocksIn(blocks: readonly DocumentBlock[]): Generator<DocumentBlock> {
  for (const block of blocks) {
    yield block;
    yield* blocksIn(blocksWithin(block));
  }
}

/** The blocks that stand right within this one. */
function blocksWithin(block: DocumentBlock): readonly DocumentBlock[] {
  switch (block.type) {
    case "bulletList":
    case "orderedList":
      return block.content.flatMap(({ content }) => content);
    case "blockquote":
    case "conditional":
    case "repeat":
      return block.content;
    case "table":
      return block.content.flatMap((row) => row.content.flatMap(({ content }) => content));
    case "paragraph":
    case "heading":
    case "horizontalRule":
    case "pageBreak":
    case "image":
      return [];
  }
}

/** What stands in a line of text; nothing for a block that has none. */
export const inlinesOf = (block: DocumentBlock): readonly DocumentInline[] =>
  block.type === "paragraph" || block.type === "heading" ? (block.content ?? []) : [];

/** Its words, as they are read: of a field what was said, else what it is called. */
export const wordsOf = (inlines: readonly DocumentInline[], nameOf: (path: string) => string = bracketed): string =>
  inlines
    .map((inline) => {
      if (inline.type === "text") return inline.text;
      return inline.type === "hardBreak" ? "\n" : (saidOf(inline) ?? nameOf(inline.attrs.path));
    })
    .join("");

const bracketed = (path: string): string => `[${path}]`;

/** What stands in the place of a field; null where it has no value. */
export const saidOf = ({ attrs: { said, fallback } }: MergeFieldNode): string | null => said ?? (fallback || null);

/** A line for each block that has words: for search, for lists and for what is compared. */
export const linesOf = ({ content }: DocumentContent, nameOf?: (path: string) => string): string[] =>
  [...blocksIn(content)].flatMap((block) =>
    block.type === "paragraph" || block.type === "heading" ? [wordsOf(inlinesOf(block), nameOf)] : [],
  );

export const fieldsIn = ({ content }: DocumentContent): MergeFieldNode[] =>
  [...blocksIn(content)].flatMap((block) => inlinesOf(block).filter((inline) => inline.type === "mergeField"));

/** The fields that still have no value, each once. */
export const missingIn = (content: DocumentContent): string[] => [
  ...new Set(fieldsIn(content).flatMap((field) => (saidOf(field) === null ? [field.attrs.path] : []))),
];

export const imagesIn = ({ content }: DocumentContent): ImageBlock[] =>
  [...blocksIn(content)].filter((block) => block.type === "image");

/** Each once, in the order in which they stand there. */
export const pictureIdsIn = (content: DocumentContent): string[] => [
  ...new Set(imagesIn(content).map(({ attrs }) => attrs.pictureId)),
];

type ChangeImage = (image: ImageBlock) => ImageBlock | null;

/** With each picture changed, or an empty line in its place. */
export const mapImages = (content: DocumentContent, change: ChangeImage): DocumentContent => ({
  ...content,
  content: content.content.map((block) => mapImagesIn(block, change)),
});

function mapImagesIn(block: DocumentBlock, change: ChangeImage): DocumentBlock {
  switch (block.type) {
    case "image":
      return changed(block, change);
    case "conditional":
    case "repeat":
      return { ...block, content: block.content.map((one) => mapImagesIn(one, change)) };
    case "table":
      return {
        ...block,
        content: block.content.map((row) => ({
          ...row,
          content: row.content.map((cell) => ({
            ...cell,
            content: cell.content.map((one) => (one.type === "image" ? changed(one, change) : one)),
          })),
        })),
      };
    default:
      return block;
  }
}

const changed = (image: ImageBlock, change: ChangeImage): CellBlock =>
  change(image) ?? { type: "paragraph", attrs: { textAlign: null } };

/** Nobody who does not see it knows what it shows. */
export const isUnsaid = ({ attrs: { alt, isDecorative } }: ImageBlock): boolean => !isDecorative && alt.trim() === "";
