// A Word document is an archive of parts (ISO/IEC 29500-2): only those that are read are unpacked, and not without bounds.
import { unzipSync, zipSync } from "fflate";
import { TooMuch } from "../../../core/foreign-work.ts";
import { separateLists } from "./word-numbering.ts";

const PARTS_MAX = 2000;
/** Word writes some 20 kB for a page. */
const TEXT_MAX_BYTES = 8 * 1024 * 1024;
const PICTURES_MAX_BYTES = 24 * 1024 * 1024;
const MAIN = "word/document.xml";
const NUMBERING = "word/numbering.xml";

export interface WordArchive {
  /** Packed anew without compression, for a reader that would unpack whatever there is. */
  packed: Buffer;
  main: string;
  names: readonly string[];
  /** Pictures that take too much were left out. */
  hasLeftPictures: boolean;
}

/** Throws TooMuch for what holds more than a document, and an error for what is none. */
export function openArchive(bytes: Uint8Array): WordArchive {
  const left = { parts: PARTS_MAX, text: TEXT_MAX_BYTES, pictures: PICTURES_MAX_BYTES };
  const names: string[] = [];
  let hasLeftPictures = false;
  // No part gets more room than the archive says that it takes.
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      left.parts -= 1;
      if (left.parts < 0) throw new TooMuch("too many parts");
      names.push(name);
      if (/\.(?:xml|rels)$/i.test(name)) {
        left.text -= originalSize;
        if (left.text < 0) throw new TooMuch("too much text");
        return true;
      }
      if (!name.startsWith("word/media/")) return false;
      if (originalSize > left.pictures) {
        hasLeftPictures = true;
        return false;
      }
      left.pictures -= originalSize;
      return true;
    },
  });
  const main = textOf(parts[MAIN]);
  const numbering = parts[NUMBERING];
  if (numbering) parts[NUMBERING] = Buffer.from(separateLists(textOf(numbering)));
  return { packed: Buffer.from(zipSync(parts, { level: 0 })), main, names, hasLeftPictures };
}

const textOf = (part: Uint8Array | undefined): string => new TextDecoder().decode(part);
