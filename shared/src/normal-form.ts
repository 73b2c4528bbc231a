// More marks than this on one sign mean nothing in any script (Unicode's stream-safe text, UAX 15-D3), and to put them
// in order takes the square of their number.
const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Text in one of Unicode's normal forms, in a time that its length bounds. */
export const normalForm = (text: string, form: "NFC" | "NFD" | "NFKC"): string =>
  text.replace(MANY_MARKS, "$1").normalize(form);
