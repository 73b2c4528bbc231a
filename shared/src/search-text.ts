import { z } from "zod";

export const SEARCH_MAX_LENGTH = 100;

/** What somebody looks for. Control characters stand in no text that could be found. */
export const searchTextSchema = z
  .string()
  .overwrite((text) => text.replace(/\p{Cc}+/gu, " "))
  .trim()
  .max(SEARCH_MAX_LENGTH, `Use at most ${SEARCH_MAX_LENGTH} characters`);
export const searchSchema = searchTextSchema.default("");
