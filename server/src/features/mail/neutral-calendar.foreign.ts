// Calendar files that somebody attached, made neutral; null for those that cannot be read.
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { neutralCalendar } from "./neutral-calendar.ts";

const inputSchema = z.object({
  calendars: z.array(z.instanceof(Uint8Array)),
  senderName: z.string(),
  addresses: z.array(z.string()),
});

export const work = foreignWork(inputSchema, ({ calendars, ...made }): (string | null)[] =>
  calendars.map((content) => neutralCalendar(Buffer.from(content), { ...made, keepsUid: false })),
);
