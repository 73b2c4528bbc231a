import { PDFDict, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";

const inputSchema = z.object({ first: z.instanceof(Uint8Array), second: z.instanceof(Uint8Array) });

/** Under which a document, or a page of it, says what happens when it is opened, printed or closed. */
const DOINGS = ["OpenAction", "AA"];

/** What the first does when it is opened, and forms in it that still change, would not be what was signed. */
export const work = foreignWork(inputSchema, async ({ first, second }): Promise<Uint8Array<ArrayBuffer>> => {
  const document = await PDFDocument.load(first, { updateMetadata: false });
  document.getForm().flatten();
  document.catalog.delete(PDFName.of("AcroForm"));
  for (const dict of [document.catalog, ...document.getPages().map(({ node }) => node)])
    for (const doing of DOINGS) dict.delete(PDFName.of(doing));
  document.catalog.lookupMaybe(PDFName.of("Names"), PDFDict)?.delete(PDFName.of("JavaScript"));
  const more = await PDFDocument.load(second, { updateMetadata: false });
  for (const page of await document.copyPages(more, more.getPageIndices())) document.addPage(page);
  // Its seal is put in as text: packed objects would hide where.
  return new Uint8Array(await document.save({ useObjectStreams: false }));
});
