import { z } from "zod";
import { PLANS } from "./access.ts";
import { instantSchema } from "./time.ts";

export const accessSchema = z.object({
  hasAccess: z.boolean(),
  plan: z.enum(PLANS).nullable(),
});
export type Access = z.infer<typeof accessSchema>;

export const subscriptionSchema = z.object({
  hasAccess: z.boolean(),
  plan: z.enum(PLANS).nullable(),
  /** "self_hosted" where no card payment provider is set up: nothing is charged. */
  billing: z.enum(["self_hosted", "stripe"]),
  status: z.string().nullable(),
  currentPeriodEnd: instantSchema.nullable(),
  /** It ends then instead of being renewed. */
  isEnding: z.boolean(),
  /** Without charge, by whoever runs the installation. */
  isGiven: z.boolean(),
  /** Without VAT; null where the provider has not told it. */
  price: z
    .object({ amountMinor: z.number().int(), currency: z.string(), interval: z.enum(["month", "year"]) })
    .nullable(),
  isOwner: z.boolean(),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/** Where the browser goes next: a page of the card payment provider. */
export const providerPageSchema = z.object({ url: z.url() });

export const startCheckoutSchema = z.strictObject({
  plan: z.enum(PLANS).default("pro"),
  interval: z.enum(["monthly", "yearly"]).default("monthly"),
});
export type StartCheckout = z.infer<typeof startCheckoutSchema>;
