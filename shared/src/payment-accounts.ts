// Where what clients pay by card goes.
import { z } from "zod";
import { instantSchema } from "./time.ts";

/**
 * `none` no card payments here; `elsewhere` those of this installation are another practice's; `not_connected` nothing
 * was begun; `started` the provider still asks for something; `checking` it looks at what it was told; `ready` cards
 * can be taken; `refused` the provider does not let this account take cards; `lost` it does not know the account.
 */
export const PAYMENT_ACCOUNT_STATES = [
  "none",
  "elsewhere",
  "not_connected",
  "started",
  "checking",
  "ready",
  "refused",
  "lost",
] as const;
export type PaymentAccountState = (typeof PAYMENT_ACCOUNT_STATES)[number];

export const paymentAccountSchema = z.object({
  mode: z.enum(["none", "own", "connect"]),
  state: z.enum(PAYMENT_ACCOUNT_STATES),
  /** As the provider calls it; empty where none is connected. */
  name: z.string(),
  /** When the provider was last asked; null where it never was. */
  checkedAt: instantSchema.nullable(),
  /** Only the owner chooses where money goes. */
  mayConnect: z.boolean(),
});
export type PaymentAccount = z.infer<typeof paymentAccountSchema>;
