import { z } from "zod";
import { eachOnce } from "./each-once.ts";
import { hasWord } from "./has-word.ts";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

/** 10,000,000.00 of a currency with pence. */
export const AMOUNT_MAX_MINOR = 1_000_000_000;
export const VAT_RATE_MAX_BP = 10_000;
export const PRICE_NAME_MAX_LENGTH = 120;
export const PRICES_MAX = 500;

export const PRICE_KINDS = ["miam", "session", "document", "cancellation", "disbursement", "other"] as const;
export type PriceKind = (typeof PRICE_KINDS)[number];
export const PRICE_KIND_NAMES = {
  miam: "MIAM",
  session: "Session",
  document: "Document",
  cancellation: "Cancellation",
  disbursement: "Expense",
  other: "Other",
} as const satisfies Record<PriceKind, string>;

export const PRICE_UNITS = ["party", "case", "hour"] as const;
export type PriceUnit = (typeof PRICE_UNITS)[number];
export const PRICE_UNIT_NAMES = {
  party: "For each party",
  case: "For the case",
  hour: "An hour",
} as const satisfies Record<PriceUnit, string>;

export const amountSchema = z
  .number({ error: "Enter an amount in figures, such as 120" })
  .int("Enter an amount in whole pence")
  .min(0, "Enter an amount of 0 or more")
  .max(AMOUNT_MAX_MINOR, "Enter at most 10,000,000.00");

export const vatRateSchema = z
  .number()
  .int()
  .min(0, "Enter a rate of 0 % or more")
  .max(VAT_RATE_MAX_BP, "Enter a rate of at most 100 %");

const optionalDaySchema = z.union([z.literal(""), daySchema]);

export const priceFieldsSchema = z
  .strictObject({
    /** What the practice calls it by; no two prices that are in use have the same. */
    code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9-]{1,12}$/, "Use up to 12 letters, digits and hyphens, such as MIAM-1"),
    name: lineSchema(PRICE_NAME_MAX_LENGTH).refine(hasWord, "Say what it is for, as it shall stand on an invoice"),
    kind: z.enum(PRICE_KINDS),
    amountMinor: amountSchema,
    vatRateBp: vatRateSchema,
    per: z.enum(PRICE_UNITS),
    validFrom: optionalDaySchema,
    validTo: optionalDaySchema,
  })
  .refine(({ validFrom, validTo }) => validFrom === "" || validTo === "" || validTo >= validFrom, {
    path: ["validTo"],
    message: "The last day is before the first",
  });
export type PriceFields = z.infer<typeof priceFieldsSchema>;

export const priceSchema = z.object({
  id: idSchema,
  code: z.string(),
  name: z.string(),
  kind: z.enum(PRICE_KINDS),
  amountMinor: z.number().int(),
  vatRateBp: z.number().int(),
  per: z.enum(PRICE_UNITS),
  validFrom: optionalDaySchema,
  validTo: optionalDaySchema,
  currency: z.string(),
  isArchived: z.boolean(),
  /** May stand on an invoice of today. */
  isInForce: z.boolean(),
  version: z.number().int(),
  updatedByName: z.string(),
  updatedAt: instantSchema,
});
export type Price = z.infer<typeof priceSchema>;

export const listPricesSchema = z.strictObject({
  ...pageInputSchema.shape,
  isArchived: z.boolean().default(false),
  /** Only those that may stand on an invoice of today. */
  isInForce: z.boolean().default(false),
});
export const pricePageSchema = pageOf(priceSchema);

export const createPriceSchema = z.strictObject({ price: priceFieldsSchema });
export const updatePriceSchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
  price: priceFieldsSchema,
});
export const setPriceArchivedSchema = z.strictObject({
  ids: z
    .array(idSchema)
    .min(1)
    .max(100)
    .refine((ids) => eachOnce(ids, (id) => id), "Name each price once"),
  isArchived: z.boolean(),
});

/** Whether a price holds on this day. */
export const isInForceOn = (
  { validFrom, validTo, isArchived }: Pick<Price, "validFrom" | "validTo" | "isArchived">,
  day: string,
): boolean => !isArchived && (validFrom === "" || validFrom <= day) && (validTo === "" || day <= validTo);
