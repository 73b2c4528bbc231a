import { z } from "zod";

/** Integer minor units and an ISO 4217 code, so that no sum is ever rounded twice. */
export const moneySchema = z.strictObject({
  amountMinor: z.number().int(),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
export type Money = z.infer<typeof moneySchema>;
