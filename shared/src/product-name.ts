import { normalForm } from "./normal-form.ts";
import { PRODUCT_NAME } from "./product.ts";

// What looks like a letter of the name: digits, Cyrillic, Greek, Armenian, phonetic signs and small capitals; capitals
// beside small letters, because some look like other letters than their small ones do.
const LOOK_ALIKES: [letter: string, signs: string][] = [
  ["e", "3€℮еЕєҽεΕᴇɛəǝ"],
  ["v", "νѵѴᴠ∨⋁ʋ"],
  ["n", "ηΝпиոռɴŋ"],
  ["h", "һҺΗНнհʜɦ"],
  ["a", "4@аАαΑɑᴀ"],
  ["d", "ԁɗɖᴅđĐ"],
];
const LETTERS = new Map(LOOK_ALIKES.flatMap(([letter, signs]) => Array.from(signs, (sign) => [sign, letter] as const)));

/** As it looks at a glance: in Latin letters, without case, accents, blanks and what stands between letters. */
const atAGlance = (text: string): string =>
  Array.from(normalForm(normalForm(text, "NFKC"), "NFD"), (sign) => LETTERS.get(sign) ?? sign)
    .join("")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Whether people would take this for the name of the product, however it is spelled: no practice is called so. */
export const isProductName = (text: string): boolean => atAGlance(text) === atAGlance(PRODUCT_NAME);
