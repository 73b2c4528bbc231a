// JSON that somebody sends, looked over before it is parsed: a short text can make a great many things, or very deep ones.
const DEPTH_MAX = 100;
const THINGS_MAX = 200_000;
/** Of one object: more than anything asks for, and each that is not asked for is told. */
const KEYS_MAX = 1000;
/** Files in JSON are long texts; nothing else is so long. */
const LONG_BYTES = 64 * 1024;
/** Of all but those: parsing more keeps everybody waiting. */
export const REST_MAX_BYTES = 4 * 1024 * 1024;
/** Within one text. */
const QUOTES_MAX = 1_000_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const COMMA = 0x2c;
const COLON = 0x3a;

/** Where a text stands, without its quotation marks. */
export interface Span {
  from: number;
  to: number;
}

/** Whether a text in JSON, or what is meant to be, is neither deep nor of many things. */
export const isBearable = (json: Buffer): boolean => longTextsIn(json) !== null;

/** Where its long texts stand; null where it is deep, of many things, or long in anything else. */
export function longTextsIn(json: Buffer): Span[] | null {
  const found: Span[] = [];
  let depth = 0;
  let things = 0;
  let rest = 0;
  /** How many keys there are in each object that is open; of lists, none. */
  const keys: number[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at] ?? 0;
    rest += 1;
    if (sign === QUOTE) {
      const text = textFrom(json, at + 1);
      if (!text) return rest + json.length - at > REST_MAX_BYTES ? null : found;
      const length = text.to - text.from;
      if (length > LONG_BYTES) found.push(text);
      else rest += length;
      // Quotation marks within texts are many in the layout of a mail.
      things += (THINGS_MAX / QUOTES_MAX) * (1 + text.quotes);
      at = text.to;
    } else {
      depth += (OPENING.has(sign) ? 1 : 0) - (CLOSING.has(sign) ? 1 : 0);
      if (OPENING.has(sign)) keys.push(0);
      else if (CLOSING.has(sign)) keys.pop();
      else if (sign === COLON) keys.push((keys.pop() ?? 0) + 1);
      things += sign === COMMA || OPENING.has(sign) ? 1 : 0;
    }
    if (depth > DEPTH_MAX || things > THINGS_MAX || rest > REST_MAX_BYTES) return null;
    if ((keys.at(-1) ?? 0) > KEYS_MAX) return null;
  }
  return found;
}

/** The text that begins here; null where it has no end. */
function textFrom(json: Buffer, from: number): (Span & { quotes: number }) | null {
  let to = json.indexOf(QUOTE, from);
  let quotes = 0;
  while (to >= 0 && quotes <= QUOTES_MAX && isEscaped(json, to)) {
    quotes += 1;
    to = json.indexOf(QUOTE, to + 1);
  }
  return to < 0 ? null : { from, to, quotes };
}

/** Behind an odd number of backslashes. */
export function isEscaped(json: Buffer, at: number): boolean {
  let before = at;
  while (json[before - 1] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 1;
}
