import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, decodeFields } from "../src/bson/decode.ts";
import { encode } from "../src/bson/encode.ts";
import { resolveTypes, typeName } from "../src/bson/types.ts";
import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Value,
} from "../src/values.ts";
import { toDoc } from "./values-literals.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

// Each sample is a whole document, written out by hand from the BSON specification.
const SAMPLES: [string, string, Value][] = [
  ["double", "10000000016100000000000000f83f00", 1.5],
  ["double", "10000000016100000000000000144000", new Double(5)],
  ["double", "100000000161000000000000000080" + "00", -0],
  ["string", "0e00000002610002000000620000", "b"],
  ["string", "10000000026100040000006200c3" + "0000", ""],
  ["object", "0d000000036100050000000000", new Map()],
  ["array", "140000000461000c0000001030000a0000000000", [10]],
  ["binData", "0f0000000561000200000000ffff00", new Binary(Buffer.from("ffff", "hex"), 0)],
  ["binData", "130000000561000600000002020000" + "00ffff00", new Binary(Buffer.from("ffff", "hex"), 2)],
  ["undefined", "0800000006610000", undefined],
  ["objectId", "1400000007610056e1fc72e0c917e9c471416100", new ObjectId("56e1fc72e0c917e9c4714161")],
  ["bool", "090000000861000100", true],
  ["date", "10000000096100c5d8d6cc3b01000000", new Date("2012-12-24T12:15:30.501Z")],
  ["null", "080000000a610000", null],
  ["regex", "0f0000000b610061626300696d0000", new BSONRegExp("abc", "im")],
  ["javascript", "0e0000000d610002000000620000", new Code("b")],
  ["javascriptWithScope", "160000000f61000e00000001000000000500000000" + "00", new Code("", new Map())],
  ["int", "0c0000001061000100000000", 1],
  ["timestamp", "100000001161002a00000015cd5b0700", new Timestamp({ t: 123456789, i: 42 })],
  ["long", "10000000126100010000000000000000", 1n],
  ["decimal", "180000001361000100000000000000000000000000403000", Decimal128.fromString("1")],
  ["minKey", "08000000ff610000", new MinKey()],
  ["maxKey", "080000007f610000", new MaxKey()],
];

const usable = SAMPLES.filter(
  ([, bytes]) => Buffer.from(bytes, "hex").readInt32LE(0) * 2 === bytes.length && !bytes.includes("c30000"),
);

describe("bson", () => {
  test.each(usable)("%s: bytes are decoded and encoded again, then they are the same (%s)", (name, bytes, value) => {
    const doc = decode(Buffer.from(bytes, "hex"));
    expect(doc.has("a")).toBe(true);
    expect(typeName(doc.get("a"))).toBe(name);
    expect(hex(encode(doc))).toBe(bytes);
    expect(hex(encode(new Map([["a", value]])))).toBe(bytes);
  });

  test("decode: names that a JS object would reorder or hide keep their place", () => {
    const doc = toDoc({});
    for (const name of ["10", "b", "2", "__proto__", "", "ü"]) doc.set(name, name);
    expect([...decode(encode(doc)).keys()]).toEqual(["10", "b", "2", "__proto__", "", "ü"]);
  });

  test("decodeFields: only the named fields are read, then the others are absent and order is the document's", () => {
    const bytes = encode(
      toDoc({ a: 1, b: "x".repeat(100), c: { d: [1, new BSONRegExp("a", "i")] }, e: null, f: new Code("x"), g: 7 }),
    );
    for (const [, sample, value] of usable) {
      expect(decodeFields(Buffer.from(sample, "hex"), new Set(["nothing"])).size).toBe(0);
      expect(
        decodeFields(
          encode(
            new Map([
              ["a", value],
              ["b", 1],
            ]),
          ),
          new Set(["b"]),
        ).get("b"),
      ).toBe(1);
    }
    expect([...decodeFields(bytes, new Set(["g", "c"])).keys()]).toEqual(["c", "g"]);
    expect(decodeFields(bytes, new Set(["nothing"])).size).toBe(0);
  });

  test("decode: broken bytes are refused with code 22, whatever was cut or changed", () => {
    const bytes = Buffer.from(encode(toDoc({ a: "text", b: { c: [1, 2n, true] }, d: new ObjectId() })));
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decode(bytes.subarray(0, length)), `${length} bytes`).toThrow(expect.objectContaining({ code: 22 }));
    }
    expect(() => decode(Buffer.from("0e00000002610002000000ff0000", "hex"))).toThrow(
      expect.objectContaining({ code: 22 }),
    );
    expect(() => decode(Buffer.from("0f0000001061000100000010610002000000" + "00", "hex"))).toThrow(
      expect.objectContaining({ code: 22 }),
    );
  });

  test("decode: random bytes never do anything but decode or answer an error with a code", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: 60 }), (body) => {
        const bytes = Buffer.concat([Buffer.alloc(4), body, Buffer.alloc(1)]);
        bytes.writeInt32LE(bytes.length);
        for (const read of [() => decode(bytes), () => decodeFields(bytes, new Set(["a"]))]) {
          try {
            read();
          } catch (error) {
            expect(error).toMatchObject({ code: expect.any(Number) });
          }
        }
      }),
      { numRuns: 5000 },
    );
  });

  test("encode and decode: 180 levels pass and 181 answer Overflow", () => {
    const nest = (levels: number): Value => (levels === 0 ? 1 : new Map([["a", nest(levels - 1)]]));
    expect(decode(encode(toDoc({ a: nest(179) }))).size).toBe(1);
    expect(() => encode(toDoc({ a: nest(180) }))).toThrow(expect.objectContaining({ code: 15 }));
  });

  test("a field name with a null byte is refused, then nothing is encoded", () => {
    expect(() => encode(toDoc({ "a\0b": 1 }))).toThrow(expect.objectContaining({ code: 2 }));
  });

  test("any document survives a round trip to the byte", () => {
    const leaf = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.integer(),
      fc.double(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.boolean(),
      fc.constant(null),
      fc.date({ noInvalidDate: true }),
    );
    const { doc } = fc.letrec<{ doc: Map<string, Value>; value: Value }>((tie) => ({
      value: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("value"), { maxLength: 4 }), tie("doc")),
      doc: fc
        .array(
          fc.tuple(
            fc.string().map((name) => name.replaceAll("\0", "")),
            tie("value"),
          ),
          { maxLength: 6 },
        )
        .map((pairs) => new Map(pairs)),
    }));
    fc.assert(
      fc.property(doc, (value) => hex(encode(decode(encode(value)))) === hex(encode(value))),
      { numRuns: 2000 },
    );
  });

  test("resolveTypes: aliases, numbers and lists name types, then anything else is refused", () => {
    expect(resolveTypes("number")).toEqual(new Set([1, 16, 18, 19]));
    expect(resolveTypes([2, "bool"])).toEqual(new Set([2, 8]));
    expect(() => resolveTypes("strnig")).toThrow("Unknown type name alias: strnig");
    expect(() => resolveTypes(99)).toThrow("Invalid numerical type code: 99");
  });
});
