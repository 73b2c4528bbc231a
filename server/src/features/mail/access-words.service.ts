// Which texts let their reader in, however they are written: with a link of the product to a reset or an invitation.
import { convert } from "html-to-text";

const LETS_IN = /(?:resetpassword|setup|register)\/?[?#][^\s"'<>]{0,300}?token=/i;
/** Without this word there is no such link, unless its letters are written as numbers. */
const MARK = /token|&#/i;
// A link in an address of a tracker, in a layout, in a mail within a mail: each wraps it once more.
const LAYERS_MAX = 4;
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const BASE64 = /(?:[A-Za-z0-9+/]{60,}\r?\n)+[A-Za-z0-9+/]*={0,2}|[A-Za-z0-9+/]{60,}={0,2}/g;

/** Whether a text or a layout lets its reader in: not every service lets us name the mail that it sends. */
export function letsSomebodyIn(text: string): boolean {
  const seen = text.replace(HIDDEN, "");
  const inner = (seen.match(BASE64) ?? []).map((run) => Buffer.from(run, "base64").toString());
  return [seen, unquoted(seen), ...inner, ...inner.map(unquoted)].some(isIn);
}

function isIn(text: string): boolean {
  if (!MARK.test(withoutTags(text)) && !MARK.test(text)) return false;
  let layer = text;
  for (let depth = 0; depth <= LAYERS_MAX; depth += 1) {
    if (isPlainlyIn(layer)) return true;
    const next = unescaped(withoutEntities(layer));
    if (next === layer) return false;
    layer = next;
  }
  return false;
}

/** Also where the line was broken within the link, or quoted, and where an element stands in it. */
const isPlainlyIn = (text: string): boolean =>
  [text, text.replace(/(?<!\s)\s*\n[>\s]*/g, ""), withoutTags(text)].some((one) => LETS_IN.test(one));

const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, "");

/** In attributes too: what makes them attributes is taken out of the way first. */
const withoutEntities = (text: string): string =>
  text.includes("&")
    ? convert(text.replaceAll("<", "\uE000").replaceAll(">", "\uE001"), { wordwrap: false, preserveNewlines: true })
        .replaceAll("\uE000", "<")
        .replaceAll("\uE001", ">")
    : text;

const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Quoted-printable (RFC 2045 6.7), as a mail within a mail has it. */
const unquoted = (text: string): string =>
  text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
