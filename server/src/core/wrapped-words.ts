// What a text says in the layers that mail programs, trackers and other mails wrap around it.
import { unzipSync } from "node:zlib";
import { convert } from "html-to-text";

// A link in an address of a tracker, in a layout, in a mail within a mail: each wraps it once more.
const LAYERS_MAX = 6;
/** How much longer than the text all its layers together may be. */
const LONGER_MAX = 16;
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** Over several lines (RFC 2045 6.8), in one, and as addresses have it (RFC 4648 5), where a slash ends it. */
const RUNS = [/(?:[A-Za-z0-9+/]{60,}\r?\n)+[A-Za-z0-9+/]*={0,2}|[A-Za-z0-9+/]{60,}={0,2}/g, /[A-Za-z0-9_-]{60,}/g];
const HEX = /[0-9a-fA-F]{100,}/g;
/** What was encoded from another place than here gives no text. */
const TEXT = /[\t\r\n\x20-\x7e]{20,}/g;
const UNZIPPED_MAX_BYTES = 256 * 1024;

/** Whether a text, or anything wrapped in it, is what is looked for. */
export function someLayer(text: string, isFound: (layer: string) => boolean): boolean {
  const first = text.replace(HIDDEN, "");
  const known = new Set<string>();
  let layers = [first, unquoted(first)];
  let left = LONGER_MAX * (text.length + UNZIPPED_MAX_BYTES);
  for (let depth = 0; depth <= LAYERS_MAX && layers.length > 0; depth += 1) {
    const inner: string[] = [];
    for (const layer of layers) {
      left -= layer.length;
      if (known.has(layer) || left < 0) continue;
      known.add(layer);
      if (isPlainlyIn(layer, isFound)) return true;
      const runs = decodedIn(layer);
      inner.push(unwrapped(layer), undefended(layer), ...runs, ...runs.map(unquoted));
    }
    layers = inner;
  }
  return false;
}

/** Also where the line was broken within the link, or quoted, and where an element stands in it. */
const isPlainlyIn = (text: string, isFound: (layer: string) => boolean): boolean =>
  [text, text.replace(/(?<!\s)\s*\n[>\s]*/g, ""), withoutTags(text)].some((one) => isFound(one));

const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, "");

const unwrapped = (text: string): string => withoutBackslashes(unescaped(withoutEntities(text)));

/** In attributes too: what makes them attributes is taken out of the way first. */
const withoutEntities = (text: string): string =>
  text.includes("&")
    ? convert(text.replaceAll("<", "\uE000").replaceAll(">", "\uE001"), { wordwrap: false, preserveNewlines: true })
        .replaceAll("\uE000", "<")
        .replaceAll("\uE001", ">")
    : text;

const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** As JSON has it (RFC 8259 7). */
const withoutBackslashes = (text: string): string =>
  text
    .replace(/\\(?:u00|x)([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll("\\/", "/");

/** As Proofpoint's URL Defense 2 wraps an address: an underscore for a slash, a hyphen for a percent sign. */
const undefended = (text: string): string =>
  text.includes("urldefense") ? unescaped(text.replaceAll("_", "/").replaceAll("-", "%")) : text;

/** Quoted-printable (RFC 2045 6.7), as a mail within a mail has it. */
const unquoted = (text: string): string =>
  text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function decodedIn(layer: string): string[] {
  const runs = new Set([layer, withoutTags(layer)].flatMap((text) => RUNS.flatMap((run) => text.match(run) ?? [])));
  // What stands before it without a border may be a part of it or not.
  const places = [...runs].flatMap((run) => [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), "base64")));
  const hex = (layer.match(HEX) ?? []).map((run) => Buffer.from(run, "hex"));
  return [...places, ...hex].flatMap((bytes) => textsIn(bytes));
}

/** In UTF-16 every other byte is none. */
const textsIn = (bytes: Buffer): string[] => unzipped(bytes).toString("latin1").replaceAll("\0", "").match(TEXT) ?? [];

function unzipped(bytes: Buffer): Buffer {
  const isZipped = bytes[0] === 0x78 || (bytes[0] === 0x1f && bytes[1] === 0x8b);
  if (!isZipped) return bytes;
  try {
    return unzipSync(bytes, { maxOutputLength: UNZIPPED_MAX_BYTES });
  } catch {
    // It only began like it.
    return bytes;
  }
}
