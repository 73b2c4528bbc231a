// The recipients on a list that somebody chose.
import { parse } from "csv-parse/sync";
import { cutText } from "@app/shared/cut-text";
import { MAILING_RECIPIENTS_MAX } from "@app/shared/mailings";
import { emailSchema } from "@app/shared/text";
import { z } from "zod";
import { badField } from "../../core/errors.ts";
import { foreignWork } from "../../core/foreign-work.ts";
import { assertNotTooMany, OF_THE_LIST, type Recipient } from "./recipients.ts";

const NAME_MAX_LENGTH = 100;
const ROW_MAX_LENGTH = 10_000;
/** What is behind them is one more, delimiters and all, so that the length of a row bounds how many it has. */
const CELLS_MAX = 200;
const ADDRESS_HEADINGS = ["value", "address", "email", "e-mail", "email address", "mail"];
const NAME_HEADINGS = ["label", "name", "full name"];

/** Of a text in CSV. */
export const work = foreignWork(z.string(), recipientsOfCsv);

/**
 * Recipients of a CSV text: the address under `value` or `email`, the name under `label` or `name`; without headings
 * the first and the second column. Throws BAD_REQUEST where it is no such list.
 */
export function recipientsOfCsv(csv: string): Recipient[] {
  const [first = [], ...rest] = rowsOf(csv);
  const headings = first.map((cell) => cell.trim().toLowerCase());
  const addressAt = headings.findIndex((heading) => ADDRESS_HEADINGS.includes(heading));
  const isHeaded = addressAt >= 0;
  if (!isHeaded && !first.some((cell) => cell.includes("@")))
    throw badField(
      "csv",
      "Name the column of the addresses “value” or “email” in the first row, that of the names “label” or “name”.",
    );
  const nameAt = isHeaded ? headings.findIndex((heading) => NAME_HEADINGS.includes(heading)) : 1;
  const rows = isHeaded ? rest : [first, ...rest];
  assertNotTooMany(rows.length);
  return rows.map((cells) => ofCells(cells[isHeaded ? addressAt : 0] ?? "", cells[nameAt] ?? ""));
}

const rowsSchema = z.array(z.array(z.string()));

function rowsOf(csv: string): string[][] {
  const text = csv.replace(/^\uFEFF/, "");
  const [line = ""] = text.split(/\r?\n/, 1);
  const delimiter = [";", "\t"].find((sign) => line.includes(sign) && !line.includes(",")) ?? ",";
  return rowsSchema.parse(
    parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: ROW_MAX_LENGTH,
      ignore_last_delimiters: CELLS_MAX + 1,
      // With its headings, and one more than may be.
      to: MAILING_RECIPIENTS_MAX + 2,
    }),
  );
}

function ofCells(address: string, name: string): Recipient {
  const parsed = emailSchema.safeParse(address);
  const plainName = cutText(name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim(), NAME_MAX_LENGTH);
  if (parsed.success) return { address: parsed.data, name: plainName, clientId: null, reason: "" };
  return {
    address: cutText(address, NAME_MAX_LENGTH),
    name: plainName,
    clientId: null,
    reason: address ? OF_THE_LIST.noAddress : OF_THE_LIST.noRow,
  };
}
