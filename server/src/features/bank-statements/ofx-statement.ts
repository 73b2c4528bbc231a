// OFX of either kind: as XML, or older as SGML whose values have no end tags.
import { fractionDigits } from "@app/shared/currency-digits";
import { cutText } from "@app/shared/cut-text";
import {
  type LeftOut,
  noteUnreadable,
  nothingLeftOut,
  PAYER_NAME_MAX_LENGTH,
  type ReadLine,
  TEXT_MAX_LENGTH,
} from "./bank-line.ts";
import { bankAmount, bankDay } from "./bank-values.ts";
import { readMarkup } from "./markup-events.ts";

const TRANSACTION = "STMTTRN";

export function readOfx(text: string, practiceCurrency: string): { lines: ReadLine[]; leftOut: LeftOut } {
  const leftOut = nothingLeftOut();
  const lines: ReadLine[] = [];
  const about = { currency: practiceCurrency, account: "" };
  let fields: Record<string, string> | null = null;
  let row = 0;
  readMarkup(text, {
    open(path) {
      if (path.at(-1) !== TRANSACTION) return;
      fields = {};
      row += 1;
    },
    text(path, value) {
      const name = path.at(-1) ?? "";
      if (fields) fields[name] ??= value;
      else if (name === "CURDEF" && /^[A-Z]{3}$/.test(value)) about.currency = value;
      else if (name === "ACCTID") about.account = value;
    },
    close(path) {
      if (path.at(-1) !== TRANSACTION || !fields) return;
      const line = lineOf(fields, about);
      fields = null;
      if (line === null) noteUnreadable(leftOut, row);
      else if (line === "out") leftOut.paidOut += 1;
      else lines.push(line);
    },
  });
  return { lines, leftOut };
}

type About = Pick<ReadLine, "currency" | "account">;

function lineOf(fields: Record<string, string>, { currency, account }: About): ReadLine | "out" | null {
  const amount = fields["TRNAMT"] ?? "";
  const decimal = amount.includes(",") && !amount.includes(".") ? "," : ".";
  const amountMinor = bankAmount(amount, decimal, fractionDigits(currency));
  const on = bankDay((fields["DTPOSTED"] ?? "").slice(0, 8), "dmy");
  if (amountMinor === null) return null;
  if (amountMinor <= 0) return "out";
  if (on === null) return null;
  return {
    on,
    amountMinor,
    currency,
    account,
    payerName: cutText(fields["NAME"] ?? "", PAYER_NAME_MAX_LENGTH),
    text: cutText([fields["MEMO"], fields["CHECKNUM"], fields["REFNUM"]].filter(Boolean).join(" "), TEXT_MAX_LENGTH),
  };
}
