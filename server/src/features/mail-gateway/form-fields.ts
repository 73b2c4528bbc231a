// What a form says, and every address that its template could send to: nobody knows which field that is.
import { createHash } from "node:crypto";
import { canonicalEmail, EMAIL_MAX_LENGTH } from "@app/shared/email-address";
import { RECIPIENTS_MAX } from "@app/shared/text";
import { conflict } from "../../core/errors.ts";
import { contentsOfAddress } from "../mail/embedded-contents.service.ts";
import { normalForm } from "@app/shared/normal-form";

/** The service takes no more in all fields together. */
const FIELD_MAX_LENGTH = 50_000;
/** Names that the service gives a meaning to: what a form says under them is nobody's to say. */
const OF_THE_SERVICE = ["accesstoken", "lib_version", "service_id", "template_id", "user_id"];
const SUBJECT = "subject";

/** The fields and files that are a form's own. */
export function ownFieldsOf(form: FormData): FormData {
  const own = new FormData();
  for (const [name, value] of form) if (!OF_THE_SERVICE.includes(readName(name))) own.append(name, value);
  return own;
}

/** However it is written: whoever reads a form may leave out the room around a name, and what stands in brackets. */
const readName = (name: string): string => normalForm(name, "NFKC").split("[", 1).join("").trim().toLowerCase();

/** The form with what is true of whoever speaks, and of its subject where it has one, in place of what it says itself. */
export function spokenBy(form: FormData, speaker: Record<string, string>, subject: string): FormData {
  const said = new FormData();
  for (const [name, value] of form) {
    const read = readName(name);
    if (read !== SUBJECT && !Object.hasOwn(speaker, read)) said.append(name, value);
  }
  for (const [name, value] of Object.entries(speaker)) said.append(name, value);
  if ([...form.keys()].some((name) => readName(name) === SUBJECT)) said.append(SUBJECT, subject);
  return said;
}

/** The same for the same form, whatever stands between its parts. */
export async function contentOfForm(form: FormData): Promise<unknown> {
  const parts = [...form].map(async ([name, value]) => {
    if (typeof value === "string") return [name, value];
    const hash = createHash("sha256").update(Buffer.from(await value.arrayBuffer()));
    return [name, value.name, value.type, hash.digest("hex")];
  });
  return Promise.all(parts);
}

/** What the files of a form hold; one may also stand in a field as text, by itself or as the address that a page makes of it. */
export async function contentsOfForm(form: FormData): Promise<Buffer[]> {
  const contents = [...form.values()].map(async (value) =>
    typeof value === "string" ? contentsOfField(value) : [Buffer.from(await value.arrayBuffer())],
  );
  return (await Promise.all(contents)).flat();
}

/** The service may also read what is no address as base64. */
function contentsOfField(value: string): Buffer[] {
  const contents = contentsOfAddress(value);
  return contents.length > 0 ? contents : [Buffer.from(value, "base64")];
}

const PAIRS_MAX = 1000;
const WHOLE_SERVER = /^@?((?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,63})$/u;

/** The addresses that a template could make of two fields: what stands before the sign in one, the server in the other. */
export function addressesOfTwoFields(form: FormData): string[] {
  const values = [...form.values()].flatMap((value) =>
    typeof value === "string" && value.length <= EMAIL_MAX_LENGTH ? [normalForm(value, "NFKC").trim()] : [],
  );
  const servers = [...new Set(values.flatMap((value) => WHOLE_SERVER.exec(value)?.[1] ?? []))];
  const names = [...new Set(values.map((value) => value.replace(/@$/, "")))];
  if (servers.length * names.length > PAIRS_MAX)
    throw conflict("This form has too many fields with the name of a server. Send a form with fewer.");
  return servers.flatMap((server) => names.flatMap((name) => canonicalEmail(`${name}@${server}`) ?? []));
}

/** Throws CONFLICT where something could be an address, and nobody can tell whose. */
export async function addressesInForm(form: FormData): Promise<string[]> {
  const found = new Set<string>();
  for (const [name, value] of form)
    for (const text of [name, ...(await textsOf(value))])
      for (const address of addressesIn(name, text)) found.add(address);
  if (found.size > RECIPIENTS_MAX) throw conflict(`Use at most ${RECIPIENTS_MAX} addresses in one form.`);
  return [...found];
}

async function textsOf(value: string | File): Promise<string[]> {
  if (typeof value === "string") return [value];
  const text = plainTextOf(new Uint8Array(await value.arrayBuffer()));
  return text === null ? [value.name] : [value.name, text];
}

const BINARY = /[\p{Cc}\uFFFD]/u;

/** Null for what is no text. */
function plainTextOf(bytes: Uint8Array): string | null {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const text = new TextDecoder(isWide ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes);
  return BINARY.test(text.replace(/[\t\r\n]/g, "")) ? null : text;
}

const SEPARATORS = /[\s,;<>]/u;
const BEFORE = /^(?:["'([{*_]|mailto:)+/iu;
const AFTER = "\"')]}*_.:!";
/** A name and a dot, or an address of a machine: what a mail server could be called. */
const SERVER = /^[^@]*[.。]\p{L}|^\[/u;
const ENCODED_WORD = /=\?[^?\s]+\?[bq]\?/i;

/** The addresses in a text, in their one form. */
export function addressesIn(field: string, text: string): string[] {
  if (text.length > FIELD_MAX_LENGTH)
    throw conflict(`The field “${shown(field)}” is too long to be checked for addresses. Shorten it.`);
  const plain = normalForm(text, "NFKC");
  if (ENCODED_WORD.test(plain)) throw unclear(field, plain);
  return [...plain.matchAll(/@/g)].flatMap(({ index }) => addressAt(field, plain, index));
}

function addressAt(field: string, text: string, at: number): string[] {
  const before = text.slice(startOf(text, at), at);
  const after = text.slice(at + 1, endOf(text, at + 1));
  if (before && after) {
    const written = `${before}@${after}`;
    // Some signs that stand around an address may also be part of one.
    const addresses = [written, withoutAfter(written), withoutAfter(written.replace(BEFORE, ""))].flatMap(
      (one) => canonicalEmail(one) ?? [],
    );
    if (addresses.length > 0) return addresses;
    throw unclear(field, written);
  }
  // With room or quotes around the sign it can still be one (RFC 5322 4.4): "owen @ example.org". "See you @ 5" is none.
  const next = text.slice(at + 1).trimStart();
  const server = next.slice(0, endOf(next, 0));
  if (text.slice(0, at).trim() && SERVER.test(server)) throw unclear(field, `${before}@${server}`);
  return [];
}

/** Without the signs behind it, and what it asks for as a link does: owen@example.org?subject=Hello. */
function withoutAfter(text: string): string {
  const asked = text.indexOf("?", text.lastIndexOf("@"));
  let end = asked < 0 ? text.length : asked;
  while (end > 0 && AFTER.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function startOf(text: string, at: number): number {
  let start = at;
  while (start > 0 && !SEPARATORS.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function endOf(text: string, at: number): number {
  let end = at;
  while (end < text.length && !SEPARATORS.test(text.charAt(end))) end += 1;
  return end;
}

const SHOWN_MAX = 60;
const shown = (text: string): string => text.slice(0, SHOWN_MAX);

const unclear = (field: string, text: string) =>
  conflict(
    `“${shown(text)}” in the field “${shown(field)}” looks like an address, and nobody can tell whose. Write addresses like name@example.org.`,
  );
