import { PRODUCT_NAME } from "@app/shared/product";
import { foldText, visibleName } from "@app/shared/text";
import { normalForm } from "@app/shared/normal-form";

const TELLING = /mediat|\bmiams?\b/;
const LONG_WORD = 4;

export type Tells = (text: string) => boolean;

/** Whether a text names the practice, or what it does. */
export function tellsOf(practiceName: string): Tells {
  const names = [practiceName, PRODUCT_NAME].map(seen).filter(Boolean);
  const words = new Set(names.flatMap(wordsOf));
  const long = [...words].filter((word) => word.length >= LONG_WORD);
  return (text) => {
    const folded = seen(text);
    const here = new Set(wordsOf(folded));
    if (TELLING.test(folded) || names.some((name) => folded.includes(name))) return true;
    return long.some((word) => folded.includes(word)) || [...words].every((word) => here.has(word));
  };
}

/** A text as its reader sees it, whatever signs it is written with. */
const seen = (text: string): string => foldText(visibleName(normalForm(text, "NFKC")));

/**
 * A place without the parts of it that name the practice or what it does. A link stays, as nobody comes without it, and
 * so does a street or postcode, which has a number, though a word of it is in the name too.
 */
export function neutralPlaceOf(practiceName: string, place: string): string {
  const tells = tellsOf(practiceName);
  const name = seen(practiceName);
  const names = (part: string) => TELLING.test(seen(part)) || (name !== "" && seen(part).includes(name));
  const isTold = (part: string) => !part.includes("://") && (names(part) || (!/\d/.test(part) && tells(part)));
  const parts = place.split(/[,;\n]/).map((part) => part.trim());
  return parts.filter((part) => part && !isTold(part)).join(", ");
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
