// Sizes of pictures from their headers, and pictures without what the camera wrote about place and person. No library:
// the parts of a picture are walked for the second in any case, and one for sizes reads twenty kinds of file for four.

const JPEG_START = 0xff_d8;
const MARKER = 0xff;
const APP1 = 0xe1;
const APP13 = 0xed;
const START_OF_SCAN = 0xda;
// A camera writes some dozens.
const SEGMENTS_MAX = 10_000;
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

interface Segment {
  marker: number;
  start: number;
  end: number;
}

/** The segments of a JPEG before its picture data; null where it is none. */
function segmentsOf(bytes: Buffer): Segment[] | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== JPEG_START) return null;
  const segments: Segment[] = [];
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== MARKER) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === START_OF_SCAN) return segments;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length || segments.length >= SEGMENTS_MAX) return null;
    segments.push({ marker, start: at, end });
    at = end;
  }
  return null;
}

export interface Pixels {
  width: number;
  height: number;
}

/** How many pixels a picture has; null where its header cannot be read. */
export function pixelsOf(bytes: Buffer, mime: string): Pixels | null {
  if (mime === "image/png")
    return bytes.length < 24 ? null : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (mime === "image/gif")
    return bytes.length < 10 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (mime === "image/webp") return webpPixels(bytes);
  const frame = segmentsOf(bytes)?.find(({ marker }) => isFrame(marker));
  return frame ? { width: bytes.readUInt16BE(frame.start + 7), height: bytes.readUInt16BE(frame.start + 5) } : null;
}

function webpPixels(bytes: Buffer): Pixels | null {
  const kind = bytes.toString("latin1", 12, 16);
  if (bytes.length < 30) return null;
  if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ") return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return null;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

const PNG_SIGNATURE = 0x89_50_4e_47;

/** Of what a document holds: a PNG or a JPEG; null for anything else. */
export function pictureKindOf(bytes: Buffer): "png" | "jpg" | null {
  if (bytes.length < 4) return null;
  if (bytes.readUInt32BE(0) === PNG_SIGNATURE) return "png";
  return bytes.readUInt16BE(0) === JPEG_START ? "jpg" : null;
}

/** The same picture without what was written into it; whatever is no JPEG and no PNG stays as it is. */
export const withoutMetadata = (bytes: Buffer): Buffer =>
  pictureKindOf(bytes) === "png" ? pngWithoutMetadata(bytes) : jpegWithoutMetadata(bytes);

/** Without EXIF, XMP and IPTC; a turned picture may then lie on its side. */
function jpegWithoutMetadata(bytes: Buffer): Buffer {
  const segments = segmentsOf(bytes);
  if (!segments) return bytes;
  const kept = segments.filter(({ marker }) => marker !== APP1 && marker !== APP13);
  const rest = segments.at(-1)?.end ?? 2;
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...kept.map(({ start, end }) => bytes.subarray(start, end)),
    bytes.subarray(rest),
  ]);
}

const PNG_START = 8;
/** Length, kind and checksum of a chunk. */
const CHUNK_FRAME = 12;
/** What says something in words, when, where or with what it was made (PNG 3rd edition, 11.3.2 and 11.3.3). */
const TELLING = new Set(["eXIf", "tEXt", "iTXt", "zTXt", "tIME"]);

/** One whose chunks do not add up stays as it is, and is drawn by nobody. */
function pngWithoutMetadata(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, PNG_START)];
  let at = PNG_START;
  while (at < bytes.length) {
    if (at + CHUNK_FRAME > bytes.length) return bytes;
    const end = at + CHUNK_FRAME + bytes.readUInt32BE(at);
    if (end > bytes.length) return bytes;
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (!TELLING.has(kind)) kept.push(bytes.subarray(at, end));
    // What stands behind the end of the picture is none of it.
    if (kind === "IEND") break;
    at = end;
  }
  return Buffer.concat(kept);
}
