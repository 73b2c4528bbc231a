import { z } from "zod";

export const PAGE_MAX = 5000;
/** Filtered totals stop counting here; the page then says "1,000+". */
export const COUNT_MAX = 1000;

export const pageInputSchema = z.strictObject({
  page: z.number().int().min(1).max(PAGE_MAX).default(1),
});

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    total: z.number().int(),
    /** False where counting stopped at COUNT_MAX. */
    isTotalExact: z.boolean(),
  });
