// Pictures in a PDF. One that cannot be read is drawn as a frame with what it shows in words.
import type { Place, Slice } from "./pdf-flow.ts";
import { type Drawing, textSlices } from "./pdf-text.ts";

interface Picture {
  /** Null where there is none. */
  bytes: Uint8Array | null;
  alt: string;
  width: number;
  highest: number;
  gap: number;
}

const FRAME_HEIGHT = 60;
const BORDER = [200, 208, 207] as const;
const QUIET = [95, 107, 105] as const;

export function imageSlice(drawing: Drawing, picture: Picture): Slice {
  const { pdf } = drawing;
  const { bytes, gap } = picture;
  const size = bytes && sizeOf(drawing, bytes, picture);
  if (!bytes || !size) return frameSlice(drawing, picture);
  return {
    gap,
    height: size.height,
    isKeptWithNext: false,
    draw({ left, top }) {
      try {
        pdf.addImage(bytes, formatOf(bytes), left, top, size.width, size.height, undefined, "FAST");
      } catch {
        // Its size could be read, and its content not: nothing was drawn yet.
        drawFrame(drawing, picture, { left, top }, size.height);
      }
    },
  };
}

const isPng = (bytes: Uint8Array): boolean => bytes[0] === 0x89 && bytes[1] === 0x50;
const formatOf = (bytes: Uint8Array): "PNG" | "JPEG" => (isPng(bytes) ? "PNG" : "JPEG");

function sizeOf({ pdf }: Drawing, bytes: Uint8Array, { width, highest }: Picture) {
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

const frameSlice = (drawing: Drawing, picture: Picture): Slice => ({
  gap: picture.gap,
  height: FRAME_HEIGHT,
  isKeptWithNext: false,
  draw: (at) => drawFrame(drawing, picture, at, FRAME_HEIGHT),
});

function drawFrame(drawing: Drawing, { alt, width }: Picture, { left, top }: Place, height: number): void {
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
