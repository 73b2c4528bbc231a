import { compareTexts, ownWords, type Piece } from "@app/shared/document-compare";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bold, doc, heading, para, image } from "../../support/documents/content.ts";

const said = (pieces: readonly Piece[], gone: Piece["kind"]): string =>
  pieces
    .filter(({ kind }) => kind !== gone)
    .map(({ text }) => text)
    .join("");

test("compareTexts: a line in which a word changed is one difference, with what went and what came", () => {
  const { differences } = compareTexts(
    doc(heading(1, "Home"), para("A lump sum of £60,000.00 is paid."), para("Both agree.")),
    doc(heading(1, "Home"), para("A lump sum of £62,305.00 is paid."), para("Both agree.")),
  );
  expect(differences).toEqual([
    {
      pieces: [
        { kind: "same", text: "A lump sum of " },
        { kind: "removed", text: "£60,000.00 " },
        { kind: "added", text: "£62,305.00 " },
        { kind: "same", text: "is paid." },
      ],
    },
  ]);
});

test("compareTexts: a line that came and one that went are told apart from what only moved around them", () => {
  const { differences } = compareTexts(
    doc(para("one"), para("two"), para("three")),
    doc(para("new"), para("one"), para("three")),
  );
  expect(differences).toEqual([
    { pieces: [{ kind: "added", text: "new" }] },
    { pieces: [{ kind: "removed", text: "two" }] },
  ]);
});

test("compareTexts: the same words in bold, when they are compared, are the same words set in another way", () => {
  expect(compareTexts(doc(para("one")), doc(para(bold("one"))))).toEqual({ differences: [], isOnlyForm: true });
  expect(compareTexts(doc(para("one")), doc(para("one")))).toEqual({ differences: [], isOnlyForm: false });
});

test("compareTexts: a picture that came, when it is compared, is a line of what it shows", () => {
  const { differences } = compareTexts(doc(para("x")), doc(para("x"), image("plan", { alt: "The way in" })));
  expect(differences).toEqual([{ pieces: [{ kind: "added", text: "[Picture: The way in]" }] }]);
});

test("ownWords: what one of two texts says that the other does not, when somebody has to choose, stands in quotes", () => {
  expect(ownWords(doc(para("one"), para("mine")), doc(para("one")))).toBe("“mine”");
  expect(ownWords(doc(para("one")), doc(para("one"), para("theirs")))).toBe("without “theirs”");
  expect(ownWords(doc(para(bold("one"))), doc(para("one")))).toBe("the same words, set in another way");
});

test("compareTexts: whatever two texts say, what went is of the first and what came of the second, in order", () => {
  const lines = fc.array(fc.constantFrom("a b", "a c", "d", "e f g", "h"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const { differences } = compareTexts(
        doc(...before.map((line) => para(line))),
        doc(...after.map((line) => para(line))),
      );
      const gone = differences.map(({ pieces }) => said(pieces, "added")).filter(Boolean);
      const come = differences.map(({ pieces }) => said(pieces, "removed")).filter(Boolean);
      const isWithin = (some: readonly string[], all: readonly string[]) => {
        const rest = [...all];
        return some.every((line) => {
          const at = rest.indexOf(line);
          rest.splice(0, at + 1);
          return at >= 0;
        });
      };
      expect(isWithin(gone, before)).toBe(true);
      expect(isWithin(come, after)).toBe(true);
      expect(before.length - gone.length).toBe(after.length - come.length);
      if (before.join("|") === after.join("|")) expect(differences).toEqual([]);
    }),
  );
});

test("compareTexts: two long texts that have nothing in common, when they are compared, take no second", () => {
  const long = (word: string) => doc(...Array.from({ length: 4000 }, (_, index) => para(`${word} ${index}`)));
  const begun = performance.now();
  expect(compareTexts(long("one"), long("two")).differences).toHaveLength(4000);
  expect(performance.now() - begun).toBeLessThan(3000);
});
