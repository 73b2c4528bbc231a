// What keeps somebody from being found suitable, with measures or without, whatever else they said.

import { saysSomething } from "./has-word.ts";

/** What is asked before that: the ids mean the same in every version of the questions. */
const CORE_QUESTIONS = {
  overheard: "being overheard",
  unsafe_now: "talking safely",
  physical: "physical harm",
  sexual: "sexual harm",
  emotional: "emotional abuse",
  economic: "economic abuse",
  control: "control",
  since: "what has happened since",
  child_harm: "harm to children",
  child_taken: "a child being taken away",
  weapons: "weapons",
  fear: "fear",
  power: "power",
} as const;

// Made when it is needed: the page loads this file, also where the browser knows no such format.
const listed = (names: string[]): string => new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);

interface Held {
  /** Undefined until it is said. */
  isAlone: boolean | undefined;
  answers: Readonly<Record<string, { answer: string } | undefined>>;
}

/** Each in a sentence that says what to do; empty where nothing stands in the way. */
export function whyNotSuitable({ isAlone, answers }: Held): string[] {
  const unasked = Object.entries(CORE_QUESTIONS).flatMap(([id, name]) =>
    answers[id]?.answer === "not_asked" ? [name] : [],
  );
  const notFree = Object.keys(NOT_FREE).flatMap((id) => whyHeldAgain(id, answers[id]?.answer ?? "") ?? []);
  return [
    ...(isAlone === false ? [NOT_ALONE] : []),
    ...(unasked.length > 0 ? [`You have not asked about ${listed(unasked)}.`] : []),
    ...notFree,
  ];
}

export const NOT_ALONE = "They were not alone: hold the screening again with them alone.";

const NOT_FREE: Readonly<Record<string, string>> = {
  overheard: "Somebody may be listening or reading along: hold the screening again when nobody can.",
  unsafe_now: "It is not safe or easy for them to talk: hold the screening again when it is.",
};

/** Why a screening with this answer has to be held again; null where it need not. Whoever cannot speak freely has not been screened. */
export const whyHeldAgain = (questionId: string, answer: string): string | null =>
  answer === "yes" || answer === "not_sure" ? (NOT_FREE[questionId] ?? null) : null;

/** The harm and danger that they said yes to, in words. */
const risksIn = (answers: Held["answers"]): string[] =>
  Object.entries(CORE_QUESTIONS).flatMap(([id, name]) =>
    answers[id]?.answer === "yes" && NOT_FREE[id] === undefined ? [name] : [],
  );

interface Weighed extends Pick<Held, "answers"> {
  suitable: string;
  reasons: string;
  isConsulted: boolean | undefined;
}

/** What is still asked where somebody is found suitable though they told of a risk, by field; empty where nothing is. */
export function whatRisksAsk({ answers, suitable, reasons, isConsulted }: Weighed): Record<string, string> {
  const risks = risksIn(answers);
  if (risks.length === 0 || suitable === "no") return {};
  const said = `They told of ${listed(risks)}.`;
  return {
    ...(suitable === "yes" && isConsulted !== true
      ? { suitable: `${said} Choose measures, or consult somebody before you find it suitable without any.` }
      : {}),
    ...(saysSomething(reasons) ? {} : { reasons: `${said} Say in a sentence why mediation is suitable all the same.` }),
  };
}

interface Found {
  answers: Readonly<Record<string, { answer: string; words: string }>>;
  suitable: string;
  reasons: string;
}

/** What opens the safeguarding record, in the words that were written; empty where nothing does. */
export function concernOf({ answers, suitable, reasons }: Found): string {
  const { child_harm: harm } = answers;
  return [suitable === "no" ? reasons : "", harm?.answer === "yes" ? harm.words : ""].filter(Boolean).join("\n\n");
}
