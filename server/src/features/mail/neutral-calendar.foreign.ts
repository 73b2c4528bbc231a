// Calendar files that somebody attached, made neutral.
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { neutralCalendar } from "./neutral-calendar.ts";

const inputSchema = z.object({ calendars: z.array(z.string()), practiceName: z.string(), senderName: z.string() });

export const work = foreignWork(inputSchema, ({ calendars, ...names }): string[] =>
  calendars.map((content) => neutralCalendar(content, names)),
);
