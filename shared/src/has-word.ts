// Whether somebody wrote words. Free of zod.

/** Dots or a dash say nothing, though something stands there. */
export const hasWord = (text: string): boolean => /\p{L}/u.test(text);
