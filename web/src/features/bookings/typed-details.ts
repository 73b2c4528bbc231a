import type { Question } from "@app/shared/bookings";

interface TypedAnswer {
  /** To what, as it was asked: what is asked otherwise by now is answered anew. */
  question: string;
  answer: string;
}

export interface Typed {
  person: { name: string; email: string; phone: string };
  answers: readonly TypedAnswer[];
  website: string;
}

export const NOTHING_TYPED: Typed = { person: { name: "", email: "", phone: "" }, answers: [], website: "" };

const asAsked = ({ kind, label }: Question): string => `${kind}:${label}`;

export const answersTo = (questions: readonly Question[], answers: readonly string[]): TypedAnswer[] =>
  questions.map((question, index) => ({ question: asAsked(question), answer: answers[index] ?? "" }));

/** What was typed, in the order in which it is asked now. */
export function answersIn({ answers }: Pick<Typed, "answers">, questions: readonly Question[]): string[] {
  const left = [...answers];
  return questions.map((question) => {
    const at = left.findIndex((one) => one.question === asAsked(question));
    return at < 0 ? "" : (left.splice(at, 1)[0]?.answer ?? "");
  });
}
