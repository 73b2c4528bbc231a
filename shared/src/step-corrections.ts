import { z } from "zod";
import { reasonSchema } from "./cases.ts";
import { idSchema } from "./ids.ts";

/** Takes the last step of a case back, or of one party in it, because it was wrong. */
export const correctStepSchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
  /** Empty for the case itself. */
  partyId: z.union([z.literal(""), idSchema]),
  /** The last new agreement about confidences is taken back by itself. */
  of: z.enum(["step", "confidences"]).default("step"),
  reason: reasonSchema.min(1, "Say what was wrong"),
});
