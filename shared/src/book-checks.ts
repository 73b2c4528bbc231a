// Whether the book of the practice is right, as it was looked at last.
import { z } from "zod";
import { instantSchema } from "./time.ts";

/** So many differences are named. */
export const PROBLEMS_SHOWN_MAX = 50;

export const bookCheckSchema = z.object({
  /** `never` nobody looked yet; `asked` and `running` it is being looked at. */
  state: z.enum(["never", "asked", "running", "done"]),
  /** How many entries were read, of how many. */
  read: z.number().int(),
  entries: z.number().int(),
  /** Of the last look that came to an end. */
  checkedAt: instantSchema.nullable(),
  problems: z.array(z.string()),
  problemCount: z.number().int(),
});
export type BookCheck = z.infer<typeof bookCheckSchema>;
