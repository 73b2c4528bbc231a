import { z } from "zod";
import { noSuchDay } from "./day-words.ts";

/** An instant: ISO 8601 in UTC. */
export const instantSchema = z.iso.datetime();
/** A calendar day without a zone: YYYY-MM-DD. */
export const daySchema = z.iso.date({ error: ({ input }) => noSuchDay(input) });

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** An IANA time zone that this machine knows. */
export const timeZoneSchema = z.string().min(1).max(64).refine(isTimeZone, "Choose a time zone from the list");
