// The values that every room of the engine passes to every other one.
import { Binary, BSONRegExp, Code, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp } from "bson";

export { Binary, BSONRegExp, Code, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp };

/**
 * One BSON value in memory.
 *
 * - embedded document: `Map`, so that key order, integer-like keys and `__proto__` survive; array: JS array
 * - int32, and every double that is not an integer within int32: JS `number`
 * - double that a `number` would turn into an int32 (5.0): `Double`; int64: `bigint`; decimal: `Decimal128`
 * - BSON `undefined`: `undefined`; a missing field is never represented by a value but by its absence
 * - symbol: string; regular expression: `BSONRegExp`; date: `Date`; binary, UUID: `Binary`
 */
export type Value =
  | Doc
  | Value[]
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Date
  | Double
  | Decimal128
  | ObjectId
  | Binary
  | BSONRegExp
  | Timestamp
  | Code
  | MinKey
  | MaxKey;

export type Doc = Map<string, Value>;

/** BSON bytes of one whole document. */
export type Bytes = Uint8Array;

export const isDoc = (value: Value): value is Doc => value instanceof Map;

/** An error with the code, name and labels that a MongoDB server would answer with. */
export class MongoError extends Error {
  code: number;
  codeName: string;
  labels: string[] = [];
  /** Further fields of the error reply, such as keyPattern and keyValue. */
  details: Doc = new Map();

  constructor(code: number, codeName: string, message: string) {
    super(message);
    this.code = code;
    this.codeName = codeName;
  }
}
