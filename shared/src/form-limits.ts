// What a form may be made of. Free of zod, because the page that fills one in loads it.
import type { FormKind } from "./form-kinds.ts";

export const FORM_KIND_NAMES = {
  questionnaire: "Questionnaire",
  intake: "Intake",
  screening: "Safety questions",
  disclosure: "Financial disclosure",
  feedback: "Feedback",
  lead: "Lead form",
} as const satisfies Record<FormKind, string>;

export const FIELD_TYPES = [
  "short_text",
  "long_text",
  "number",
  "money",
  "date",
  "time",
  "date_time",
  "birth_date",
  "email",
  "phone",
  "name",
  "address",
  "contact",
  "yes_no",
  "one_of",
  "any_of",
  "picture_choice",
  "rating",
  "matrix",
  "ranking",
  "consent",
  "signature",
  "file",
  "repeat_group",
  "statement",
  "hidden",
  "calculated",
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const FIELD_TYPE_NAMES = {
  short_text: "Short text",
  long_text: "Long text",
  number: "Number",
  money: "Money",
  date: "Date",
  time: "Time",
  date_time: "Date and time",
  birth_date: "Date of birth",
  email: "Email",
  phone: "Phone",
  name: "Name",
  address: "Address",
  contact: "Contact details",
  yes_no: "Yes or no",
  one_of: "One of",
  any_of: "Any of",
  picture_choice: "Pictures",
  rating: "Rating",
  matrix: "Grid",
  ranking: "Ranking",
  consent: "Consent",
  signature: "Signature",
  file: "File",
  repeat_group: "Repeat group",
  statement: "Statement",
  hidden: "Hidden value",
  calculated: "Calculated value",
} as const satisfies Record<FieldType, string>;

/** Who of the practice reads the answer. No other party ever does. */
export const SENSITIVITIES = ["practice", "mediator", "screening"] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];
export const SENSITIVITY_NAMES = {
  practice: "Practice team",
  mediator: "Mediator only",
  screening: "Those who may read screenings",
} as const satisfies Record<Sensitivity, string>;

export const FORM_PAGES_MAX = 30;
export const PAGE_FIELDS_MAX = 40;
export const FORM_FIELDS_MAX = 200;
export const GROUP_FIELDS_MAX = 15;
export const GROUP_ROWS_MAX = 20;
export const OPTIONS_MAX = 40;
export const MATRIX_ROWS_MAX = 20;
export const CONDITIONS_MAX = 10;
export const JUMPS_MAX = 10;
export const TERMS_MAX = 40;
export const LABEL_MAX_LENGTH = 300;
export const HELP_MAX_LENGTH = 1000;
export const STATEMENT_MAX_LENGTH = 4000;
export const OPTION_MAX_LENGTH = 200;
export const SHORT_TEXT_MAX_LENGTH = 200;
export const LONG_TEXT_MAX_LENGTH = 5000;
export const NUMBER_MAX = 1_000_000_000;
export const MONEY_MAX_MINOR = 100_000_000_000;
export const FILES_PER_FIELD_MAX = 5;
export const FORM_FILE_MAX_BYTES = 10 * 1024 * 1024;
/** Where pictures of answers are sent to and shown from. */
export const FORM_PICTURES_ADDRESS = "/form-pictures";
export const SUBMISSION_FILES_MAX_BYTES = 25 * 1024 * 1024;
export const SIGNATURE_STROKES_MAX = 60;
export const SIGNATURE_POINTS_MAX = 4000;
/** All answers of one submission, as JSON text. */
export const ANSWERS_MAX_LENGTH = 200_000;

export const OPERATORS = [
  "equals",
  "not_equals",
  "contains",
  "starts_with",
  "one_of",
  "includes_any",
  "includes_all",
  "includes_none",
  "gt",
  "gte",
  "lt",
  "lte",
  "before",
  "after",
  "is_empty",
  "is_set",
] as const;
export type Operator = (typeof OPERATORS)[number];

export const OPERATOR_NAMES = {
  equals: "is",
  not_equals: "is not",
  contains: "contains",
  starts_with: "starts with",
  one_of: "is one of",
  includes_any: "includes any of",
  includes_all: "includes all of",
  includes_none: "includes none of",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  before: "is before",
  after: "is after",
  is_empty: "has no answer",
  is_set: "has an answer",
} as const satisfies Record<Operator, string>;

const PRESENCE = ["is_empty", "is_set"] as const;
const TEXT = ["equals", "not_equals", "contains", "starts_with", ...PRESENCE] as const;
const COUNTS = ["equals", "not_equals", "gt", "gte", "lt", "lte"] as const;
const NUMBERS = [...COUNTS, ...PRESENCE] as const;
const TIMES = ["equals", "before", "after", ...PRESENCE] as const;
const ONE = ["equals", "not_equals", "one_of", ...PRESENCE] as const;
const MANY = ["includes_any", "includes_all", "includes_none", ...PRESENCE] as const;

/** What may be asked of an answer of this type. Of a repeat group it is the number of its rows. */
export const OPERATORS_OF = {
  short_text: TEXT,
  long_text: TEXT,
  number: NUMBERS,
  money: NUMBERS,
  date: TIMES,
  time: TIMES,
  date_time: TIMES,
  birth_date: TIMES,
  email: TEXT,
  phone: TEXT,
  name: PRESENCE,
  address: PRESENCE,
  contact: PRESENCE,
  yes_no: ONE,
  one_of: ONE,
  any_of: MANY,
  picture_choice: MANY,
  rating: NUMBERS,
  matrix: PRESENCE,
  ranking: PRESENCE,
  consent: PRESENCE,
  signature: PRESENCE,
  file: PRESENCE,
  repeat_group: COUNTS,
  statement: [],
  hidden: TEXT,
  calculated: COUNTS,
} as const satisfies Record<FieldType, readonly Operator[]>;

/** Operators that compare with nothing. */
export const isPresence = (operator: Operator): boolean => operator === "is_empty" || operator === "is_set";
/** Operators that compare with several values. */
export const takesSeveral = (operator: Operator): boolean => operator === "one_of" || operator.startsWith("includes_");

/** Answers of "yes or no"; the third only where the question offers it. */
export const YES_NO = ["yes", "no", "unsure"] as const;
export const YES_NO_NAMES = { yes: "Yes", no: "No", unsure: "I am not sure" } as const;
/** The answer of a consent that was given. */
export const AGREED = "agreed";
