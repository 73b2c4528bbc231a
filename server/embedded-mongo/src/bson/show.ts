// Values as MongoDB's error messages print them.
import { Binary, BSONRegExp, Decimal128, Double, ObjectId, Timestamp, type Value } from "../values.ts";
import { typeName } from "./types.ts";

const LONGEST = 400;

export function showValue(value: Value): string {
  const text = show(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

function show(value: Value): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (value instanceof Map) {
    const fields = [...value].map(([name, item]) => `${name}: ${show(item)}`).join(", ");
    return fields === "" ? "{}" : `{ ${fields} }`;
  }
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(show).join(", ")} ]`;
  if (value instanceof Double) return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
  if (value instanceof Decimal128) return value.toString();
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Timestamp) return `Timestamp(${value.t}, ${value.i})`;
  if (value instanceof BSONRegExp) return `/${value.pattern}/${value.options}`;
  if (value instanceof Binary)
    return `BinData(${value.sub_type}, ${Buffer.from(value.value()).toString("hex").toUpperCase()})`;
  return typeName(value);
}
