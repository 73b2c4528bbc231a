import { traitsOf } from "../store/collection-traits.ts";
import { numberOf } from "../store/index-spec.ts";
import { type Doc, isDoc, MongoError } from "../values.ts";
import { collationField, docField, docsField } from "./operation.ts";
import { invalidOptions } from "./refusals.ts";

const KEPT = ["collation", "changeStreamPreAndPostImages", "validator"];
const REFUSED = ["timeseries", "clusteredIndex", "encryptedFields", "expireAfterSeconds"];
const SHAPE = "capped size max viewOn pipeline validationLevel validationAction".split(" ");
const IGNORED = "storageEngine indexOptionDefaults autoIndexId idIndex uuid temp flags".split(" ");

export const CREATE_FIELDS = [...KEPT, ...REFUSED, ...SHAPE, ...IGNORED];
export const COLL_MOD_FIELDS = ["changeStreamPreAndPostImages", "validator", "validationLevel", "validationAction"];

const invalid = (message: string): MongoError => invalidOptions(message);

function checkValidation(command: Doc): void {
  const isUsual =
    (command.get("validationLevel") ?? "strict") === "strict" &&
    (command.get("validationAction") ?? "error") === "error";
  if (!isUsual)
    throw invalid("only validationLevel 'strict' with validationAction 'error' is supported by the embedded database");
}

/** The options of `create`, checked, in the form in which they are kept. */
export function createOptions(command: Doc): Doc {
  const options: Doc = new Map();
  for (const field of REFUSED) {
    const value = command.get(field);
    const isAsked = value !== undefined && value !== false && !(isDoc(value) && value.size === 0);
    if (isAsked) throw invalid(`create with ${field} is not supported by the embedded database`);
  }
  checkValidation(command);
  for (const field of KEPT) {
    const value = docField(command, field);
    if (value && value.size > 0) options.set(field, value);
  }
  const collation = collationField(command);
  if (collation) options.set("collation", collation.spec);
  else options.delete("collation");
  addCap(command, options);
  const on = command.get("viewOn");
  if (typeof on === "string" && on !== "")
    options.set("viewOn", on).set("pipeline", command.has("pipeline") ? docsField(command, "pipeline") : []);
  traitsOf(options);
  return options;
}

function addCap(command: Doc, options: Doc): void {
  if (command.get("capped") !== true) return;
  const size = numberOf(command.get("size")) ?? 0;
  if (!(size > 0)) throw invalid("the 'size' field is required when 'capped' is true");
  options.set("capped", true).set("size", size);
  const max = numberOf(command.get("max")) ?? 0;
  if (max > 0) options.set("max", max);
}

export function changedOptions(command: Doc, before: Doc): Doc {
  checkValidation(command);
  const options = new Map(before);
  for (const field of ["changeStreamPreAndPostImages", "validator"]) {
    const value = docField(command, field);
    if (value) options.set(field, value);
  }
  traitsOf(options);
  return options;
}
