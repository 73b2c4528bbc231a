import { crc32, deflateSync } from "node:zlib";

/** A picture that says it has few points, and unpacks to so many bytes. */
export function aPngBomb(bytes: number): Uint8Array<ArrayBuffer> {
  const png = Buffer.from(aPng());
  const at = png.indexOf("IDAT") - 4;
  const end = png.indexOf("IEND") - 4;
  const body = Buffer.concat([Buffer.from("IDAT", "latin1"), deflateSync(Buffer.alloc(bytes))]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length - 4, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Uint8Array.from(
    Buffer.concat([png.subarray(0, at), frame.subarray(0, 4), body, frame.subarray(4), png.subarray(end)]),
  );
}

/** A picture of grey points, so many on each side; with words within it, by their keyword. */
export const aPng = (side = 2, words: Record<string, string> = {}): Uint8Array<ArrayBuffer> =>
  pngOf(
    Array.from({ length: side }, (_row, index) =>
      Array.from({ length: side }, (_point, at) => (index * 31 + at * 57) % 256),
    ),
    words,
  );

/** A picture that is another one for other words: a line of points. */
export const aPngOf = (words: string): Uint8Array<ArrayBuffer> => pngOf([[...Buffer.from(words)]]);

function pngOf(points: readonly (readonly number[])[], words: Record<string, string> = {}): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([head, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(points[0]?.length ?? 0, 0);
  header.writeUInt32BE(points.length, 4);
  const rows = deflateSync(Buffer.from(points.flatMap((row) => [0, ...row])));
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk("IHDR", header),
      ...Object.entries(words).map(([keyword, text]) => chunk("tEXt", Buffer.from(`${keyword}\0${text}`, "latin1"))),
      chunk("IDAT", rows),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}
