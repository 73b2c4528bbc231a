import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { asNumber } from "../bson/numbers.ts";
import { typeName } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import type { Pace, Pause } from "../pace.ts";
import type { Variables } from "../expressions/expression-types.ts";

/** Documents, and where a stage waits until others were heard. */
export type Docs = Iterable<Doc | Pause>;
export type Stage = (input: Docs) => Docs;

/** Gives the documents of a collection, those that match the filter first of all when an index can tell. */
export type ReadCollection = (name: string, filter?: Doc) => Docs;

export type StageContext = {
  collation?: Collation | undefined;
  variables: Variables;
  readCollection: ReadCollection;
  compilePipeline(stages: Doc[], context: StageContext): Stage;
  /** For stages that work for long on what they hold. */
  pace?: Pace | undefined;
};

export type StageCompiler = (argument: Value, context: StageContext, name: string) => Stage;

export function requireDoc(argument: Value, name: string, code: number): Doc {
  if (argument instanceof Map) return argument;
  throw located(code, `the ${name} stage specification must be an object, but found ${typeName(argument)}`);
}

export function requireString(value: Value, what: string): string {
  if (typeof value === "string") return value;
  throw located(9, `${what} must be a string, but found ${typeName(value)}`);
}

export function requireCount(value: Value, what: string, code: number, least: number): number {
  const number = asNumber(value);
  if (Number.isInteger(number) && number >= least) return number;
  throw located(code, `invalid argument to ${what}: expected an integer of at least ${least}`);
}

export function requirePipeline(value: Value, name: string): Doc[] {
  if (Array.isArray(value)) return value.map((stage) => requireDoc(stage, name, 40171));
  throw located(40170, `arguments to ${name} must be arrays of stages, but found ${typeName(value)}`);
}

export function checkOptions(spec: Doc, known: string[], name: string, code: number): void {
  const unknown = spec.keys().find((key) => !known.includes(key));
  if (unknown !== undefined) throw located(code, `unknown argument to ${name}: ${unknown}`);
}
