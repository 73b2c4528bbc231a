// Pictures of the demonstration, drawn point by point: no file of somebody else's.
import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [number, number, number];
const PAPER: Colour = [255, 255, 255];
const TEAL: Colour = [11, 92, 90];
const FIRST: Colour = [66, 78, 168];
const SECOND: Colour = [178, 150, 60];

/** A PNG (W3C, 3rd edition) of so many points, each of its own colour. */
function pngOf(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (__, x) => colourAt(x, y)).flat()]),
  );
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Two rings that meet. */
export const demoLogo = (): Buffer =>
  pngOf(260, 160, (x, y) => {
    const isRing = (cx: number) => Math.abs(Math.hypot(x - cx, y - 80) - 58) < 11;
    return isRing(90) || isRing(170) ? TEAL : PAPER;
  });

const DAYS = 14;
const DAY = 60;
const WITH_FIRST: ReadonlySet<number> = new Set([0, 1, 4, 5, 6, 9, 10]);

/** A fortnight, a square for each day in the colour of whom the children are with. */
export const demoFortnight = (): Buffer =>
  pngOf((DAYS / 2) * DAY, 2 * DAY, (x, y) => {
    if (x % DAY < 3 || y % DAY < 3) return PAPER;
    return WITH_FIRST.has(Math.floor(x / DAY) + (y < DAY ? 0 : DAYS / 2)) ? FIRST : SECOND;
  });
