// What an answer to each type of question may be. By zod's small build, because the page that is filled in loads it.
import * as z from "zod/mini";
import { fractionDigits } from "./currency-digits.ts";
import { noSuchDay } from "./day-words.ts";
import { canonicalEmail, EMAIL_MAX_LENGTH } from "./email-address.ts";
import type { AnswerValue } from "./form-answers.ts";
import type { AskedField, InnerField } from "./form-fields.ts";
import {
  AGREED,
  MONEY_MAX_MINOR,
  NUMBER_MAX,
  SHORT_TEXT_MAX_LENGTH,
  SIGNATURE_POINTS_MAX,
  SIGNATURE_STROKES_MAX,
} from "./form-limits.ts";
import { OTHER_PREFIX } from "./other-answer.ts";
import { amountHint } from "./typed-amounts.ts";
import { PHONE_HINT, PHONE_PATTERN } from "./phone.ts";

const PHONE_MAX_LENGTH = 20;
const PART_MAX_LENGTH = 100;
const COORDINATE_MAX = 4000;
const EARLIEST_BIRTH_DAY = "1900-01-01";

const CONTROL = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
const text = (maxLength: number) =>
  z.string().check(z.trim(), z.maxLength(maxLength, `Use at most ${maxLength} characters`));
const line = (maxLength: number) => text(maxLength).check(z.regex(CONTROL, "Use one line without special characters"));

const email = () =>
  text(2 * EMAIL_MAX_LENGTH).check(
    z.overwrite((address) => canonicalEmail(address) ?? address),
    z.refine(
      (address) => canonicalEmail(address) === address,
      "Check the address: it should look like name@example.org",
    ),
  );
const phone = () => line(PHONE_MAX_LENGTH).check(z.regex(PHONE_PATTERN, PHONE_HINT));
const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.union([z.literal(""), schema]);
const day = () => z.iso.date({ error: ({ input }) => noSuchDay(input) });

interface DayBounds {
  earliest: string | null;
  latest: string | null;
}

const longDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const sayDay = (day: string | null): string => (day === null ? "" : longDay.format(new Date(`${day}T00:00:00Z`)));

const dayWithin = (dayOf: (answer: string) => string, { earliest, latest }: DayBounds) => [
  z.refine<string>(
    (answer) => earliest === null || dayOf(answer) >= earliest,
    `Enter a date from ${sayDay(earliest)} on`,
  ),
  z.refine<string>((answer) => latest === null || dayOf(answer) <= latest, `Enter a date up to ${sayDay(latest)}`),
];

const within = ({ min, max }: { min: number | null; max: number | null }, say: (amount: number) => string) => [
  z.refine<number>((amount) => min === null || amount >= min, `Enter ${say(min ?? 0)} or more`),
  z.refine<number>((amount) => max === null || amount <= max, `Enter ${say(max ?? 0)} or less`),
];

const oneOf = (options: readonly { value: string }[]) =>
  z.string().check(z.refine((choice) => options.some(({ value }) => value === choice), "Choose one of the answers"));

const several = (options: readonly { value: string }[]) =>
  z.array(oneOf(options)).check(
    z.maxLength(options.length),
    z.refine((chosen) => new Set(chosen).size === chosen.length, "Choose each answer once"),
  );

const atLeast = (count: number | null) =>
  z.refine<readonly unknown[]>((chosen) => count === null || chosen.length >= count, `Choose at least ${count ?? 0}`);
const atMost = (count: number | null) =>
  z.refine<readonly unknown[]>((chosen) => count === null || chosen.length <= count, `Choose at most ${count ?? 0}`);

const signature = () =>
  z.strictObject({
    name: line(PART_MAX_LENGTH),
    strokes: z
      .array(z.array(z.int().check(z.minimum(0), z.maximum(COORDINATE_MAX))).check(z.maxLength(SIGNATURE_POINTS_MAX)))
      .check(z.maxLength(SIGNATURE_STROKES_MAX)),
  });

const answeredFile = () =>
  z.strictObject({
    id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
    name: line(200),
    bytes: z.int().check(z.minimum(1)),
  });

type TextType =
  | "short_text"
  | "long_text"
  | "number"
  | "money"
  | "date"
  | "birth_date"
  | "time"
  | "date_time"
  | "email"
  | "phone";

/** A question that has one answer: not a repeat group, whose rows are looked at one by one. */
type SingleField = Exclude<AskedField | InnerField, { type: "repeat_group" }>;

/** A question of a version never changes, so what it takes is made once. */
const made = new WeakMap<SingleField, { currency: string; schema: z.ZodMiniType<AnswerValue> }>();

/**
 * What an answer to this question may be, whether one is needed or not. In one form: texts trimmed, addresses in the
 * form in which they are compared.
 */
export function answerSchemaOf(field: SingleField, currency: string): z.ZodMiniType<AnswerValue> {
  const known = made.get(field);
  if (known?.currency === currency) return known.schema;
  const schema = schemaOf(field, currency);
  made.set(field, { currency, schema });
  return schema;
}

