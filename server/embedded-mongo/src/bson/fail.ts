// The errors of the engine, each with the code and name that a MongoDB server gives it.
import { MongoError } from "../values.ts";

const CODE_NAMES = new Map([
  [2, "BadValue"],
  [8, "UnknownError"],
  [9, "FailedToParse"],
  [13, "Unauthorized"],
  [14, "TypeMismatch"],
  [15, "Overflow"],
  [17, "ProtocolError"],
  [20, "IllegalOperation"],
  [21, "InvalidLength"],
  [22, "InvalidBSON"],
  [24, "LockTimeout"],
  [26, "NamespaceNotFound"],
  [27, "IndexNotFound"],
  [28, "PathNotViable"],
  [40, "ConflictingUpdateOperators"],
  [43, "CursorNotFound"],
  [47, "NoMatchingDocument"],
  [48, "NamespaceExists"],
  [50, "MaxTimeMSExpired"],
  [52, "DollarPrefixedFieldName"],
  [53, "InvalidIdField"],
  [54, "NotSingleValueField"],
  [56, "EmptyFieldName"],
  [59, "CommandNotFound"],
  [66, "ImmutableField"],
  [67, "CannotCreateIndex"],
  [72, "InvalidOptions"],
  [73, "InvalidNamespace"],
  [85, "IndexOptionsConflict"],
  [86, "IndexKeySpecsConflict"],
  [112, "WriteConflict"],
  [117, "ConflictingOperationInProgress"],
  [121, "DocumentValidationFailure"],
  [125, "CommandFailed"],
  [146, "ExceededMemoryLimit"],
  [166, "CommandNotSupportedOnView"],
  [168, "InvalidPipelineOperator"],
  [171, "CannotIndexParallelArrays"],
  [175, "QueryPlanKilled"],
  [197, "InvalidIndexSpecificationOption"],
  [225, "TransactionTooOld"],
  [237, "CursorKilled"],
  [241, "ConversionFailure"],
  [246, "SnapshotUnavailable"],
  [251, "NoSuchTransaction"],
  [256, "TransactionCommitted"],
  [260, "InvalidResumeToken"],
  [263, "OperationNotSupportedInTransaction"],
  [279, "ClientDisconnect"],
  [280, "ChangeStreamFatalError"],
  [286, "ChangeStreamHistoryLost"],
  [292, "QueryExceededMemoryLimitNoDiskUseAllowed"],
  [322, "APIVersionError"],
  [323, "APIStrictError"],
  [10334, "BSONObjectTooLarge"],
  [11000, "DuplicateKey"],
  [11600, "InterruptedAtShutdown"],
  [11601, "Interrupted"],
  [12051, "CursorInUse"],
  [13113, "MergeStageNoMatchingDocument"],
  [14031, "OutOfDiskSpace"],
  [31082, "SearchNotEnabled"],
]);

/** An error by its code; codes without a name of their own are called after the place that raises them. Drivers act on labels. */
export function located(code: number, message: string, label?: string): MongoError {
  const error = new MongoError(code, CODE_NAMES.get(code) ?? `Location${code}`, message);
  if (label) error.labels.push(label);
  return error;
}
export const badValue = (message: string): MongoError => located(2, message);
export const failedToParse = (message: string): MongoError => located(9, message);
export const typeMismatch = (message: string): MongoError => located(14, message);
/** What a MongoDB server could do and this engine cannot, named rather than guessed. */
export const unsupported = (what: string): MongoError => badValue(`${what} is not supported by the embedded database`);
