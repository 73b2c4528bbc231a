// The days of what is handed to an accountant.
import { z } from "zod";
import { daySchema } from "./time.ts";

export const accountPeriodSchema = z
  .object({ from: daySchema, to: daySchema })
  .refine(({ from, to }) => from <= to, { path: ["to"], message: "Choose a last day that is not before the first" });
export type AccountPeriod = z.output<typeof accountPeriodSchema>;
