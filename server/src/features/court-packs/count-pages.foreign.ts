import { PDFDocument } from "@cantoo/pdf-lib";
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";

const inputSchema = z.object({ kind: z.enum(["pdf", "png", "jpeg"]), bytes: z.instanceof(Uint8Array) });

/** How many pages it fills; 0 for what is locked or cannot be read, which nobody can join. */
export const work = foreignWork(inputSchema, async ({ kind, bytes }): Promise<number> => {
  try {
    if (kind === "pdf") return (await PDFDocument.load(bytes, { updateMetadata: false })).getPageCount();
    const pack = await PDFDocument.create();
    await (kind === "png" ? pack.embedPng(bytes) : pack.embedJpg(bytes));
    return 1;
  } catch {
    return 0;
  }
});
