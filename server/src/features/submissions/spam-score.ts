// Whether something that came by a general address looks like spam. Nobody is refused for it, and nobody is told: what
// does is kept apart, for somebody to look at.
import type { Answers, AnswerValue } from "@app/shared/form-answers";

const SUSPECT_FROM = 3;
const WORD_MIN = 20;
const TEXTS_MAX = 400;

/** Every text that somebody typed. */
function textsIn(answer: AnswerValue | undefined): string[] {
  if (typeof answer === "string") return [answer];
  if (answer === undefined || typeof answer === "number") return [];
  if (!Array.isArray(answer)) return Object.values(answer).filter((part): part is string => typeof part === "string");
  return answer.flatMap((part) => {
    if (typeof part === "string") return [part];
    return Object.values(part).flatMap((value) => textsIn(value));
  });
}

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** A word without vowels, or with none but, is nobody's. */
const isGibberish = (word: string): boolean =>
  word.length >= WORD_MIN && /^[a-z]+$/i.test(word) && count(word, /[aeiouy]/gi) < word.length / 6;

export function readsLikeSpam(answers: Answers, trap: string): boolean {
  if (trap !== "") return true;
  const texts = Object.values(answers).flatMap(textsIn).slice(0, TEXTS_MAX);
  const all = texts.join("\n");
  const long = texts.filter((text) => text.length > WORD_MIN);
  const score =
    Math.min(count(all, /https?:\/\/|www\.|\[url/gi), 4) +
    // One word alone may be a number of some account, or a hand on the keyboard.
    Math.min(2 * all.split(/\s+/).filter(isGibberish).length, 4) +
    // The same in every field.
    (long.length > 2 && new Set(long).size === 1 ? 3 : 0) +
    (/<a\s+href|\[\/url\]/i.test(all) ? 3 : 0);
  return score >= SUSPECT_FROM;
}
