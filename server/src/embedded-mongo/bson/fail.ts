// The errors that the values side raises most.
import { MongoError } from "../values.ts";

export const badValue = (message: string): MongoError => new MongoError(2, "BadValue", message);
export const failedToParse = (message: string): MongoError => new MongoError(9, "FailedToParse", message);
export const typeMismatch = (message: string): MongoError => new MongoError(14, "TypeMismatch", message);
export const located = (code: number, message: string): MongoError => new MongoError(code, `Location${code}`, message);
/** What a MongoDB server could do and this engine cannot, named rather than guessed. */
export const unsupported = (what: string): MongoError =>
  new MongoError(2, "BadValue", `${what} is not supported by the embedded database`);
