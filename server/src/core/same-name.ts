// Whether two names are the same to whoever reads them, however they are typed.
import { atAGlance } from "@app/shared/look-alikes";
import { normalForm } from "@app/shared/normal-form";

/** A name without what the eye passes over: two people of a practice never have the same. */
export const nameKey = (firstName: string, lastName: string): string =>
  atAGlance(`${firstName}${lastName}`).replaceAll("i", "l");

/** A number of a register without its spaces, dots and dashes. */
export const numberKey = (number: string): string =>
  normalForm(number, "NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
