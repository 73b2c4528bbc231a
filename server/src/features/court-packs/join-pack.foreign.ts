import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, type PDFRef, StandardFonts } from "@cantoo/pdf-lib";
import { z } from "zod";
import { foreignWork, TooMuch } from "../../core/foreign-work.ts";

const PAGES_MAX = 1500;
const A4 = { width: 595.28, height: 841.89 };
const MARGIN = 40;
const FOOT = { size: 8, y: 18 };

const inputSchema = z.object({
  parts: z.array(
    z.object({
      title: z.string(),
      kind: z.enum(["pdf", "png", "jpeg"]),
      bytes: z.instanceof(Uint8Array),
    }),
  ),
  title: z.string(),
  madeAt: z.date(),
});

type Part = z.infer<typeof inputSchema>["parts"][number];

/**
 * All of them one after the other, each page numbered, with an outline of where each begins. What a file does when it is
 * opened, and forms in it that still change, stay behind. Pages go over as they are drawn.
 */
export const work = foreignWork(inputSchema, async ({ parts, title, madeAt }): Promise<Uint8Array<ArrayBuffer>> => {
  const pack = await PDFDocument.create({ updateMetadata: false });
  pack.setTitle(title);
  pack.setCreationDate(madeAt);
  pack.setModificationDate(madeAt);
  const starts: { title: string; page: PDFRef }[] = [];
  for (const part of parts) {
    const first = pack.getPageCount();
    await add(pack, part);
    if (pack.getPageCount() > PAGES_MAX) throw new TooMuch(`more than ${PAGES_MAX} pages`);
    starts.push({ title: part.title, page: pack.getPage(first).ref });
  }
  await numberPages(pack);
  outline(pack, starts);
  return new Uint8Array(await pack.save());
});

async function add(pack: PDFDocument, { kind, bytes }: Part): Promise<void> {
  if (kind !== "pdf") return addPicture(pack, kind, bytes);
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  if (document.getPageCount() === 0) throw new Error("no pages");
  document.getForm().flatten();
  for (const page of await pack.copyPages(document, document.getPageIndices())) {
    page.node.delete(PDFName.of("AA"));
    pack.addPage(page);
  }
}

/** A page of its own, as large as fits. */
async function addPicture(pack: PDFDocument, kind: "png" | "jpeg", bytes: Uint8Array): Promise<void> {
  const image = kind === "png" ? await pack.embedPng(bytes) : await pack.embedJpg(bytes);
  const { width, height } = image.scaleToFit(A4.width - 2 * MARGIN, A4.height - 2 * MARGIN);
  const page = pack.addPage([A4.width, A4.height]);
  page.drawImage(image, { x: (A4.width - width) / 2, y: (A4.height - height) / 2, width, height });
}

async function numberPages(pack: PDFDocument): Promise<void> {
  const font = await pack.embedFont(StandardFonts.Helvetica);
  const count = pack.getPageCount();
  for (const [index, page] of pack.getPages().entries()) {
    const text = `${index + 1} of ${count}`;
    const { x, y, width } = page.getCropBox();
    const at = x + (width - font.widthOfTextAtSize(text, FOOT.size)) / 2;
    page.drawText(text, { x: at, y: y + FOOT.y - FOOT.size, size: FOOT.size, font });
  }
}

/** PDF 32000-1, 12.3.3: a list of entries, each of which names the next and the one before. */
function outline(pack: PDFDocument, starts: readonly { title: string; page: PDFRef }[]): void {
  const { context } = pack;
  const root = context.nextRef();
  const refs = starts.map(() => context.nextRef());
  for (const [index, { title, page }] of starts.entries()) {
    const [before, own, after] = [refs[index - 1], refs[index], refs[index + 1]];
    if (!own) continue;
    const entry = PDFDict.withContext(context);
    entry.set(PDFName.of("Title"), PDFHexString.fromText(title));
    entry.set(PDFName.of("Parent"), root);
    entry.set(PDFName.of("Dest"), context.obj([page, PDFName.of("Fit")]));
    if (before) entry.set(PDFName.of("Prev"), before);
    if (after) entry.set(PDFName.of("Next"), after);
    context.assign(own, entry);
  }
  const [first, last] = [refs[0], refs.at(-1)];
  if (!first || !last) return;
  const entries = PDFDict.withContext(context);
  entries.set(PDFName.of("Type"), PDFName.of("Outlines"));
  entries.set(PDFName.of("First"), first);
  entries.set(PDFName.of("Last"), last);
  entries.set(PDFName.of("Count"), PDFNumber.of(refs.length));
  context.assign(root, entries);
  pack.catalog.set(PDFName.of("Outlines"), root);
  pack.catalog.set(PDFName.of("PageMode"), PDFName.of("UseOutlines"));
}
