import { z } from "zod";
import {
  FILES_PER_FIELD_MAX,
  GROUP_FIELDS_MAX,
  GROUP_ROWS_MAX,
  HELP_MAX_LENGTH,
  LABEL_MAX_LENGTH,
  LONG_TEXT_MAX_LENGTH,
  MATRIX_ROWS_MAX,
  MONEY_MAX_MINOR,
  NUMBER_MAX,
  OPTION_MAX_LENGTH,
  OPTIONS_MAX,
  SENSITIVITIES,
  SHORT_TEXT_MAX_LENGTH,
  STATEMENT_MAX_LENGTH,
  TERMS_MAX,
} from "./form-limits.ts";
import { conditionSchema, formPartIdSchema } from "./form-logic.ts";
import { ANSWER_TARGETS } from "./form-targets.ts";
import { lineSchema } from "./text.ts";
import { daySchema } from "./time.ts";

const linesSchema = (maxLength: number) => z.string().trim().max(maxLength, `Use at most ${maxLength} characters`);

export const optionSchema = z.strictObject({
  value: formPartIdSchema,
  label: lineSchema(OPTION_MAX_LENGTH),
  /** What the choice counts in a calculated value; null where it counts nothing. */
  score: z.number().int().min(-1000).max(1000).nullable(),
});
export type FieldOption = z.infer<typeof optionSchema>;
const optionsSchema = z.array(optionSchema).max(OPTIONS_MAX);

const labelled = {
  id: formPartIdSchema,
  label: lineSchema(LABEL_MAX_LENGTH),
  help: linesSchema(HELP_MAX_LENGTH),
  /** Null: always. */
  visibleIf: conditionSchema.nullable(),
};

const asked = {
  ...labelled,
  isRequired: z.boolean(),
  /** An answer is needed where this holds, also where it is not always. */
  requiredIf: conditionSchema.nullable(),
  /** Null: as the form says for all, where it does. */
  sensitivity: z.enum(SENSITIVITIES).nullable(),
  /** What of the client or of the lead the answer proposes to change. */
  mapTo: z.enum(ANSWER_TARGETS).nullable(),
  /** Where this holds, the mediator is told so. */
  flag: z
    .strictObject({ when: conditionSchema, text: lineSchema(LABEL_MAX_LENGTH).min(1, "Write what the mediator reads") })
    .nullable(),
};

const of = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...asked, ...shape });

const count = (max: number) => z.number().int().min(0).max(max);
const bounds = (max: number) => ({
  min: z.number().min(-max).max(max).nullable(),
  max: z.number().min(-max).max(max).nullable(),
});
const dayBounds = { earliest: daySchema.nullable(), latest: daySchema.nullable() };

const SIMPLE_FIELDS = [
  of("short_text", { maxLength: count(SHORT_TEXT_MAX_LENGTH).min(1) }),
  of("long_text", { maxLength: count(LONG_TEXT_MAX_LENGTH).min(1) }),
  of("number", { ...bounds(NUMBER_MAX), decimals: count(4), unit: lineSchema(20) }),
  // Amounts in minor units of the form's currency.
  of("money", bounds(MONEY_MAX_MINOR)),
  of("date", dayBounds),
  of("time", {}),
  of("date_time", dayBounds),
  of("birth_date", {}),
  of("email", {}),
  of("phone", {}),
  of("name", {}),
  of("address", {}),
  of("yes_no", { hasUnsure: z.boolean() }),
  of("one_of", { options: optionsSchema, display: z.enum(["buttons", "drop_down"]), hasOther: z.boolean() }),
  of("any_of", {
    options: optionsSchema,
    atLeast: count(OPTIONS_MAX).nullable(),
    atMost: count(OPTIONS_MAX).nullable(),
  }),
] as const;

const innerFieldSchema = z.discriminatedUnion("type", SIMPLE_FIELDS);
export type InnerField = z.infer<typeof innerFieldSchema>;

/** One number of a sum: of a field, of a column of a repeat group, or what a choice counts. */
export const termSchema = z.strictObject({
  fieldId: formPartIdSchema,
  /** A question of the repeat group `fieldId`: all its rows together. */
  columnId: formPartIdSchema.nullable(),
  sign: z.enum(["plus", "minus"]),
});
export type Term = z.infer<typeof termSchema>;

export const fieldSchema = z.discriminatedUnion("type", [
  ...SIMPLE_FIELDS,
  of("contact", {}),
  of("picture_choice", {
    options: z
      .array(
        optionSchema.extend({
          pictureId: z
            .string()
            .max(64)
            .regex(/^[\w-]*$/),
          /** What the picture shows, for whoever does not see it. */
          alt: lineSchema(OPTION_MAX_LENGTH).optional(),
        }),
      )
      .max(OPTIONS_MAX),
    atMost: count(OPTIONS_MAX).nullable(),
  }),
  of("rating", {
    from: count(1),
    to: z.number().int().min(2).max(10),
    lowLabel: lineSchema(60),
    highLabel: lineSchema(60),
  }),
  of("matrix", {
    rows: z.array(optionSchema.omit({ score: true })).max(MATRIX_ROWS_MAX),
    columns: optionsSchema,
    isEveryRowNeeded: z.boolean(),
  }),
  of("ranking", { options: optionsSchema }),
  /** The exact text that was agreed to is stored with the answer. */
  of("consent", { text: linesSchema(STATEMENT_MAX_LENGTH) }),
  of("signature", { text: linesSchema(STATEMENT_MAX_LENGTH) }),
  of("file", { atMost: z.number().int().min(1).max(FILES_PER_FIELD_MAX) }),
  of("repeat_group", {
    fields: z.array(innerFieldSchema).max(GROUP_FIELDS_MAX),
    rowLabel: lineSchema(60),
    atLeast: count(GROUP_ROWS_MAX),
    atMost: z.number().int().min(1).max(GROUP_ROWS_MAX),
  }),
  z.strictObject({
    type: z.literal("statement"),
    ...labelled,
    text: linesSchema(STATEMENT_MAX_LENGTH),
    pictureId: z
      .string()
      .max(64)
      .regex(/^[\w-]*$/),
  }),
  /** Taken from the address of the page; nobody is asked. */
  z.strictObject({
    type: z.literal("hidden"),
    id: formPartIdSchema,
    label: lineSchema(LABEL_MAX_LENGTH),
    parameter: z
      .string()
      .max(40)
      .regex(/^[\w-]*$/, "Use letters, digits, hyphens and underscores"),
    sensitivity: z.enum(SENSITIVITIES).nullable(),
    mapTo: z.enum(ANSWER_TARGETS).nullable(),
  }),
  z.strictObject({
    type: z.literal("calculated"),
    id: formPartIdSchema,
    label: lineSchema(LABEL_MAX_LENGTH),
    help: linesSchema(HELP_MAX_LENGTH),
    terms: z.array(termSchema).max(TERMS_MAX),
    unit: z.enum(["number", "money"]),
    isShown: z.boolean(),
    sensitivity: z.enum(SENSITIVITIES).nullable(),
    flag: asked.flag,
  }),
]);
export type Field = z.infer<typeof fieldSchema>;
/** A field that somebody is asked. */
export type AskedField = Exclude<Field, { type: "statement" | "hidden" | "calculated" }>;

export const isAsked = (field: Field): field is AskedField =>
  field.type !== "statement" && field.type !== "hidden" && field.type !== "calculated";
