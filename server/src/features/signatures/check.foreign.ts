import { PDFDocument } from "@cantoo/pdf-lib";
import { z } from "zod";
import { foreignWork, TooMuch } from "../../core/foreign-work.ts";

const PAGES_MAX = 300;

/** How many pages it has; throws for one that is locked or cannot be read. */
export const work = foreignWork(z.object({ bytes: z.instanceof(Uint8Array) }), async ({ bytes }): Promise<number> => {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const pages = document.getPageCount();
  if (pages > PAGES_MAX) throw new TooMuch(`more than ${PAGES_MAX} pages`);
  if (pages === 0) throw new Error("no pages");
  return pages;
});
