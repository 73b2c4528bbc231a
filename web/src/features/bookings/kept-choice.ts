// The time that is held for a visitor and what they typed, as long as this tab is open: a reload loses neither.
import { forget, remember, remembered } from "../../core/tab-memory.ts";
import { NOTHING_TYPED, type Typed } from "./typed-details.ts";

export interface Held {
  startsAt: string;
  heldUntil: string;
}
interface Choice {
  mediator: string;
  held: Held;
}

const choiceKey = (linkId: string) => `chosen:${linkId}`;
const detailsKey = (linkId: string) => `details:${linkId}`;

const isText = (value: unknown): value is string => typeof value === "string";

function textsAt(key: string): string[] {
  const kept = remembered(key);
  const texts: unknown = kept === null ? null : JSON.parse(kept);
  return Array.isArray(texts) && texts.every(isText) ? texts : [];
}

export const keepChoice = (linkId: string, { mediator, held }: Choice): void =>
  remember(choiceKey(linkId), JSON.stringify([mediator, held.startsAt, held.heldUntil]));

export const forgetChoice = (linkId: string): void => forget(choiceKey(linkId));

/** Null where nothing was chosen, or is held no longer. */
export function keptChoice(linkId: string): Choice | null {
  const [mediator, startsAt, heldUntil] = textsAt(choiceKey(linkId));
  if (mediator === undefined || startsAt === undefined || heldUntil === undefined) return null;
  return Date.parse(heldUntil) > Date.now() ? { mediator, held: { startsAt, heldUntil } } : null;
}

export const keepTyped = (linkId: string, { person: { name, email, phone }, answers }: Typed): void =>
  remember(
    detailsKey(linkId),
    JSON.stringify([name, email, phone, ...answers.flatMap(({ question, answer }) => [question, answer])]),
  );

export const forgetTyped = (linkId: string): void => forget(detailsKey(linkId));

/** What was typed before. */
export function keptTyped(linkId: string): Typed {
  const [name = "", email = "", phone = "", ...texts] = textsAt(detailsKey(linkId));
  const answers = texts.flatMap((question, at) => (at % 2 === 0 ? [{ question, answer: texts[at + 1] ?? "" }] : []));
  return { ...NOTHING_TYPED, person: { name, email, phone }, answers };
}
