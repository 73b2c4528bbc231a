import { z } from "zod";
import { idSchema } from "./ids.ts";
import { searchTextSchema } from "./search-text.ts";

export const SEARCH_HITS = 6;

export const SEARCH_KINDS = ["client", "case", "contact", "file"] as const;

export const searchInputSchema = z.strictObject({ text: searchTextSchema.min(2) });

export const searchHitSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: idSchema,
  title: z.string(),
  detail: z.string(),
  /** On whose page it is found; for a contact, none. */
  clientId: idSchema.nullable(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchHitsSchema = z.object({
  items: z.array(searchHitSchema),
  /** Nothing is spelled like what was typed; these are spelled nearly so. */
  isNear: z.boolean(),
});
export type SearchHits = z.infer<typeof searchHitsSchema>;
