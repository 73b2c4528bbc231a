// What keeps somebody from being found suitable, with measures or without, whatever else they said.
import { saysSomething } from "./has-word.ts";
import { topicsIn } from "./screening-topics.ts";

// Made when it is needed: the page loads this file, also where the browser knows no such format.
const listed = (names: string[]): string => new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);

type Answers<Answer> = Readonly<Record<string, Answer | undefined>>;

interface Held {
  /** Empty until it is said. */
  company: string;
  answers: Answers<{ answer: string }>;
}

/** Each in a sentence that says what to do; empty where nothing stands in the way. */
export function whyNotSuitable({ company, answers }: Held): string[] {
  const unasked = topicsIn("held_again", "concern", "risk").flatMap(({ id, name }) =>
    answers[id]?.answer === "not_asked" ? [name] : [],
  );
  const notFree = Object.keys(NOT_FREE).flatMap((id) => whyHeldAgain(id, answers[id]?.answer ?? "") ?? []);
  return [
    ...(company === "other" ? [NOT_ALONE] : []),
    ...(unasked.length > 0 ? [`You have not asked about ${listed(unasked)}.`] : []),
    ...notFree,
  ];
}

export const NOT_ALONE = "Somebody else was with them: hold the screening again without them.";

const NOT_FREE: Readonly<Record<string, string>> = {
  overheard: "Somebody may be listening or reading along: hold the screening again when nobody can.",
  unsafe_now: "It is not safe or easy for them to talk: hold the screening again when it is.",
};

export const NOTHING_ASKED =
  "Nothing was asked, so record no screening: say in the case that they do not answer, or refused, or why it has to wait.";

/** Whether nobody was asked anything at all. */
export const isNothingAsked = (answers: Held["answers"]): boolean =>
  Object.values(answers).every((given) => given?.answer === "not_asked");

/** Whether the risk was assessed: each was asked about, or enough was said to find that it is not safe. */
export function assessesRisk({
  answers,
  suitable,
}: {
  answers: Answers<{ answer: string | null }>;
  suitable: string;
}): boolean {
  const asked = topicsIn("concern", "risk").map(({ id }) => answers[id]?.answer);
  return !asked.includes("not_asked") || (suitable === "no" && asked.some((answer) => isTold(answer ?? undefined)));
}

/** A doubt weighs as a yes does: whoever is not sure is not safe yet. */
const isTold = (answer: string | undefined): boolean => answer === "yes" || answer === "not_sure";

/** Why a screening with this answer has to be held again; null where it need not. Whoever cannot speak freely has not been screened. */
export const whyHeldAgain = (questionId: string, answer: string): string | null =>
  isTold(answer) ? (NOT_FREE[questionId] ?? null) : null;

/** Whether somebody said, or was not sure, that a way or a time of reaching them is not safe. */
export const tellsOfUnsafeContact = (answers: Held["answers"]): boolean => isTold(answers["contact"]?.answer);

/** The harm and danger that somebody told of, or was not sure about. */
export const risksIn = (answers: Held["answers"]): { id: string; name: string }[] =>
  topicsIn("concern", "risk").filter(({ id }) => isTold(answers[id]?.answer));

interface Weighed {
  answers: Answers<{ answer: string; safeBecause?: string | undefined }>;
  suitable: string;
  isConsulted: boolean | undefined;
  whyNeither: string;
}

/** Whether it is to be said why somebody who told of a risk goes without measures, and nobody else looked at it. */
export const asksWhyNeither = ({ answers, suitable, isConsulted }: Omit<Weighed, "whyNeither">): boolean =>
  suitable === "yes" && isConsulted !== true && risksIn(answers).length > 0;

const SAID_OF_ALL =
  "The same is written of everything they told of. Say of each why it is safe, choose measures, or consult your practice consultant";

const alike = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");

/** What is still asked where somebody is found suitable though they told of a risk, by field; empty where nothing is. */
export function whatRisksAsk(weighed: Weighed): Record<string, string> {
  const { answers, suitable, whyNeither } = weighed;
  if (suitable === "no" || suitable === "") return {};
  const risks = risksIn(answers);
  const sentenceOf = ({ id }: { id: string }) => answers[id]?.safeBecause ?? "";
  const unsaid = risks.filter((risk) => !saysSomething(sentenceOf(risk)));
  const isNeither = asksWhyNeither(weighed);
  const sentences = risks.map((risk) => alike(sentenceOf(risk)));
  // Where nobody else looked at it, one sentence for everything says that nobody looked at any of it.
  const isOfAll = isNeither && risks.length > 1 && unsaid.length === 0 && new Set(sentences).size === 1;
  const of = (some: typeof risks, message: string) =>
    Object.fromEntries(some.map(({ id }) => [`answers.${id}.safeBecause`, message]));
  return {
    ...of(unsaid, "Say in a sentence why that is safe all the same"),
    ...(isOfAll ? of(risks.slice(1), SAID_OF_ALL) : {}),
    ...(isNeither && (!saysSomething(whyNeither) || sentences.includes(alike(whyNeither)))
      ? {
          whyNeither: `They told of ${listed(risks.map(({ name }) => name))}, or were not sure. Choose measures, consult your practice consultant, or say in a sentence why neither is needed.`,
        }
      : {}),
  };
}

interface Found {
  answers: Answers<{ answer: string; words: string }>;
  suitable: string;
  reasons: string;
}

/** What opens the safeguarding record, in the words that were written; empty where nothing does. */
export function concernOf({ answers, suitable, reasons }: Found): string {
  const told = topicsIn("concern").flatMap(({ id, name }) => {
    const said = answers[id];
    if (!said || !isTold(said.answer)) return [];
    return `About ${name}${said.answer === "not_sure" ? " (not sure)" : ""}: ${said.words}`;
  });
  return [...(suitable === "no" ? [reasons] : []), ...told].join("\n\n");
}
