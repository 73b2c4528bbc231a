// The table of every expression operator.
import type { Operator } from "./expression-types.ts";

export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([]);
