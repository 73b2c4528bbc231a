// What a form decides by the answers that were given: trees of conditions, two levels deep, so that each can be said in a
// sentence.
import { z } from "zod";
import { CONDITIONS_MAX, MONEY_MAX_MINOR, OPERATORS, OPTION_MAX_LENGTH, OPTIONS_MAX } from "./form-limits.ts";

/** Letters, digits and single underscores: never a name that every object has. */
export const formPartIdSchema = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, "Use lower case letters, digits and underscores")
  .refine((id) => !(id in {}), "Choose another name");

const comparedSchema = z.union([
  z.string().max(OPTION_MAX_LENGTH),
  z.number().min(-MONEY_MAX_MINOR).max(MONEY_MAX_MINOR),
  z.array(z.string().max(OPTION_MAX_LENGTH)).max(OPTIONS_MAX),
  z.null(),
]);

export const comparisonSchema = z.strictObject({
  fieldId: formPartIdSchema,
  operator: z.enum(OPERATORS),
  /** Null where the operator compares with nothing; a list where it takes several. */
  value: comparedSchema,
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** `and`: all of them, `or`: any of them, `not`: none of them. */
export const JOINTS = ["and", "or", "not"] as const;

export const innerConditionSchema = z.strictObject({
  joint: z.enum(JOINTS),
  of: z.array(comparisonSchema).min(1).max(CONDITIONS_MAX),
});

export const conditionSchema = z.strictObject({
  joint: z.enum(JOINTS),
  of: z
    .array(z.union([comparisonSchema, innerConditionSchema]))
    .min(1)
    .max(CONDITIONS_MAX),
});
export type Condition = z.infer<typeof conditionSchema>;
export type ConditionPart = Condition["of"][number];

/** Every comparison of a condition, in order. */
export const comparisonsOf = (condition: Condition | null): Comparison[] =>
  (condition?.of ?? []).flatMap((part) => ("of" in part ? part.of : [part]));
