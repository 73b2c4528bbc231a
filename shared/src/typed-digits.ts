// Digits as people type them: keyboards of other scripts have their own. Free of zod.

/** Where the digits of a script begin: Arabic, Persian, Devanagari, Bengali, Gurmukhi, and those of full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xff10];

export const asciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
