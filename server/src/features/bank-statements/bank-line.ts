import { daySchema } from "@app/shared/time";
import { z } from "zod";

export const TEXT_MAX_LENGTH = 300;
export const PAYER_NAME_MAX_LENGTH = 100;

/** Money that came in, as the file says it. */
export const readLineSchema = z.object({
  on: daySchema,
  amountMinor: z.number().int().min(1),
  currency: z.string(),
  payerName: z.string(),
  text: z.string(),
  /** By which the bank calls its account; empty where the file names none. */
  account: z.string(),
});
export type ReadLine = z.infer<typeof readLineSchema>;

/** What of a file is not offered, counted. */
export const leftOutSchema = z.object({
  /** Money that went out, or nothing. */
  paidOut: z.number().int(),
  /** Not there yet, or taken back by the bank. */
  notBooked: z.number().int(),
  /** The first of those that cannot be read, by their number in the file. */
  unreadable: z.array(z.number().int()),
  unreadableCount: z.number().int(),
});
export type LeftOut = z.infer<typeof leftOutSchema>;

export const nothingLeftOut = (): LeftOut => ({ paidOut: 0, notBooked: 0, unreadable: [], unreadableCount: 0 });

const NAMED_MAX = 20;

export function noteUnreadable(leftOut: LeftOut, row: number): void {
  leftOut.unreadableCount += 1;
  if (leftOut.unreadable.length < NAMED_MAX) leftOut.unreadable.push(row);
}
