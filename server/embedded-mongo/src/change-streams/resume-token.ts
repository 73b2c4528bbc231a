import { docOf } from "../bson/doc-of.ts";
import { badValue, located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";

/** A place in the log of changes: after this change, and whether it was the end of its stream. */
export type Position = { seq: number; isInvalidate: boolean };

const SHAPE = /^82([0-9a-f]{16})(0[01])$/;

export const tokenFor = ({ seq, isInvalidate }: Position): Doc =>
  docOf({ _data: `82${seq.toString(16).padStart(16, "0")}${isInvalidate ? "01" : "00"}` });

export function positionOf(token: Value): Position {
  const data = isDoc(token) ? token.get("_data") : undefined;
  const found = typeof data === "string" ? SHAPE.exec(data.toLowerCase()) : null;
  if (!found) throw located(260, "the resume token is not one of this server's");
  return { seq: Number.parseInt(found[1] ?? "", 16), isInvalidate: found[2] === "01" };
}

/** The error after which a stream cannot go on. */
export const fatal = (code: number, message: string): MongoError =>
  located(code, message, "NonResumableChangeStreamError");

export type StreamOptions = {
  fullDocument: string;
  beforeChange: string;
  showsExpanded: boolean;
  isWholeCluster: boolean;
  resumeAfter: Value;
  startAfter: Value;
  startAt: Value;
};

const CHOICES = {
  fullDocument: ["default", "updateLookup", "whenAvailable", "required"],
  fullDocumentBeforeChange: ["off", "whenAvailable", "required"],
};
const STARTS = ["resumeAfter", "startAfter", "startAtOperationTime"];
const FIELDS = new Set([...Object.keys(CHOICES), ...STARTS, "allChangesForCluster", "showExpandedEvents"]);

function choice(spec: Doc, name: keyof typeof CHOICES): string {
  const value = spec.get(name) ?? CHOICES[name][0];
  if (typeof value === "string" && CHOICES[name].includes(value)) return value;
  throw badValue(`Enumeration value '${showValue(value)}' for field '$changeStream.${name}' is not a valid value.`);
}

export function streamOptions(spec: Value): StreamOptions {
  if (!isDoc(spec)) throw located(6188500, "the $changeStream stage must be specified as an object");
  for (const field of spec.keys()) {
    if (!FIELDS.has(field)) throw located(40415, `BSON field '$changeStream.${field}' is an unknown field.`);
  }
  const starts = STARTS.filter((field) => spec.has(field));
  if (starts.length > 1)
    throw located(40674, `Only one type of resume option is allowed, but multiple were found: ${starts.join(", ")}`);
  return {
    fullDocument: choice(spec, "fullDocument"),
    beforeChange: choice(spec, "fullDocumentBeforeChange"),
    showsExpanded: spec.get("showExpandedEvents") === true,
    isWholeCluster: spec.get("allChangesForCluster") === true,
    resumeAfter: spec.get("resumeAfter"),
    startAfter: spec.get("startAfter"),
    startAt: spec.get("startAtOperationTime"),
  };
}
