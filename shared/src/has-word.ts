// Whether somebody wrote words. Free of zod.

/** Dots or a dash say nothing, though something stands there. */
export const hasWord = (text: string): boolean => /\p{L}/u.test(text);

// Scripts that put no spaces between words.
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** A reason takes a few words: "ok" is none. */
export const saysSomething = (text: string): boolean =>
  new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{M}’'-]*/gu)).size >= 3 || (text.match(UNSPACED) ?? []).length >= 4;
