// The table of every expression operator.
import type { Operator } from "./expression-types.ts";
import { ARITHMETIC_OPERATORS } from "./operators-arithmetic.ts";
import { ARRAY_OPERATORS } from "./operators-array.ts";
import { CONVERT_OPERATORS } from "./operators-convert.ts";
import { DATE_OPERATORS } from "./operators-date.ts";
import { LOGIC_OPERATORS } from "./operators-logic.ts";
import { OBJECT_OPERATORS } from "./operators-object.ts";
import { STRING_OPERATORS } from "./operators-string.ts";

export const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ...ARITHMETIC_OPERATORS,
  ...LOGIC_OPERATORS,
  ...STRING_OPERATORS,
  ...CONVERT_OPERATORS,
  ...ARRAY_OPERATORS,
  ...OBJECT_OPERATORS,
  ...DATE_OPERATORS,
]);
