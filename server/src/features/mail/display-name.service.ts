// What of a name may stand as a sender's on mail that the installation itself carries, as it carries the product's own.
import { distance } from "fastest-levenshtein";
import { cutText } from "@app/shared/cut-text";
import { atAGlance } from "@app/shared/look-alikes";
import { normalForm } from "@app/shared/normal-form";
import { PRODUCT_NAME } from "@app/shared/product";
import { linkless } from "../../core/linkless.ts";

const NAME_MAX_LENGTH = 40;
const READ_MAX_LENGTH = 1000;

/** What of it can be no address; empty where somebody could take it for what it is not. */
export function displayName(name: string): string {
  const plain = cutText(name.replace(/[^\p{L}\p{M}\p{N} .&'’+-]+/gu, " ").replace(/\s+/g, " "), NAME_MAX_LENGTH).trim();
  return isDoubtful(plain) ? "" : plain;
}

/** Whether somebody could take it for the product's own, or a word in it for another one. */
export const isDoubtful = (text: string): boolean =>
  namesProduct(text) || wordsOf(normalForm(text, "NFKC")).some((word) => !SCRIPTS.some((script) => script.test(word)));

/** What a mail of the product calls somebody who chose their name: by it where nobody could take it for more, else by their address. */
export const calledInAccessMail = (name: string, address: string): string =>
  linkless(isDoubtful(name) || LINK.test(name) ? address : name);

/** As mail programs and people read one; and the signs between which the product names itself. */
const LINK = /:\/\/|[^\s.][.\u3002][^\s.]|www|[[\]]/iu;

/** However it is written, and with one sign of it another one. */
function namesProduct(text: string): boolean {
  const read = cutText(text, READ_MAX_LENGTH);
  const name = atAGlance(PRODUCT_NAME);
  return atAGlance(read).includes(name) || read.split(/\s+/).some((word) => isNear(atAGlance(word), name));
}

const isNear = (word: string, name: string): boolean =>
  Math.abs(word.length - name.length) <= 1 && distance(word, name) <= 1;

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{M}]+/u).filter(Boolean);

/**
 * The scripts that people write in today (UAX 31, table 5). A word in one of them is read as what it is; Chinese,
 * Japanese and Korean words mix theirs (UTS 39, 5.1).
 */
const SCRIPTS = [
  "Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Latn Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt"
    .split(" ")
    .map((script) => [script]),
  [["Hani", "Hira", "Kana"]],
  [["Hani", "Bopo"]],
  [["Hani", "Hang"]],
]
  .flat()
  .map(
    (scripts) => new RegExp(`^[${scripts.map((one) => `\\p{scx=${one}}`).join("")}\\p{sc=Zyyy}\\p{sc=Zinh}]+$`, "u"),
  );
