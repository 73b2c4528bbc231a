import {
  type Price,
  PRICE_KIND_NAMES,
  PRICE_UNIT_NAMES,
  type PriceFields,
  priceFieldsSchema,
  type PriceKind,
  type PriceUnit,
} from "@app/shared/prices";
import { validateWith } from "../../core/validate.ts";
import { amountProblem, readAmount, typedAmount } from "../../ui/amount-field.tsx";
import { plainFields } from "../../ui/version-fields.ts";
import { rateProblem, readRate, typedRate } from "./vat-rate.ts";

/** A price as it stands in the form. */
export interface PriceValues {
  code: string;
  name: string;
  kind: PriceKind | "";
  amount: string;
  vatRate: string;
  per: PriceUnit | "";
  validFrom: string;
  validTo: string;
}

/** `vatRate` is empty where the practice has to choose one. */
export const emptyPrice = (vatRate: string): PriceValues => ({
  code: "",
  name: "",
  kind: "",
  amount: "",
  vatRate,
  per: "",
  validFrom: "",
  validTo: "",
});

export const priceValues = ({ amountMinor, vatRateBp, currency, ...price }: Price): PriceValues => ({
  code: price.code,
  name: price.name,
  kind: price.kind,
  amount: typedAmount(amountMinor, currency),
  vatRate: typedRate(vatRateBp),
  per: price.per,
  validFrom: price.validFrom,
  validTo: price.validTo,
});

const given = ({ amount, vatRate, ...rest }: PriceValues, currency: string) => ({
  ...rest,
  amountMinor: readAmount(amount, currency),
  vatRateBp: readRate(vatRate),
});

/** What is sent; call it on values that `priceProblems` finds nothing in. */
export const priceOf = (values: PriceValues, currency: string): PriceFields =>
  priceFieldsSchema.parse(given(values, currency));

const check = validateWith(priceFieldsSchema);

export function priceProblems(values: PriceValues, currency: string): Record<string, string> {
  const { amountMinor, vatRateBp, ...problems } = check(given(values, currency));
  const amount = amountProblem(values.amount, currency) || amountMinor;
  const vatRate = rateProblem(values.vatRate) || vatRateBp;
  return {
    ...problems,
    ...(values.kind === "" ? { kind: "Choose what kind of thing it is" } : {}),
    ...(values.per === "" ? { per: "Choose what it is charged for" } : {}),
    ...(amount ? { amount } : {}),
    ...(vatRate ? { vatRate } : {}),
  };
}

/** What two versions of a price are compared by, and in which words. */
export const PRICE_FIELDS = plainFields<PriceValues>(
  {
    code: "Code",
    name: "Name",
    kind: "Kind",
    amount: "Price",
    vatRate: "VAT",
    per: "Charged",
    validFrom: "First day",
    validTo: "Last day",
  },
  {
    kind: (kind) => (kind === "" ? "" : PRICE_KIND_NAMES[kind]),
    per: (per) => (per === "" ? "" : PRICE_UNIT_NAMES[per]),
    vatRate: (rate) => `${rate} %`,
  },
);
