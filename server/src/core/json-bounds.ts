// JSON that somebody sends, looked over before it is parsed: a short text can make a great many things, or very deep ones.
const DEPTH_MAX = 100;
const THINGS_MAX = 200_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const COMMA = 0x2c;

/** Whether a text in JSON, or what is meant to be, is neither deep nor of many things. */
export function isBearable(json: Buffer): boolean {
  let depth = 0;
  let things = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    if (isText) {
      at = json.indexOf(QUOTE, at);
      if (at < 0) return true;
      isText = isEscaped(json, at);
      // Quotation marks within texts are many in the layout of a mail.
      things += 0.2;
    } else {
      const sign = json[at] ?? 0;
      isText = sign === QUOTE;
      depth += (OPENING.has(sign) ? 1 : 0) - (CLOSING.has(sign) ? 1 : 0);
      things += sign === COMMA || OPENING.has(sign) ? 1 : 0;
    }
    if (depth > DEPTH_MAX || things > THINGS_MAX) return false;
  }
  return true;
}

/** Behind an odd number of backslashes. */
function isEscaped(json: Buffer, at: number): boolean {
  let before = at;
  while (json[before - 1] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 1;
}
