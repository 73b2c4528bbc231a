import type { CreateClient } from "@app/shared/clients";
import type { VersionField } from "../../ui/version-fields.ts";

type Reach = Pick<CreateClient, "phones" | "address">;

const ADDRESS_ROWS = 2;

/** An address always has its two rows on the screen. */
export function withAddressRows<Values extends Reach>(values: Values): Values {
  const { lines } = values.address;
  const rows = Array.from({ length: Math.max(ADDRESS_ROWS, lines.length) }, (_, row) => lines[row] ?? "");
  return { ...values, address: { ...values.address, lines: rows } };
}

/** Rows that were left empty on the screen are not part of the person. */
export const withoutEmptyRows = <Values extends Reach>(values: Values): Values => ({
  ...values,
  phones: values.phones.filter(({ number }) => number.trim() !== ""),
  address: { ...values.address, lines: values.address.lines.filter((line) => line.trim() !== "") },
});

/** The same fields, for which an empty row on the screen makes no difference. */
export const withoutRows = <Values extends Reach>(fields: VersionField<Values>[]): VersionField<Values>[] =>
  fields.map((field) => ({ ...field, value: (values) => field.value(withoutEmptyRows(values)) }));

export const phonesText = (phones: Reach["phones"]): string =>
  phones.map(({ number, type, isPreferred }) => `${number} (${type}${isPreferred ? ", first" : ""})`).join(", ");

export const addressText = ({ lines, postcode, country }: Reach["address"]): string =>
  [...lines, postcode, country].filter(Boolean).join(", ");
