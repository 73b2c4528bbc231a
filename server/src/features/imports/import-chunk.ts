import { z } from "zod";

/** Some rows of a file as they are stored together; `rows` is their JSON. */
export const chunkSchema = z.object({ from: z.number(), count: z.number(), rows: z.string() });
export type Chunk = z.infer<typeof chunkSchema>;
