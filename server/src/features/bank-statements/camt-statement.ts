// CAMT.053, the statement of an account by ISO 20022: what was booked, with the transactions that a booking holds.
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

interface Part {
  amount: string;
  currency: string;
  direction: string;
  payerName: string;
  texts: string[];
}
interface Entry extends Part {
  status: string;
  isReversal: boolean;
  bookedOn: string;
  valueOn: string;
  parts: Part[];
}

const TEXTS_MAX = 20;
const part = (): Part => ({ amount: "", currency: "", direction: "", payerName: "", texts: [] });

export function readCamt(text: string): { lines: ReadLine[]; leftOut: LeftOut } {
  const leftOut = nothingLeftOut();
  const lines: ReadLine[] = [];
  let account = "";
  let entry: Entry | null = null;
  let row = 0;
  readMarkup(text, {
    open(path, attributes) {
      const name = path.at(-1);
      if (name === "Ntry") {
        entry = { ...part(), status: "", isReversal: false, bookedOn: "", valueOn: "", parts: [] };
        row += 1;
      } else if (entry && name === "TxDtls") entry.parts.push(part());
      else if (entry && name === "Amt") ofAmount(entry, path).currency = attributes["Ccy"] ?? "";
    },
    text(path, value) {
      if (entry) note(entry, insideEntry(path), value);
      else if (/\/Acct\/Id\/(IBAN|Othr\/Id)$/.test(path.join("/"))) account = value;
    },
    close(path) {
      if (path.at(-1) !== "Ntry" || !entry) return;
      take(entry, { row, account, lines, leftOut });
      entry = null;
    },
  });
  return { lines, leftOut };
}

const insideEntry = (path: readonly string[]): string => path.slice(path.lastIndexOf("Ntry") + 1).join("/");

/** Of the transaction that is open in a booking, or of the booking itself. */
const placeIn = (entry: Entry, inside: string): Part =>
  (inside.includes("TxDtls/") ? entry.parts.at(-1) : undefined) ?? entry;

const AMOUNTS = /^(Amt|NtryDtls\/TxDtls\/(Amt|AmtDtls\/TxAmt\/Amt))$/;
const UNUSED = part();
function ofAmount(entry: Entry, path: readonly string[]): Part {
  const inside = insideEntry(path);
  return AMOUNTS.test(inside) ? placeIn(entry, inside) : { ...UNUSED };
}

function note(entry: Entry, inside: string, value: string): void {
  const place = placeIn(entry, inside);
  const within = inside.replace(/^NtryDtls\/TxDtls\//, "");
  if (AMOUNTS.test(inside)) place.amount ||= value;
  else if (within === "CdtDbtInd") place.direction = value;
  else if (/^(RmtInf\/Ustrd|RmtInf\/Strd\/.*\/?Ref|AddtlTxInf|AddtlNtryInf|Refs\/EndToEndId)$/.test(within)) {
    if (place.texts.length < TEXTS_MAX && value !== "NOTPROVIDED") place.texts.push(value);
  } else if (/^RltdPties\/Dbtr\/(Pty\/)?Nm$/.test(within)) place.payerName = value;
  else if (inside === "Sts" || inside === "Sts/Cd") entry.status = value;
  else if (inside === "RvslInd") entry.isReversal = value === "true" || value === "1";
  else if (/^BookgDt\/Dt(Tm)?$/.test(inside)) entry.bookedOn = value;
  else if (/^ValDt\/Dt(Tm)?$/.test(inside)) entry.valueOn = value;
}

interface Place {
  row: number;
  account: string;
  lines: ReadLine[];
  leftOut: LeftOut;
}

function take(entry: Entry, { row, account, lines, leftOut }: Place): void {
  if (entry.direction !== "CRDT") return void (leftOut.paidOut += 1);
  // What the bank gives back of a payment that the practice made is no payment of an invoice.
  if (entry.isReversal || (entry.status !== "" && entry.status !== "BOOK")) return void (leftOut.notBooked += 1);
  const on = bankDay((entry.bookedOn || entry.valueOn).slice(0, 10), "dmy");
  const whole = amountOf(entry, entry.currency);
  if (on === null || whole === null || whole <= 0) return noteUnreadable(leftOut, row);
  for (const { amountMinor, of } of partsOf(entry, whole))
    lines.push({
      on,
      amountMinor,
      currency: entry.currency,
      account,
      payerName: cutText(of.payerName || entry.payerName, PAYER_NAME_MAX_LENGTH),
      text: cutText([...new Set([...of.texts, ...(of === entry ? [] : entry.texts)])].join(" "), TEXT_MAX_LENGTH),
    });
}

const amountOf = ({ amount }: Part, currency: string): number | null =>
  /^[A-Z]{3}$/.test(currency) ? bankAmount(amount, ".", fractionDigits(currency)) : null;

/** The transactions of a booking where they come to what was booked; otherwise the booking as one. */
function partsOf(entry: Entry, whole: number): { amountMinor: number; of: Part }[] {
  const [only] = entry.parts;
  if (only && entry.parts.length === 1) return [{ amountMinor: whole, of: only }];
  const parts = entry.parts.map((of) => ({ amountMinor: amountOf(of, of.currency) ?? 0, of }));
  const isWhole =
    parts.every(
      ({ amountMinor, of }) => amountMinor > 0 && of.currency === entry.currency && of.direction !== "DBIT",
    ) && parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0) === whole;
  return isWhole && parts.length > 0 ? parts : [{ amountMinor: whole, of: entry }];
}
