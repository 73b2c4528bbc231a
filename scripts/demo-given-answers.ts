// What an invented person answers to a form, whatever it asks: by the type of each question.
import { addDays } from "@app/shared/days";
import type { Client } from "@app/shared/clients";
import type { Answers, AnswerValue } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { type AskedField, type Field, type InnerField, isAsked } from "@app/shared/form-fields";
import { AGREED } from "@app/shared/form-limits";
import { checkAnswers } from "@app/shared/form-validator";

export type Answering = Pick<Client, "firstName" | "lastName" | "email" | "dateOfBirth"> & { index: number };

const SAID = [
  "We would like to sort this out without going to court.",
  "The children should not have to choose.",
  "Evenings after seven suit me best.",
  "Nothing for now. I may think of something later.",
  "I would rather not be in the same room to begin with.",
];
const SHORT = ["Two rooms, please", "Not yet", "Rivermead", "About a year ago", "Step-free access", "Primary school"];
const NAMES = ["Ottoline", "Bram", "Juno", "Casimir", "Tess"];
const FIRST_DAY = "2014-03-09";
const DAYS = 3000;

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

/** Of what is asked; what such a form would refuse is left out, as somebody would who goes on to the next question. */
export function givenAnswers(content: FormContent, who: Answering): Answers {
  let given = answersTo(content.pages.flatMap(({ fields }) => fields).filter(isAsked), who);
  for (;;) {
    const { answers, problems } = checkAnswers(content, given);
    const refused = new Set(problems.map(({ path }) => path[0]));
    const kept = Object.entries(given).filter(([id]) => !refused.has(id));
    if (kept.length === Object.keys(given).length) return answers;
    given = Object.fromEntries(kept);
  }
}

const ABOUT_ONESELF = ["client.name", "client.email", "client.dateOfBirth", "lead.name", "lead.email"];

/** What others said, with what nobody else can say of this person. */
export function inOnesOwnName({ pages }: FormContent, said: Answers, who: Answering): Answers {
  const own = pages.flatMap(({ fields }) => fields).filter(isAsked);
  const named = own.filter(({ id, mapTo }) => Object.hasOwn(said, id) && ABOUT_ONESELF.includes(mapTo ?? ""));
  return { ...said, ...answersTo(named, who) };
}

const answersTo = (fields: readonly (AskedField | InnerField)[], who: Answering): Answers =>
  Object.fromEntries(
    fields.flatMap((field, at) => {
      const answer = answerOf(field, { ...who, index: who.index + at * 7 });
      return answer === null ? [] : [[field.id, answer]];
    }),
  );

function answerOf(field: AskedField | InnerField, who: Answering): AnswerValue | null {
  const { index } = who;
  switch (field.type) {
    case "short_text":
      return pick(SHORT, index) ?? null;
    case "long_text":
      return pick(SAID, index) ?? null;
    case "number":
      return Math.min(field.max ?? 40, Math.max(field.min ?? 0, index % 40));
    case "money":
      return 25_000 + (index % 90) * 1250;
    case "date":
    case "birth_date":
      return "mapTo" in field && field.mapTo === "client.dateOfBirth" && who.dateOfBirth !== ""
        ? who.dateOfBirth
        : addDays(FIRST_DAY, (index * 37) % DAYS);
    case "time":
      return `${String(9 + (index % 8)).padStart(2, "0")}:30`;
    case "date_time":
      return `${addDays(FIRST_DAY, (index * 37) % DAYS)}T10:30`;
    case "email":
      return who.email || null;
    case "phone":
      return `07700 900${String(100 + (index % 800))}`;
    default:
      return chosenOf(field, who);
  }
}

type TextType =
  | "short_text"
  | "long_text"
  | "number"
  | "money"
  | "date"
  | "birth_date"
  | "time"
  | "date_time"
  | "email"
  | "phone";

/** Of several parts, or chosen. */
function chosenOf(field: Exclude<AskedField | InnerField, { type: TextType }>, who: Answering): AnswerValue | null {
  const { index, firstName, lastName } = who;
  switch (field.type) {
    case "name":
      return { first: field.mapTo === null ? (pick(NAMES, index) ?? "") : firstName, last: lastName };
    case "address":
      return { line1: `${1 + (index % 90)} Mill Lane`, line2: "", town: "Rivermead", postcode: "RM1 4QF", country: "" };
    case "contact":
      return { name: `${pick(NAMES, index) ?? ""} Thorne`, relation: "Friend", email: "", phone: "01632 960410" };
    case "yes_no":
      return index % 3 === 0 ? "yes" : "no";
    case "one_of":
      return pick(field.options, index)?.value ?? null;
    case "any_of":
    case "picture_choice":
      return field.options.slice(index % field.options.length).flatMap(({ value }, at) => (at < 2 ? [value] : []));
    case "ranking":
      return field.options.map(({ value }) => value);
    case "rating":
      return Math.max(field.from, field.to - (index % 3));
    case "matrix":
      return Object.fromEntries(
        field.rows.map(({ value }, at) => [value, pick(field.columns, index + at)?.value ?? ""]),
      );
    case "consent":
      return AGREED;
    case "signature":
      return { name: `${firstName} ${lastName}`.trim(), strokes: [] };
    case "file":
      return null;
    case "repeat_group":
      return Array.from({ length: 1 + (index % 2) }, (_, row) =>
        answersTo(field.fields, { ...who, index: index + row }),
      );
  }
}

/** As far as somebody came who stopped in the middle. */
export function firstHalf(content: FormContent, answers: Answers): { answers: Answers; pageId: string | null } {
  const pages = content.pages.slice(0, Math.ceil(content.pages.length / 2));
  const asked = new Set(pages.flatMap(({ fields }: { fields: readonly Field[] }) => fields.map(({ id }) => id)));
  return {
    answers: Object.fromEntries(Object.entries(answers).filter(([id]) => asked.has(id))),
    pageId: pages.at(-1)?.id ?? null,
  };
}
