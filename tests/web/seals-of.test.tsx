// The seals in a PDF are found by the bytes alone: the document goes nowhere to be checked.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sealsOf } from "../../web/src/features/signatures/seals-of.ts";

/** What a seal of so many bytes looks like from outside: it says itself how long it is. */
function aSeal(length: number): Uint8Array {
  const seal = new Uint8Array(4 + length).map((_, at) => at % 251);
  seal.set([0x30, 0x82, length >> 8, length % 256]);
  return seal;
}

/** A PDF with these seals, each in more room than it needs. */
function aPdf(...seals: Uint8Array[]): Uint8Array {
  let text = "%PDF-1.7\n";
  for (const seal of seals) {
    const room = `<${Buffer.from(seal).toString("hex")}${"0".repeat(64)}>`;
    const head = "/ByteRange [0 0000000000 0000000000 0000000009 ] /Contents ";
    const from = text.length + head.length;
    const [start, end] = [from, from + room.length].map((place) => String(place).padStart(10, "0"));
    text += head.replace("0000000000 0000000000", `${start} ${end}`) + room;
  }
  return new TextEncoder().encode(`${text}\n%%EOF`);
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test("sealsOf: each seal, without the room that was left for it", async () => {
  const [first, second] = [aSeal(300), aSeal(4000)];
  expect(await sealsOf(aPdf(first, second))).toEqual([hashOf(first), hashOf(second)]);
});

test("sealsOf: of a PDF without one, or of one that says nonsense, there are none", async () => {
  const said = (text: string) => sealsOf(new TextEncoder().encode(text));
  expect(await said("%PDF-1.7\n%%EOF")).toEqual([]);
  expect(await said("/ByteRange [0 5 999999999 1]")).toEqual([]);
  expect(await said(`/ByteRange [0 28 40 1]      <${"zz".repeat(9)}>`)).toEqual([]);
  expect(await said("/ByteRange [0 9 3 1] <3082>")).toEqual([]);
});

test("sealsOf: of very many, the first ten", async () => {
  expect(await sealsOf(aPdf(...Array.from({ length: 40 }, (_, at) => aSeal(300 + at))))).toHaveLength(10);
});