function schemaOf(field: SingleField, currency: string): z.ZodMiniType<AnswerValue> {
  switch (field.type) {
    case "short_text":
      return line(field.maxLength);
    case "long_text":
      return text(field.maxLength);
    case "number":
      return z.number({ error: ({ input }) => amountHint(input, null) }).check(
        z.minimum(-NUMBER_MAX, "This number is too small"),
        z.maximum(NUMBER_MAX, "This number is too large"),
        ...within(field, String),
        z.refine((amount) => hasDecimals(amount, field.decimals), decimalsHint(field.decimals)),
      );
    case "money":
      return z.int({ error: ({ input }) => amountHint(input, fractionDigits(currency), currency) }).check(
        z.minimum(-MONEY_MAX_MINOR, "This amount is too small"),
        z.maximum(MONEY_MAX_MINOR, "This amount is too large"),
        // A minus before an amount that somebody has is a slip: it counts where the form says how far down it goes.
        z.refine((amount) => amount >= 0 || field.min !== null, "Enter the amount without a minus"),
        ...within(field, sayMoney(currency)),
      );
    case "date":
      return day().check(...dayWithin((answer) => answer, field));
    case "birth_date":
      return day().check(
        z.refine((answer) => answer >= EARLIEST_BIRTH_DAY, "Check the year: it is before 1900"),
        z.refine((answer) => answer <= new Date().toISOString().slice(0, 10), "This date is in the future"),
      );
    case "time":
      return z.iso.time({ precision: -1, error: "Enter a time such as 09:30" });
    case "date_time":
      return z
        .string()
        .check(z.regex(/T([01]\d|2[0-3]):[0-5]\d$/, "Enter a time such as 09:30"))
        .check(
          z.refine((answer) => day().safeParse(dayOf(answer)).success, {
            error: ({ input }) => noSuchDay(typeof input === "string" ? dayOf(input) : ""),
          }),
          ...dayWithin(dayOf, field),
        );
    case "email":
      return email();
    case "phone":
      return phone();
    default:
      return partsSchemaOf(field);
  }
}

/** Of several parts, or chosen. */
function partsSchemaOf(field: Exclude<SingleField, { type: TextType }>): z.ZodMiniType<AnswerValue> {
  switch (field.type) {
    case "name":
      return z.strictObject({ first: line(PART_MAX_LENGTH), last: line(PART_MAX_LENGTH) });
    case "address":
      return z.strictObject({
        line1: line(PART_MAX_LENGTH),
        line2: line(PART_MAX_LENGTH),
        town: line(PART_MAX_LENGTH),
        postcode: line(12),
        country: line(60),
      });
    case "contact":
      return z.strictObject({
        name: line(PART_MAX_LENGTH),
        relation: line(PART_MAX_LENGTH),
        email: optional(email()),
        phone: optional(phone()),
      });
    case "yes_no":
      return z.enum(field.hasUnsure ? ["yes", "no", "unsure"] : ["yes", "no"], "Choose one of the answers");
    case "one_of":
      return field.hasOther
        ? z.union(
            [
              oneOf(field.options),
              line(SHORT_TEXT_MAX_LENGTH).check(z.startsWith(OTHER_PREFIX), z.minLength(OTHER_PREFIX.length + 1)),
            ],
            "Choose one of the answers, or write your own",
          )
        : oneOf(field.options);
    case "any_of":
      return several(field.options).check(atLeast(field.atLeast), atMost(field.atMost));
    case "picture_choice":
      return several(field.options).check(atMost(field.atMost));
    case "ranking":
      return several(field.options).check(
        z.refine((chosen) => chosen.length === field.options.length, "Put all of them in order"),
      );
    case "rating":
      return z.int("Choose a number").check(z.minimum(field.from), z.maximum(field.to));
    case "matrix":
      return gridSchema(field);
    case "consent":
      return z.literal(AGREED, "Tick the box to agree");
    case "signature":
      return signature();
    case "file":
      return z.array(answeredFile()).check(z.maxLength(field.atMost, `Add at most ${field.atMost} files`));
  }
}

const gridSchema = ({ rows, columns, isEveryRowNeeded }: Extract<AskedField, { type: "matrix" }>) =>
  z.record(z.string(), oneOf(columns)).check(
    z.refine(
      (grid) => Object.keys(grid).every((id) => rows.some(({ value }) => value === id)),
      "Choose in the rows that are there",
    ),
    z.refine(
      (grid) => !isEveryRowNeeded || rows.every(({ value }) => Object.hasOwn(grid, value)),
      "Choose an answer in each row",
    ),
  );

const dayOf = (dateTime: string): string => dateTime.slice(0, dateTime.indexOf("T"));

const hasDecimals = (amount: number, decimals: number): boolean =>
  Math.abs(amount * 10 ** decimals - Math.round(amount * 10 ** decimals)) < 1e-6;
const decimalsHint = (decimals: number): string =>
  decimals === 0 ? "Enter a whole number" : `Use at most ${decimals} digits after the point`;

const sayMoney =
  (currency: string) =>
  (amountMinor: number): string => {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    return format.format(amountMinor / 10 ** fractionDigits(currency));
  };
