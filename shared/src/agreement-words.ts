// What an agreement to mediate says of confidences, in words, and which of both a text says.
import { CONFIDENCES, type Confidences } from "./confidences.ts";

/** As it is put into an agreement for whichever was chosen. */
export const AGREED_WORDS = {
  kept: "What somebody tells the mediator in private is passed on to the others only with their consent.",
  none: "In the mediation itself the mediator keeps no secrets between those who take part: what one of them says can be told to the others. Only addresses and other contact details are kept private where somebody asks for that.",
} as const satisfies Record<Confidences, string>;

/** Also of the agreements with which practices began before there was a choice. */
const SAYING: Record<Confidences, readonly string[]> = {
  kept: [
    AGREED_WORDS.kept,
    "is passed on to the others only if you agree",
    "is passed on only with that party’s consent",
  ],
  none: [AGREED_WORDS.none, "the mediator keeps no secrets between you"],
};

const plain = (words: string): string => words.replaceAll("'", "’").replace(/\s+/gu, " ").toLowerCase();

/** Null where it says neither, or it cannot be told by its words. */
export function confidencesSaidIn(words: string): Confidences | null {
  const text = plain(words);
  const said = CONFIDENCES.filter((one) => SAYING[one].some((saying) => text.includes(plain(saying))));
  const [only = null] = said;
  return said.length === 1 ? only : null;
}
