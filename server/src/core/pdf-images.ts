// Pictures in a PDF. One that cannot be read is drawn as a frame with what it shows in words.
import { z } from "zod";
import type { Place, Slice } from "./pdf-flow.ts";
import { type Alignment, type Drawing, textSlices } from "./pdf-text.ts";

interface Picture {
  /** Null where there is none. */
  bytes: Uint8Array | null;
  alt: string;
  isDecorative: boolean;
  width: number;
  /** The room beside which it is set. */
  within: number;
  align: Alignment;
  highest: number;
  gap: number;
}

/** What jsPDF has and its types do not: what stands between two marks of a page. */
const writing = z.object({ write: z.custom<(operator: string) => void>((write) => typeof write === "function") });

const FRAME_HEIGHT = 60;
const BORDER = [200, 208, 207] as const;
const QUIET = [95, 107, 105] as const;

export function imageSlice(drawing: Drawing, picture: Picture): Slice {
  const { bytes, gap, highest } = picture;
  const size = bytes && sizeOf(drawing, bytes, { width: picture.width, height: highest });
  if (!bytes || !size) return frameSlice(drawing, picture);
  return {
    gap,
    height: size.height,
    isKeptWithNext: false,
    draw(at) {
      const place = { ...at, left: at.left + leftOf(picture, size.width) };
      try {
        drawPicture(drawing, bytes, { ...place, ...size }, picture);
      } catch {
        // Its size could be read, and its content not: nothing was drawn yet.
        drawFrame(drawing, picture, place, size);
      }
    },
  };
}

const leftOf = ({ within, align }: Picture, width: number): number =>
  align === "center" ? (within - width) / 2 : align === "right" ? within - width : 0;

const isPng = (bytes: Uint8Array): boolean => bytes[0] === 0x89 && bytes[1] === 0x50;
const formatOf = (bytes: Uint8Array): "PNG" | "JPEG" => (isPng(bytes) ? "PNG" : "JPEG");

interface Size {
  width: number;
  height: number;
}

/** As wide as asked, or narrower where it would be too high; null for what is no picture. */
function sizeOf({ pdf }: Drawing, bytes: Uint8Array, { width, height: highest }: Size): Size | null {
  if (!isPng(bytes) && !(bytes[0] === 0xff && bytes[1] === 0xd8)) return null;
  try {
    const natural = pdf.getImageProperties(bytes);
    const height = (width * natural.height) / natural.width;
    if (!Number.isFinite(height) || height <= 0) return null;
    return height <= highest ? { width, height } : { width: (width * highest) / height, height: highest };
  } catch {
    // What cannot be read is drawn as a frame.
    return null;
  }
}

/** What it shows stands beside it in words for whoever has the page read out (ISO 32000-1, 14.9.3). */
function drawPicture(
  { pdf }: Drawing,
  bytes: Uint8Array,
  { left, top, width, height }: Place & Size,
  { alt, isDecorative }: Pick<Picture, "alt" | "isDecorative">,
): void {
  const words = alt && `/Span <</Alt <${utf16Hex(alt)}>>> BDC`;
  const { write } = writing.parse(pdf.internal);
  write(isDecorative || !words ? "/Artifact BMC" : words);
  try {
    pdf.addImage(bytes, formatOf(bytes), left, top, width, height, undefined, "FAST");
  } finally {
    write("EMC");
  }
}

const utf16Hex = (text: string): string => `feff${Buffer.from(text, "utf16le").swap16().toString("hex")}`;

/** Says how wide it stands there; nothing of one that cannot be read. */
export function drawLogo(drawing: Drawing, bytes: Uint8Array, { left, top, width, height }: Place & Size): number {
  const size = sizeOf(drawing, bytes, { width, height });
  if (!size) return 0;
  try {
    const place = { left, top: top + (height - size.height) / 2, ...size };
    drawPicture(drawing, bytes, place, { alt: "", isDecorative: true });
  } catch {
    return 0;
  }
  return size.width;
}

const frameSlice = (drawing: Drawing, picture: Picture): Slice => ({
  gap: picture.gap,
  height: FRAME_HEIGHT,
  isKeptWithNext: false,
  draw(at) {
    const place = { ...at, left: at.left + leftOf(picture, picture.width) };
    drawFrame(drawing, picture, place, { width: picture.width, height: FRAME_HEIGHT });
  },
});

function drawFrame(drawing: Drawing, { alt }: Picture, { left, top }: Place, { width, height }: Size): void {
  drawing.pdf
    .setDrawColor(...BORDER)
    .setLineWidth(0.6)
    .rect(left, top, width, height);
  const text = alt ? `Picture: ${alt}` : "A picture that cannot be shown";
  const lines = textSlices(drawing, {
    runs: [{ text, face: "italic", size: 9, color: QUIET }],
    width: width - 16,
    gap: 0,
  });
  let at = top + 8;
  for (const line of lines) {
    if (at + line.height > top + height) break;
    line.draw({ left: left + 8, top: at });
    at += line.height;
  }
}
