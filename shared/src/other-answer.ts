/** Before the text of "another answer": no option has a colon in its name. Free of zod. */
export const OTHER_PREFIX = "other:";
