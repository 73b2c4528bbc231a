// Sizes of pictures from their headers, and JPEGs without what the camera wrote about place and person. No library: the
// segments of a JPEG are walked for the second in any case, and one for sizes reads twenty kinds of file for four.

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

/** How many pixels a picture has; null where its header cannot be read. */
export function pixelsOf(bytes: Buffer, mime: string): number | null {
  if (mime === "image/png") return bytes.length < 24 ? null : bytes.readUInt32BE(16) * bytes.readUInt32BE(20);
  if (mime === "image/gif") return bytes.length < 10 ? null : bytes.readUInt16LE(6) * bytes.readUInt16LE(8);
  if (mime === "image/webp") return webpPixels(bytes);
  const frame = segmentsOf(bytes)?.find(({ marker }) => isFrame(marker));
  return frame ? bytes.readUInt16BE(frame.start + 5) * bytes.readUInt16BE(frame.start + 7) : null;
}

function webpPixels(bytes: Buffer): number | null {
  const kind = bytes.toString("latin1", 12, 16);
  if (bytes.length < 30) return null;
  if (kind === "VP8X") return (bytes.readUIntLE(24, 3) + 1) * (bytes.readUIntLE(27, 3) + 1);
  if (kind === "VP8 ") return (bytes.readUInt16LE(26) & 0x3fff) * (bytes.readUInt16LE(28) & 0x3fff);
  if (kind !== "VP8L") return null;
  const bits = bytes.readUInt32LE(21);
  return ((bits & 0x3fff) + 1) * (((bits >> 14) & 0x3fff) + 1);
}

/** The same JPEG without EXIF, XMP and IPTC; a turned picture may then lie on its side. */
export function withoutMetadata(bytes: Buffer): Buffer {
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
