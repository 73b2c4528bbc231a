// What is said of each statement that a certificate may make, and what stands against it or is to be looked at first.
import type { Unwilling } from "@app/shared/miam-rules";
import type { OtherFacts } from "./certificate-statements.ts";

export interface Judgement {
  isAllowed: boolean;
  /** The fact that allows it, or the one that is missing. */
  because: string;
  /** What to be sure of before it is said, where it could do harm. */
  warning?: string;
  /** What others of whom it is said do in another case, so that it holds of another dispute alone. */
  otherDispute?: string;
  /** How those who did not come are recorded, which decides what is said of them. */
  unwilling?: Unwilling;
  /** It is said of the other sides alone, because somebody stands on this one too. */
  isBySide?: true;
  /** Whoever signs says why fewer attempts than usual were enough. */
  asksFewer?: true;
}

export const yes = (because: string): Judgement => ({ isAllowed: true, because });
export const no = (because: string): Judgement => ({ isAllowed: false, because });

export const isSilent = ({ status }: Pick<OtherFacts, "status">): boolean => status === "no_response";

/**
 * Whoever is about to come is willing to, whatever they said before; whoever was spoken with since has answered, and may
 * have said something else.
 */
export function unlessHeard(judgement: Judgement, meant: readonly OtherFacts[]): Judgement {
  const open = meant.find(({ awaited }) => awaited !== "");
  if (open) return no(open.awaited);
  const answered = meant.find((other) => isSilent(other) && other.heard !== "");
  if (answered) return no(`${answered.heard} So they have answered: record that first, and what they said.`);
  const heard = meant.flatMap((other) => [other.heard, other.planned]).filter((words) => words !== "");
  if (heard.length === 0) return judgement;
  const since = `${heard.join(" ")} Be sure that what they said before still holds.`;
  return { ...judgement, warning: [judgement.warning, since].filter(Boolean).join(" ") };
}

/** Of whoever goes on with this person in another case it is said of this dispute alone. */
export function ofThisDispute(judgement: Judgement, meant: readonly OtherFacts[]): Judgement {
  const words = meant.flatMap(({ otherDispute }) => (otherDispute === "" ? [] : [otherDispute]));
  return words.length === 0 ? judgement : { ...judgement, otherDispute: words.join(" ") };
}
