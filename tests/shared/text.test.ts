import {
  emailSchema,
  foldText,
  lineSchema,
  personNameSchema,
  phoneNumberSchema,
  recipientListSchema,
} from "@app/shared/text";
import { searchSchema } from "@app/shared/search-text";
import { expect, test } from "vitest";

test.each([
  ["Maya.Ellery@Example.org ", "maya.ellery@example.org"],
  ["o'dowd+case@mail.example.co.uk", "o'dowd+case@mail.example.co.uk"],
])("emailSchema: %j is an address, kept in lower case", (typed, kept) => {
  expect(emailSchema.parse(typed)).toBe(kept);
});

test.each([
  "",
  "maya",
  "maya@",
  "maya@example",
  "@example.org",
  "a b@example.org",
  "a@b@example.org",
  "a@example.org\r\nBcc: x@example.org",
  '"a@evil.test x"@ok.test',
  "a@.org",
  "a@example..org",
  "pri\u00ADya@example.org",
  "priya\u200B@example.org",
  "priya@exam\u200Dple.org",
  "priya@example.org\u2060",
  "\u202Epriya@example.org",
  "priya\uFE0F@example.org",
  "a@ex%61mple.org",
  "a@example.org:25",
  "a@example.org/b",
  "a@127.1",
  "a@0x7f.0.0.1",
  `${"x".repeat(65)}@example.org`,
])("emailSchema: %j is refused with a sentence", (typed) => {
  const result = emailSchema.safeParse(typed);
  expect(result.success).toBe(false);
  expect(result.error?.issues[0]?.message).toMatch(/\w+ \w+/);
});

test.each(["Zoë", "O’Dowd", "Arkwright-Senn", "محمد", "J.", "Nguyễn"])("personNameSchema: %s is a name", (name) => {
  expect(personNameSchema.parse(` ${name} `)).toBe(name);
});

test.each(["", " ", "<b>", "a\nb", "x".repeat(31), "Robert'); --"])("personNameSchema: %j is not", (name) => {
  expect(personNameSchema.safeParse(name).success).toBe(false);
});

test.each([
  ["07700 900142", true],
  ["+44 (0)7700 900142", true],
  ["12345", false],
  ["+44+7700900142", false],
  ["call me", false],
])("phoneNumberSchema: %j accepted: %s", (number, isAccepted) => {
  expect(phoneNumberSchema.safeParse(number).success).toBe(isAccepted);
});

test("recipientListSchema: addresses are split on commas and trimmed, one bad one refuses the list", () => {
  expect(recipientListSchema.parse(" a@example.org , b@example.org,")).toEqual(["a@example.org", "b@example.org"]);
  expect(recipientListSchema.safeParse("a@example.org, b@").success).toBe(false);
  expect(recipientListSchema.safeParse(" , ").success).toBe(false);
});

test.each([
  ["Lindqvïst", "lindqvist"],
  ["  O’Dowd   Maya ", "odowd maya"],
  ["ÅNGSTRÖM", "angstrom"],
])("foldText: %j is compared as %j", (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test.each([
  ["a right-to-left override", "\u202Emoc.live", "moc.live"],
  ["a soft hyphen", "Quill\u00ADfeather", "Quillfeather"],
  ["a word joiner", "Quill\u2060feather", "Quillfeather"],
  ["direction marks and isolates", "\u200FA\u2066B\u2069", "AB"],
  ["a joiner between our letters", "evi\u200Dl", "evil"],
  ["an invisible filler", "A\u3164B\u2800C", "ABC"],
  ["tags without a flag", "A\u{E0041}\u{E007F}", "A"],
  ["a family of emoji", "Home 👨‍👩‍👧 team", "Home 👨‍👩‍👧 team"],
  ["a heart as emoji", "Care ❤️", "Care ❤️"],
  ["the flag of Wales", "🏴󠁧󠁢󠁷󠁬󠁳󠁿 Cardiff", "🏴󠁧󠁢󠁷󠁬󠁳󠁿 Cardiff"],
  ["a Persian word with its joiner", "می\u200Cخواهم", "می\u200Cخواهم"],
])("lineSchema: %s, when it is entered, leaves only what people see", (_what, entered, kept) => {
  expect(lineSchema(80).parse(entered)).toBe(kept);
});

test.each(["a\u0000b", "\u0007a\tb", "a\u0000\u0000 b"])(
  "searchSchema: %j is looked for without its control characters",
  (text) => {
    expect(searchSchema.parse(text)).toMatch(/^a +b$/);
  },
);
