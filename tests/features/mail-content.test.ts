import { decoded } from "@app/server/features/inbox/mail-content";
import fc from "fast-check";
import { expect, test } from "vitest";

async function* cutAt(bytes: Buffer, places: number[]): AsyncGenerator<Buffer> {
  const borders = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (const [index, end] of borders.entries()) yield bytes.subarray(borders[index - 1] ?? 0, end);
}

async function textOf(encoding: string, bytes: Buffer, places: number[]): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of decoded(cutAt(bytes, places), encoding)) parts.push(part);
  return Buffer.concat(parts).toString("latin1");
}

const aLine = fc.array(fc.constantFrom("a", "=3D", "=C3=A9", " ", "\t", "  ", "=\r\n", " =\r\n"), { maxLength: 12 });
const aText = fc.array(aLine, { maxLength: 6 }).map((lines) => lines.map((parts) => parts.join("")).join(" \r\n"));
const somePlaces = fc.array(fc.nat(), { maxLength: 5 });

test("an attachment in quoted-printable: wherever its pieces end, it is the same file", async () => {
  await fc.assert(
    fc.asyncProperty(aText, somePlaces, async (text, places) => {
      const bytes = Buffer.from(text);
      expect(await textOf("quoted-printable", bytes, places)).toBe(await textOf("quoted-printable", bytes, []));
    }),
    { numRuns: 500 },
  );
});

const aLongLine = fc
  .array(fc.constantFrom("=3D", " ", "\t", "   ", "x".repeat(340), "=\r\n", " =\r\n", "= \t\r\n"), {
    minLength: 3,
    maxLength: 16,
  })
  .map((parts) => parts.join(""));
const aLongText = fc.array(aLongLine, { minLength: 1, maxLength: 3 }).map((lines) => lines.join(" \t\r\n"));

test("an attachment in quoted-printable: wherever pieces end in lines that are too long, it is the same file", async () => {
  // Borders near the ends of lines, where blanks and escapes are.
  const nearEnds = fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(aLongText, nearEnds, somePlaces, async (text, offsets, places) => {
      const ends = [...text.matchAll(/\r\n/g)].map(({ index }) => index);
      const near = offsets.map((offset, at) =>
        Math.max((ends[at % (ends.length || 1)] ?? text.length) + 3 - offset, 0),
      );
      const bytes = Buffer.from(text);
      expect(await textOf("quoted-printable", bytes, [...near, ...places])).toBe(
        await textOf("quoted-printable", bytes, []),
      );
    }),
    { numRuns: 2000 },
  );
});

test("an attachment in quoted-printable: when blanks end a line where a piece ends, none is left over", async () => {
  expect(await textOf("quoted-printable", Buffer.from("one  \r\ntwo=20 \t\r\n"), [4, 5, 15])).toBe("one\r\ntwo \r\n");
});

test("an attachment in quoted-printable: when a line is endless, it is handed on piece by piece", async () => {
  const bytes = Buffer.from("a=3D".repeat(1000));
  const sizes: number[] = [];
  for await (const part of decoded(cutAt(bytes, [1001, 2001, 3003]), "quoted-printable")) sizes.push(part.length);
  expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(2);
  expect(await textOf("quoted-printable", bytes, [1001, 2001, 3003])).toBe("a=".repeat(1000));
});

test("an attachment in base64: wherever its pieces end, it is the same file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), somePlaces, async (content, places) => {
      const text = Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n");
      expect(await textOf("base64", Buffer.from(text), places)).toBe(Buffer.from(content).toString("latin1"));
    }),
    { numRuns: 200 },
  );
});
