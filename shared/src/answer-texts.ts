// Answers in words, for whoever checks what they typed, for the practice, for tables and for print. Free of zod.
import {
  type Answers,
  type AnswerValue,
  answerTo,
  choicesOf,
  isEmptyAnswer,
  isSignature,
  partOf,
  rowsOf,
} from "./form-answers.ts";
import type { AskedField, Field, InnerField } from "./form-fields.ts";
import { fractionDigits } from "./currency-digits.ts";
import { OTHER_PREFIX } from "./other-answer.ts";
import { YES_NO, YES_NO_NAMES } from "./form-limits.ts";

type Asked = AskedField | InnerField | Extract<Field, { type: "hidden" | "calculated" }>;

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const NBSP = "\u00A0";

/** 2026-01-05 as "5 January 2026"; what is no day stays as it was typed. */
export function dayText(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? day : DAY.format(at).replaceAll(" ", NBSP);
}

export function moneyText(amountMinor: number, currency: string): string {
  const format = new Intl.NumberFormat("en-GB", { style: "currency", currency });
  return format.format(amountMinor / 10 ** fractionDigits(currency));
}

const NUMBER = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 4 });

/** Of one question; empty where nothing was answered. */
export function answerText(field: Asked, answer: AnswerValue | undefined, currency: string): string {
  if (answer === undefined || isEmptyAnswer(answer)) return "";
  if (typeof answer === "number") return amountText(field, answer, currency);
  if (typeof answer === "string") return lineText(field, answer);
  if (Array.isArray(answer)) return severalText(field, answer, currency);
  if (isSignature(answer)) return answer.name.trim() ? `Signed: ${answer.name}` : "Signed with a drawing";
  return partsText(field, answer);
}

function amountText(field: Asked, amount: number, currency: string): string {
  if (field.type === "money" || (field.type === "calculated" && field.unit === "money"))
    return moneyText(amount, currency);
  if (field.type === "rating") return `${amount} of ${field.to}`;
  const unit = field.type === "number" && field.unit ? `${NBSP}${field.unit}` : "";
  return `${NUMBER.format(amount)}${unit}`;
}

function lineText(field: Asked, answer: string): string {
  switch (field.type) {
    case "date":
    case "birth_date":
      return dayText(answer);
    case "date_time":
      return `${dayText(answer.slice(0, 10))}, ${answer.slice(11, 16)}`;
    case "yes_no": {
      const known = YES_NO.find((choice) => choice === answer);
      return known ? YES_NO_NAMES[known] : answer;
    }
    case "one_of":
      return answer.startsWith(OTHER_PREFIX) ? answer.slice(OTHER_PREFIX.length) : labelIn(field.options, answer);
    case "consent":
      return "Agreed";
    default:
      return answer;
  }
}

const labelIn = (options: readonly { value: string; label: string }[], chosen: string): string =>
  options.find(({ value }) => value === chosen)?.label ?? chosen;

function severalText(field: Asked, answer: Extract<AnswerValue, unknown[]>, currency: string): string {
  if (field.type === "repeat_group")
    return rowsOf(answer)
      .map((row, index) => `${field.rowLabel || "Entry"} ${index + 1}: ${rowText(field.fields, row, currency)}`)
      .join("\n");
  if (field.type === "ranking")
    return choicesOf(answer)
      .map((choice, index) => `${index + 1}. ${labelIn(field.options, choice)}`)
      .join(", ");
  if (field.type === "any_of" || field.type === "picture_choice")
    return choicesOf(answer)
      .map((choice) => labelIn(field.options, choice))
      .join(", ");
  return answer
    .flatMap((one) => (typeof one === "object" && typeof one["name"] === "string" ? [one["name"]] : []))
    .join(", ");
}

const rowText = (fields: readonly InnerField[], row: Answers, currency: string): string =>
  fields
    .flatMap((field) => {
      const text = answerText(field, answerTo(row, field.id), currency);
      return text ? [`${field.label}: ${text}`] : [];
    })
    .join("; ");

function partsText(field: Asked, answer: { [part: string]: string }): string {
  if (field.type === "matrix")
    return field.rows
      .flatMap(({ value, label }) => {
        const chosen = partOf(answer, value);
        return chosen ? [`${label}: ${labelIn(field.columns, chosen)}`] : [];
      })
      .join("\n");
  if (field.type === "name") return [partOf(answer, "first"), partOf(answer, "last")].filter(Boolean).join(" ");
  return Object.values(answer).filter(Boolean).join(", ");
}
