import { cutText } from "@app/shared/cut-text";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each([
  ["a short text", "Lindqvïst", 20, "Lindqvïst"],
  ["letters", "Lindqvist", 4, "Lind"],
  ["an emoji at the end", "abc😀", 4, "abc"],
  ["an emoji that fits", "abc😀d", 5, "abc😀"],
  ["a family of several", "ab👨‍👩‍👧‍👦", 8, "ab"],
  ["a flag", "ab🇬🇧🇬🇧", 6, "ab🇬🇧"],
  ["a colour of skin", "ok👍🏽!", 4, "ok"],
  ["an accent of its own", "cafe\u0301s", 4, "caf"],
  ["a line end of two signs", "ab\r\ncd", 3, "ab"],
  ["a sign without end", `a${"\u0301".repeat(500)}`, 100, `a${"\u0301".repeat(99)}`],
  ["nothing", "", 0, ""],
])("cutText: %s is cut between two signs", (_, text, maxLength, expected) => {
  expect(cutText(text, maxLength)).toBe(expected);
});

test("cutText: whatever the text, it is a beginning of it, not too long, and never ends in half a sign", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(220), (text, maxLength) => {
      const cut = cutText(text, maxLength);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(maxLength);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});
