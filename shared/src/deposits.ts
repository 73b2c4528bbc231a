// What a booking link asks to be paid before a time is booked.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import { AMOUNT_MAX_MINOR } from "./prices.ts";
import { instantSchema } from "./time.ts";

/** Less is not worth a card. */
export const DEPOSIT_MIN_MINOR = 100;

export const depositSchema = z.discriminatedUnion("kind", [
  /** An item of the price list, with its VAT, at what it costs when somebody books. */
  z.strictObject({ kind: z.literal("price"), priceId: idSchema }),
  z.strictObject({
    kind: z.literal("amount"),
    amountMinor: z
      .number({ error: "Enter an amount in figures, such as 50" })
      .int("Enter an amount in whole pence")
      .min(DEPOSIT_MIN_MINOR, "Ask for at least 1.00")
      .max(AMOUNT_MAX_MINOR, "Enter at most 10,000,000.00"),
  }),
]);
export type Deposit = z.infer<typeof depositSchema>;

const sumSchema = z.object({ amountMinor: z.number().int(), currency: z.string() });
/** What is to be paid, in all. */
export type DepositSum = z.infer<typeof sumSchema>;
export const depositSumSchema = sumSchema.nullable();

export const shownDepositSchema = z.strictObject({
  amountMinor: z.number().int().min(0).max(AMOUNT_MAX_MINOR),
  currency: z.string().regex(/^[A-Z]{3}$/),
});

/** What can be asked for by a link of this practice. */
export const depositChoicesSchema = z.object({
  takesCards: z.boolean(),
  currency: z.string(),
  prices: z.array(sumSchema.extend({ id: idSchema, name: z.string() })),
});

/** `due` it is waited for; `lapsed` it was not paid in time, or is not asked for any more. */
export const DEPOSIT_STATES = ["due", "paid", "part_refunded", "refunded", "lapsed"] as const;
export type DepositState = (typeof DEPOSIT_STATES)[number];

/** To whoever booked. */
export const ownDepositSchema = sumSchema.extend({
  state: z.enum(DEPOSIT_STATES),
  /** Until when the time is held for it. */
  until: instantSchema,
  /** Where it is paid; empty where it cannot be. */
  payPath: z.string(),
});
export type OwnDeposit = z.infer<typeof ownDepositSchema>;

export const bookingDepositInputSchema = z.strictObject({ meetingId: idSchema });
/** To the practice. */
export const bookingDepositSchema = z.object({
  deposit: sumSchema
    .extend({
      state: z.enum(DEPOSIT_STATES),
      until: instantSchema,
      refundedMinor: z.number().int(),
      needsLook: z.boolean(),
      /** Null until it is paid. */
      invoiceId: idSchema.nullable(),
      invoiceNumber: z.string(),
    })
    .nullable(),
});
export type BookingDeposit = z.infer<typeof bookingDepositSchema>;
