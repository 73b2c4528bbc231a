// The cells that clients and contacts have in common.
import type { CreateClient } from "@app/shared/clients";
import { ADDRESS_LINES_MAX } from "@app/shared/clients";
import { partsOfName } from "@app/shared/names";
import { partsOf } from "../../core/cell-values.ts";
import type { RowReader } from "./row-reader.ts";

const PHONES = [
  { field: "phone", type: "mobile" },
  { field: "mobile", type: "mobile" },
  { field: "homePhone", type: "home" },
  { field: "workPhone", type: "work" },
] as const;
const PHONE_DIGITS = 9;
const PLACE_FIELDS = ["address", "address2", "town", "county"] as const;

/** First and last name, or both out of one cell: "Ellery, Maya" and "Maya Ellery" are the same. */
export function namesOf(reader: RowReader): { firstName: string; lastName: string } {
  const firstName = reader.text("firstName");
  const lastName = reader.text("lastName");
  const whole = firstName || lastName ? "" : reader.text("fullName");
  return whole ? partsOfName(whole) : { firstName, lastName };
}

export function phonesOf(reader: RowReader): CreateClient["phones"] {
  const found = PHONES.flatMap(({ field, type }) =>
    partsOf(reader.text(field), /[;,/]/).map((number) => ({ type, number: number.replaceAll(".", " ") })),
  );
  const numbers = new Set<string>();
  const different = found.filter(({ number }) => {
    const digits = number.replace(/\D/g, "");
    const isNew = !numbers.has(digits);
    numbers.add(digits);
    return isNew;
  });
  return different.map((phone, index) => ({ ...phone, isPreferred: index === 0 }));
}

/** What two numbers have in common however they are written: their last digits. */
export const phoneKeys = (phones: { number: string }[]): string[] =>
  phones
    .map(({ number }) => number.replace(/\D/g, "").slice(-PHONE_DIGITS))
    .filter((digits) => digits.length === PHONE_DIGITS);

export function placeOf(reader: RowReader): CreateClient["address"] {
  const parts = PLACE_FIELDS.flatMap((field) => partsOf(reader.lines(field), /\n/));
  // A whole address in one cell: its commas stand where its lines end, as far as there is room.
  const lines = parts.length > 1 ? parts : partsOf(parts[0] ?? "", /,/);
  const room = lines.slice(0, ADDRESS_LINES_MAX - 1);
  const rest = lines.slice(ADDRESS_LINES_MAX - 1);
  return {
    lines: rest.length > 0 ? [...room, rest.join(", ")] : room,
    postcode: reader.text("postcode").toUpperCase(),
    country: reader.text("country"),
  };
}

/** Which cell a refusal of the schema is about. */
export const fieldOfPerson =
  (reader: RowReader) =>
  ([field, part]: PropertyKey[]): string => {
    const isFilled = (name: string) => reader.lines(name) !== "";
    if (field === "phones") return PHONES.map((phone) => phone.field).find(isFilled) ?? "phone";
    if (field === "address") return part === "postcode" || part === "country" ? part : "address";
    if (field === "safeContact") return part === "note" ? "safetyNote" : String(part);
    if ((field === "firstName" || field === "lastName") && isFilled("fullName")) return "fullName";
    return String(field);
  };
