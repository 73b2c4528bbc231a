// Where in a text the secret of a link may stand, in whatever it is wrapped: known by its signs alone.
import { TOKEN_LENGTH } from "./ids.ts";

/** Those of a text that are secrets of ours; “any” where it holds too many that look like one to look each of them up. */
export type Tokens = readonly string[] | "any";

const RUN = /(?<![\w-])[\w-]{43,}/g;
/** A secret begins where a run does, behind a slash or an equals sign that was escaped, or where a wrapper put its own. */
const BEGINS = /[_-]|[235][fd]/gi;
const CANDIDATES_MAX = 2000;
/** Of 64 kinds of sign a random run has more. */
const KINDS_MIN = 12;
/** A picture or a file in base64 is looked into, not looked up: a layer of it is what it says. */
const BLOB = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{200,}/g;
const CODED_LINE = /^[>\s]*[A-Za-z0-9+/]{60,}={0,2}\s*$/;

/** Gathers from the layers of a text all that could be one. */
export function tokenFinder() {
  const found = new Set<string>();
  const isTooMuch = () => found.size > CANDIDATES_MAX;
  return {
    look(layer: string): void {
      if (isTooMuch()) return;
      for (const [run] of withoutBlobs(layer).matchAll(RUN)) for (const one of candidatesIn(run)) found.add(one);
    },
    /** Null where they are too many. */
    found: (): string[] | null => (isTooMuch() ? null : [...found]),
  };
}

export const holdsToken = (text: string, tokens: Tokens): boolean =>
  tokens === "any"
    ? (text.match(RUN) ?? []).some((run) => candidatesIn(run).length > 0)
    : tokens.some((token) => text.includes(token));

export const replaceTokens = (text: string, tokens: Tokens, by: string): string =>
  tokens === "any"
    ? text.replace(RUN, (run) => (candidatesIn(run).length > 0 ? by : run))
    : tokens.reduce((left, token) => left.replaceAll(token, by), text);

function candidatesIn(run: string): string[] {
  const starts = new Set([0, run.length - TOKEN_LENGTH]);
  for (const { index, 0: mark } of run.matchAll(BEGINS)) starts.add(index + mark.length);
  return [...starts]
    .filter((start) => start + TOKEN_LENGTH <= run.length)
    .map((start) => run.slice(start, start + TOKEN_LENGTH))
    .filter(isRandom);
}

const isRandom = (signs: string): boolean =>
  /[A-Z]/.test(signs) && /[a-z]/.test(signs) && new Set(signs).size >= KINDS_MIN;

function withoutBlobs(layer: string): string {
  const lines = layer.replace(BLOB, " ").split("\n");
  if (lines.length < 2) return lines.join("");
  const isCoded = lines.map((line) => CODED_LINE.test(line));
  // One such line alone may be the middle of an address.
  return lines.filter((_line, at) => !isCoded[at] || (!isCoded[at - 1] && !isCoded[at + 1])).join("\n");
}
