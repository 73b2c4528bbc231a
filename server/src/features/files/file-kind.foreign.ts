// What a file really is: its content, its name and what the sender says must agree.
import { open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { fileTypeFromFile } from "file-type";
import { IMAGE_MAX_BYTES, IMAGE_MAX_PIXELS } from "@app/shared/files";
import { z } from "zod";
import { badField } from "../../core/errors.ts";
import { foreignWork } from "../../core/foreign-work.ts";
import { pixelsOf, withoutMetadata } from "../../core/images.ts";

/** By extension; anything that a browser could run (svg, html, xml, scripts) is not among them. */
const BINARY: Record<string, string> = {
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  mp3: "audio/mpeg",
  m4a: "audio/x-m4a",
  wav: "audio/wav",
  mp4: "video/mp4",
  zip: "application/zip",
};
const TEXT: Record<string, string> = {
  txt: "text/plain",
  csv: "text/csv",
  ics: "text/calendar",
  eml: "message/rfc822",
  vcf: "text/vcard",
};

const HEAD_BYTES = 1024;
// The test string that every virus scanner knows, in two halves so that this file is no hit itself.
const TEST_VIRUS = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR" + "-STANDARD-ANTIVIRUS-TEST-FILE!";

const refused = (why: string) => badField("name", why);

const inputSchema = z.object({
  path: z.string(),
  name: z.string(),
  /** Of a picture, where fewer than of any file may be. */
  pixelsMax: z.number().max(IMAGE_MAX_PIXELS).optional(),
});

/** The type of a spooled file; throws BAD_REQUEST where its name and content do not belong together. */
export const work = foreignWork(inputSchema, async ({ path, name, pixelsMax = IMAGE_MAX_PIXELS }): Promise<string> => {
  if ((await stat(path)).size === 0) throw refused("This file is empty. Choose another one.");
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if ((await headOf(path)).includes(TEST_VIRUS)) throw refused("This file carries a virus, so it was not kept.");
  const text = TEXT[extension];
  if (text) return assertText(path, text);
  const expected = BINARY[extension];
  if (!expected)
    throw refused(
      `Files that end in .${extension || "nothing"} cannot be kept. Send a PDF, a picture, an office document or a text.`,
    );
  const found = await fileTypeFromFile(path);
  if (!found || !isSame(found.mime, expected))
    throw refused(`This file ends in .${extension}, but is something else inside. Save it again as what it is.`);
  if (expected.startsWith("image/")) await cleanImage(path, { mime: expected, pixelsMax });
  return expected;
});

const isSame = (found: string, expected: string): boolean =>
  found === expected ||
  (expected === "video/mp4" && found.startsWith("video/")) ||
  (expected === "audio/x-m4a" && found.startsWith("audio/"));

async function headOf(path: string): Promise<string> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function assertText(path: string, mime: string): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) {
      if (!Buffer.isBuffer(chunk)) continue;
      if (chunk.includes(0)) throw new TypeError("a zero byte");
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refused("This is not plain text in UTF-8. Save it again as UTF-8.");
  }
  return mime;
}

/** Bounds what a picture can cost, and takes out where and with what it was taken. */
async function cleanImage(path: string, { mime, pixelsMax }: { mime: string; pixelsMax: number }): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length > IMAGE_MAX_BYTES) throw refused("This picture is over 25 MB. Make it smaller and send it again.");
  if (mime === "image/heic") return;
  const pixels = pixelsOf(bytes, mime);
  if (pixels === null) throw refused("This picture is damaged. Open it, save it again and send that.");
  if (pixels.width * pixels.height > pixelsMax)
    throw refused(`This picture has over ${pixelsMax / 1e6} million pixels. Make it smaller.`);
  if (mime === "image/jpeg" || mime === "image/png") await replaceFile(path, withoutMetadata(bytes));
}

/** At once: whoever is ended in its midst leaves the file as it was. */
async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const whole = `${path}.whole`;
  await writeFile(whole, bytes);
  await rename(whole, path);
}
