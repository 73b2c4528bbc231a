// Text of anybody, as long as a request may be: no work on it may take more time than its length.
import { foldEmail } from "@app/shared/email-address";
import { normalForm } from "@app/shared/normal-form";
import { emailSchema, foldText, lineSchema, personNameSchema, visibleName } from "@app/shared/text";
import { expect, test } from "vitest";

const LIMIT_MS = 500;

const TEXTS: Record<string, string> = {
  "joiners between letters": "\u0531\u200D".repeat(200_000),
  "hearts with a sign that paints them": "\u2764\uFE0F".repeat(170_000),
  "marks in no order": `b${"\u0301\u0316".repeat(100_000)}@x.org`,
  "marks alone": "\u0316\u0301".repeat(100_000),
  "blanks before a letter": `${" ".repeat(400_000)}a`,
};
const WORK: Record<string, (text: string) => unknown> = {
  lineSchema: (text) => lineSchema(200).safeParse(text),
  personNameSchema: (text) => personNameSchema.safeParse(text),
  emailSchema: (text) => emailSchema.safeParse(text),
  foldEmail,
  foldText,
  visibleName,
  normalForm: (text) => normalForm(text, "NFKC"),
};

test.each(Object.keys(WORK).flatMap((name) => Object.keys(TEXTS).map((what) => [name, what] as const)))(
  "S74: %s, when the text is %s, takes no longer than its length asks for",
  (name, what) => {
    const startedAt = performance.now();
    WORK[name]?.(TEXTS[what] ?? "");
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  },
);

test("normalForm: text of any script, when its marks are as many as people write, then it is what Unicode says", () => {
  for (const text of ["Zoë", "Zoe\u0308", "ﬁ", "Ａ＠ｘ", "नमस्ते", "tiếng Việt", "שָׁלוֹם"])
    for (const form of ["NFC", "NFD", "NFKC"] as const) expect(normalForm(text, form)).toBe(text.normalize(form));
});
