// What a person was sent to fill in, move or cancel opens for whoever holds its address. In a mail that others of the practice
// read, the address is left out: what they may do for that person they do by what they may.
import { holdsToken, replaceTokens, tokenFinder, type Tokens } from "./token-runs.ts";
import { someLayer } from "./wrapped-words.ts";

const LEFT_OUT = "[their own link]";
/** Instead of a text in which an address is wrapped so that it cannot be cut out. */
export const HOLDS_PERSONAL_LINK = "This message holds a link that is its reader's own, so it is not shown here.";

/** A slash, as mail programs and trackers write it. */
const SLASH = String.raw`(?:\\?\/|%(?:25){0,5}2f|&#(?:x2f|47);|&sol;|=2f|\\u002f)`;
/** The pages that open by a secret in their address (the README lists them). */
const PAGE = new RegExp(`${SLASH}(?:lead-form|form|schedule-meeting|sign)${SLASH}(?=[\\w%=&<\\r\\n\\s-])`, "gi");
const RUN = new RegExp(`(?:[\\w%-]|=[0-9a-f]{2}|${SLASH})+`, "iy");
/** What is sealed and handed out opens without being stored (`sealHandedOut`), such as what somebody just sent in. */
const HANDED_OUT = /v\d\.[\w-]{8}\.[\w-]{40,}/g;
/** Where a line was broken or quoted within an address, an element stands in it, or a sign that nobody sees. */
const GAP = /(?:[=>\s\p{Default_Ignorable_Code_Point}\p{Cf}]|<[^<>]{0,500}>){1,200}/uy;
const IS_BREAK = /[\r\n<\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
const GOES_ON = /[\w%/=&-]/;
const BEFORE_MAX = 400;
const BREAKS_MAX = 100;
const ID_LENGTH = 22;
const ENDS = /[\s"'<>()\\]/;

/** The text, plain or as HTML, with no address in it that opens what is somebody's own, and none of these secrets. */
export const withoutPersonalLinks = (text: string, tokens: Tokens = []): string =>
  replaceTokens(withoutPages(text), tokens, LEFT_OUT).replace(HANDED_OUT, LEFT_OUT);

function withoutPages(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { 0: page, index } of text.matchAll(PAGE)) {
    if (index < from) continue;
    kept.push(text.slice(from, beginOf(text, index, from)), LEFT_OUT);
    const ids = /[^e]form/i.test(page) && !/lead/i.test(page) ? 2 : 1;
    from = endOf(text, index + page.length, ids);
  }
  return kept.join("") + text.slice(from);
}

interface Looked {
  /** Whether an address that is somebody's own, or one of these secrets, is in it, in whatever it is wrapped. */
  isPersonal: boolean;
  /** What may be a secret besides (`knownTokens`); null where that is too much. */
  candidates: string[] | null;
}

/** What a text holds in all its layers; each of them is also shown to whoever looks for something else. */
export function lookThrough(text: string, tokens: Tokens = [], alsoLook: (layer: string) => void = () => {}): Looked {
  const finder = tokenFinder();
  let isPersonal = false;
  someLayer(text, (layer) => {
    isPersonal ||= layer.search(PAGE) !== -1 || layer.search(HANDED_OUT) !== -1 || holdsToken(layer, tokens);
    finder.look(layer);
    alsoLook(layer);
    return false;
  });
  return { isPersonal, candidates: finder.found() };
}

export interface ForOthers extends Pick<Looked, "candidates"> {
  shown: string;
}

/** As others than its addressee read it (`shownToOthers`); for long texts from outside, ask in a worker. */
export function forOthers(text: string, tokens: Tokens, alsoLook?: (layer: string) => void): ForOthers {
  const { isPersonal, candidates } = lookThrough(text, tokens, alsoLook);
  if (!isPersonal) return { shown: text, candidates };
  const shown = withoutPersonalLinks(text, tokens);
  const left = lookThrough(shown, tokens);
  return left.isPersonal ? { shown: HOLDS_PERSONAL_LINK, candidates: [] } : { shown, candidates: left.candidates };
}

function beginOf(text: string, index: number, from: number): number {
  let begin = index;
  const first = Math.max(from, index - BEFORE_MAX);
  while (begin > first && !ENDS.test(text.charAt(begin - 1))) begin -= 1;
  return begin;
}

/** Over a break only while an id is missing: what follows a whole address is not a part of it. */
function endOf(text: string, start: number, ids: number): number {
  let end = start;
  let length = 0;
  for (let count = 0; count < BREAKS_MAX; count += 1) {
    const run = matchLength(RUN, text, end);
    end += run;
    length += run;
    if (length >= ids * ID_LENGTH) return end;
    const gap = matchLength(GAP, text, end);
    if (!IS_BREAK.test(text.slice(end, end + gap)) || !GOES_ON.test(text.charAt(end + gap))) return end;
    end += gap;
  }
  return end;
}

function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
