// Payments as somebody types them.
import { moneyText } from "@app/shared/answer-texts";
import { PAYMENT_METHOD_NAMES, type PaymentMethod } from "@app/shared/payment-methods";
import { daySchema } from "@app/shared/time";
import { amountSchema } from "@app/shared/prices";
import { amountProblem, readAmount } from "../../ui/amount-field.tsx";

export interface PaymentValues {
  method: PaymentMethod | "";
  amountMinor: string;
  receivedOn: string;
  reference: string;
  /** What is more than is due is kept for the payer. */
  keepsRest: boolean;
}

/** In minor units, or what to do about what is typed. */
export function givenAmount(typed: string, currency: string): { amountMinor: number } | { problem: string } {
  const amountMinor = readAmount(typed, currency);
  if (amountMinor === null) return { problem: amountProblem(typed, currency) || "Enter an amount in figures" };
  const checked = amountSchema.min(1, "Enter more than 0").safeParse(amountMinor);
  return checked.success ? { amountMinor } : { problem: checked.error.issues[0]?.message ?? "Enter another amount" };
}

/** Call it on what `givenAmount` finds no problem in. */
export function amountTyped(typed: string, currency: string): number {
  const given = givenAmount(typed, currency);
  if ("problem" in given) throw new Error("the form was sent with an amount that cannot be read");
  return given.amountMinor;
}

/** By how much what is typed is more than is due; nothing where it is not. */
export function restOf(typed: string, dueMinor: number, currency: string): number {
  const amountMinor = readAmount(typed, currency);
  return amountMinor === null ? 0 : Math.max(0, amountMinor - dueMinor);
}

interface Asked {
  currency: string;
  dueMinor: number;
  payerName: string;
  /** Whether the day on which it came is asked. */
  isReceived: boolean;
}

export function paymentProblems(values: PaymentValues, { currency, dueMinor, payerName, isReceived }: Asked) {
  const amount = givenAmount(values.amountMinor, currency);
  const rest = restOf(values.amountMinor, dueMinor, currency);
  const problems: Record<string, string> = {};
  if (values.method === "") problems["method"] = "Choose how it is paid";
  if ("problem" in amount) problems["amountMinor"] = amount.problem;
  else if (isReceived && rest > 0 && !values.keepsRest)
    problems["amountMinor"] =
      `Only ${moneyText(dueMinor, currency)} is due. Correct the amount, or say below that the rest is kept for ${payerName}.`;
  if (isReceived && !daySchema.safeParse(values.receivedOn).success)
    problems["receivedOn"] = "Enter the day on which it came";
  return problems;
}

/** What a form offers of these. */
export const methodOptions = (methods: readonly PaymentMethod[]) => [
  { value: "", label: "Choose" },
  ...methods.map((value) => ({ value, label: PAYMENT_METHOD_NAMES[value] })),
];
