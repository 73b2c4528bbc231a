import { type InvoiceSettings, setInvoiceSettingsSchema, type SetInvoiceSettings } from "@app/shared/invoices";
import { validateWith } from "../../core/validate.ts";
import { readAmount, typedAmount } from "../../ui/amount-field.tsx";
import { plainFields } from "../../ui/version-fields.ts";

/** What stands on every invoice of the practice, as it stands in the form. */
export interface SettingsValues {
  prefix: string;
  nextNumber: number | null;
  isVatRegistered: boolean;
  vatNumber: string;
  daysToPay: number | null;
  address: string;
  bankDetails: string;
  footer: string;
  /** As it is typed. */
  voucherCap: string;
  /** Days, with commas between them. */
  reminders: string;
}

export const settingsValues = (settings: InvoiceSettings): SettingsValues => ({
  prefix: settings.prefix,
  nextNumber: settings.nextNumber,
  isVatRegistered: settings.isVatRegistered,
  vatNumber: settings.vatNumber,
  daysToPay: settings.daysToPay,
  address: settings.address,
  bankDetails: settings.bankDetails,
  footer: settings.footer,
  voucherCap: typedAmount(settings.voucherCapMinor, settings.currency),
  reminders: settings.reminderDays.join(", "),
});

/** NaN for what is no day. */
const daysIn = (text: string): number[] =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((day) => (/^\d{1,4}$/.test(day) ? Number(day) : Number.NaN));

const given = ({ reminders, voucherCap, ...rest }: SettingsValues, version: number) => ({
  ...rest,
  // Pounds: the scheme is one of England and Wales.
  voucherCapMinor: voucherCap.trim() === "" ? 0 : (readAmount(voucherCap, "GBP") ?? Number.NaN),
  reminderDays: daysIn(reminders),
  version,
});

/** What is sent; call it on values that `settingsProblems` finds nothing in. */
export const settingsOf = (values: SettingsValues, version: number): SetInvoiceSettings =>
  setInvoiceSettingsSchema.parse(given(values, version));

const check = validateWith(setInvoiceSettingsSchema);

export function settingsProblems(values: SettingsValues): Record<string, string> {
  const problems = check(given(values, 0));
  const aboutDays = Object.entries(problems).find(([field]) => field.startsWith("reminderDays"));
  const { voucherCapMinor, ...others } = Object.fromEntries(
    Object.entries(problems).filter(([field]) => !field.startsWith("reminderDays")),
  );
  return {
    ...others,
    ...(voucherCapMinor ? { voucherCap: voucherCapMinor } : {}),
    ...(values.nextNumber === null ? { nextNumber: "Enter the number that the next invoice gets" } : {}),
    ...(values.daysToPay === null ? { daysToPay: "Enter how many days payers have, 0 for at once" } : {}),
    ...(aboutDays ? { reminders: remindersHint(values.reminders, aboutDays[1]) } : {}),
  };
}

const remindersHint = (typed: string, message: string): string =>
  daysIn(typed).some((day) => Number.isNaN(day) || day < 1 || day > 365)
    ? "Enter days as numbers from 1 to 365 with commas between them, such as 7, 14, 30"
    : message;

/** What two versions are compared by, and in which words. */
export const SETTINGS_FIELDS = plainFields<SettingsValues>(
  {
    prefix: "Beginning of the number",
    nextNumber: "Next number",
    isVatRegistered: "Registered for VAT",
    vatNumber: "VAT number",
    daysToPay: "Days to pay",
    address: "Address",
    bankDetails: "Bank details",
    footer: "Last line",
    voucherCap: "Voucher scheme pays at most",
    reminders: "Reminders",
  },
  { nextNumber: (number) => String(number ?? ""), daysToPay: (days) => String(days ?? "") },
);
