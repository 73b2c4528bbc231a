// One command on its way through the engine, and how a command is described.
import { toVariables } from "../aggregate/expression-types.ts";
import { compileExpression } from "../aggregate/expressions.ts";
import { docOf } from "../bson/doc-of.ts";
import { located, typeMismatch } from "../bson/fail.ts";
import type { Engine } from "../engine.ts";
import { type Collation, parseCollation } from "../keys/collation.ts";
import type { Deadline, ReadView } from "../plan/find-rows.ts";
import { MISSING } from "../query/paths.ts";
import { checkCollectionName } from "../store/catalogue.ts";
import { numberOf } from "../store/index-spec.ts";
import type { Session } from "../transactions/sessions.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { Blocked } from "../transactions/write-intents.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import { commitFailed } from "./durably.ts";

export type ClientConnection = {
  id: number;
  address: string;
  appName: string | undefined;
  isClosed(): boolean;
  onClose(listener: () => void): () => void;
};

export type Operation = {
  engine: Engine;
  name: string;
  db: string;
  command: Doc;
  /** Documents of an insert, as bytes. */
  documents: Buffer[];
  session: Session | undefined;
  transaction: Transaction | undefined;
  /** Set for a retryable write. */
  retryNumber: bigint | undefined;
  deadline: Deadline | undefined;
  client: ClientConnection;
  view: ReadView;
  /** How many commits had failed when it began. */
  failures: number;
};

export type Command = {
  /** Fields of the command itself; others are refused by name. */
  fields: readonly string[];
  run(operation: Operation): Reply | Promise<Reply>;
  /** Waits for the disk before it answers. */
  isWrite?: boolean;
  isAllowedInTransaction?: boolean;
};

export const reply = (fields: Record<string, Value> = {}): Reply => ({ fields: docOf({ ...fields, ok: 1 }) });

const wrongType = (field: string, wanted: string): MongoError =>
  typeMismatch(`BSON field '${field}' is the wrong type, expected type '${wanted}'`);

export function docField(source: Doc, name: string): Doc | undefined {
  const value = source.get(name);
  if (value === undefined || value === null) return undefined;
  if (!isDoc(value)) throw wrongType(name, "object");
  return value;
}

export function docsField(source: Doc, name: string): Doc[] {
  const value = source.get(name);
  if (!Array.isArray(value)) throw wrongType(name, "array");
  return value.map((item) => {
    if (!isDoc(item)) throw wrongType(name, "object");
    return item;
  });
}

export function numberField(source: Doc, name: string): number | undefined {
  const value = source.get(name);
  if (value === undefined || value === null) return undefined;
  const number = numberOf(value);
  if (number === undefined) throw wrongType(name, "number");
  return Math.trunc(number);
}

export function countField(source: Doc, name: string): number | undefined {
  const value = numberField(source, name);
  if (value !== undefined && value < 0)
    throw located(51024, `BSON field '${name}' value must be >= 0, actual value '${value}'`);
  return value;
}

export const flagField = (source: Doc, name: string, fallback = false): boolean => {
  const value = source.get(name);
  if (value === undefined || value === null) return fallback;
  return typeof value === "boolean" ? value : (numberOf(value) ?? 0) !== 0;
};

/** Null is the simple collation, asked for in so many words; without any, the collection's own applies. */
export function collationField(source: Doc): Collation | null | undefined {
  const spec = docField(source, "collation");
  return spec && spec.size > 0 ? (parseCollation(spec) ?? null) : undefined;
}

const NO_DOCUMENT: Doc = new Map();

/** The variables of `let`, as filters and expressions see them. */
export function varsOf(source: Doc): Map<string, Value> {
  const vars = docOf({ NOW: new Date() });
  for (const [name, spec] of docField(source, "let") ?? []) {
    const value = compileExpression(spec, { variables: toVariables(vars) })(NO_DOCUMENT);
    if (value !== MISSING) vars.set(name, value);
  }
  return vars;
}

export function collectionName(operation: Operation, field = operation.name): string {
  const name = operation.command.get(field);
  if (typeof name !== "string")
    throw new MongoError(73, "InvalidNamespace", `collection name has invalid type for ${operation.name}`);
  checkCollectionName(operation.db, name);
  return name;
}

/** Runs a step that a transaction of someone else may hold up, as often as it takes. */
export async function whenFree<T>(operation: Operation, step: () => T): Promise<T> {
  for (;;) {
    // After a failed commit everything this operation has read or written so far may not be so.
    if (operation.engine.store.group.failures() !== operation.failures) throw commitFailed();
    try {
      return step();
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      await waitFor(error.holder, operation.deadline);
    }
  }
}

async function waitFor(holder: Transaction, deadline: Deadline | undefined): Promise<void> {
  if (deadline === undefined) return holder.ended;
  const { promise, reject } = Promise.withResolvers<never>();
  const expired = () => reject(new MongoError(50, "MaxTimeMSExpired", "operation exceeded time limit"));
  const timer = setTimeout(expired, Math.max(0, deadline.at - Date.now()));
  try {
    await Promise.race([holder.ended, promise]);
  } finally {
    clearTimeout(timer);
  }
}
