// One form for every address, made where it comes in: mail servers compare what an address means, so we do too.
import { normalForm } from "./normal-form.ts";

// The host parser that browsers and servers share (WHATWG URL, UTS 46): Unicode domains become what DNS looks up.
declare const URL: new (address: string) => { hostname: string };

export const EMAIL_MAX_LENGTH = 254;
const LOCAL_MAX_LENGTH = 64;
/** An address may be shorter in its one form than as it is written. */
const WRITTEN_MAX_LENGTH = 4 * EMAIL_MAX_LENGTH;

/** Characters that nobody sees: soft hyphens, joiners, direction marks, what is unassigned or for private use. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
// Without the signs by which a server would take it for the way to another one: user%other@here, other!user@here.
// Nor as an encoded word, which a service that makes a header of it may decode (RFC 2047): =?utf-8?q?owen?=@here.
const LOCAL = /^(?!.*=\?)[^\s@<>()[\]\\,;:"%!]+$/u;
// What the host parser would take for something else than a part of a name.
const HOST = /^[^\s@<>()[\]\\,;:"/?#%&|^'`{}]+$/u;
const LABELS = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Domains at which one name is one mailbox, as the provider says itself. */
interface Provider {
  domains: readonly string[];
  /** Signs that it reads as if they were not there. */
  ignored?: RegExp;
  /** A sign that it reads as another one. */
  alike?: { sign: string; as: string };
}

const YANDEX_ENDS = [
  "com",
  "by",
  "kz",
  "ua",
  "uz",
  "com.tr",
  "co.il",
  "com.am",
  "com.ge",
  "az",
  "kg",
  "md",
  "tj",
  "tm",
];
const PROVIDERS: readonly Provider[] = [
  // https://support.google.com/mail/answer/7436150 and https://support.google.com/mail/answer/10313
  { domains: ["gmail.com", "googlemail.com"], ignored: /\./g },
  // https://support.apple.com/en-us/118230
  { domains: ["icloud.com", "me.com", "mac.com"] },
  // https://proton.me/support/addresses-and-aliases; the signs: canonicalizeInternalEmail in Proton's own web client
  { domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"], ignored: /[._-]/g },
  // https://yandex.com/support/domain/additional/mailbox-alias.xml; the sign: how Yandex compares the names of its
  // accounts, https://yandex.ru/dev/direct/doc/dg-v4/concepts/finance-token.html
  { domains: ["yandex.ru", ...YANDEX_ENDS.map((end) => `yandex.${end}`), "ya.ru"], alike: { sign: ".", as: "-" } },
  // https://kb.mailbox.org/en/private/e-mail/ensuring-emails-are-sent-securely
  { domains: ["mailbox.org", "secure.mailbox.org", "tls.mailbox.org"] },
  // https://help.runbox.com/how-do-internet-domains-work-for-email/
  { domains: ["runbox.com", "runbox.no", "runbox.eu"] },
];
const PROVIDER_OF = new Map(PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider])));

/**
 * At Fastmail anything@name.domain is name@domain, and an underscore of the name is a hyphen there:
 * https://www.fastmail.help/hc/en-us/articles/360060591053 and https://fastmail.com/blog/two-address-resolving-additions
 */
const FASTMAIL =
  /^(?:([a-z0-9-]+)\.)?(fastmail\.(?:cn|co\.uk|com|com\.au|de|es|fm|fr|im|in|jp|mx|net|nl|org|se|to|tw|us)|sent\.com)$/;

/**
 * The one form in which an address is stored, compared and sent: lower case, compatibility characters as what they
 * stand for (RFC 6532, NFKC), the domain in A-labels (RFC 5891). Null for what is no address, and for one with
 * characters that nobody sees.
 */
export function canonicalEmail(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > WRITTEN_MAX_LENGTH || INVISIBLE.test(trimmed)) return null;
  const at = trimmed.lastIndexOf("@");
  const local = normalForm(trimmed.slice(0, Math.max(0, at)), "NFKC").toLowerCase();
  if (!LOCAL.test(local) || INVISIBLE.test(local) || local.length > LOCAL_MAX_LENGTH) return null;
  const domain = hostOf(trimmed.slice(at + 1));
  const address = `${local}@${domain}`;
  return domain === null || address.length > EMAIL_MAX_LENGTH ? null : address;
}

function hostOf(text: string): string | null {
  if (!HOST.test(text)) return null;
  try {
    const { hostname } = new URL(`http://${text}/`);
    return LABELS.test(hostname) ? hostname : null;
  } catch {
    return null;
  }
}

/** A route before it, blanks around its signs, and a name in quotes that needs none (RFC 5322, 3.4.1 and 4.4). */
const unfolded = (text: string): string =>
  text
    .slice(0, WRITTEN_MAX_LENGTH + 1)
    .trim()
    .replace(/^(?:@[^@:]{1,253},?)+:/, "")
    .replace(/\s*([@.])\s*/g, "$1")
    .replace(/\.$/, "")
    .replace(/^"((?:[^"\\]|\\.){1,64})"(?=@)/, (_quoted, name: string) => name.replace(/\\(.)/g, "$1"));

/** The same for what others wrote, such as a header of a mail: what is no address is compared as it is written. */
export const foldEmail = (text: string): string =>
  canonicalEmail(text) ?? canonicalEmail(unfolded(text)) ?? normalForm(text, "NFKC").trim().toLowerCase();

/**
 * Whose mailbox an address reaches, as far as it shows: what follows a plus sign is for its owner to sort by, and some
 * providers have one mailbox under several domains. For comparing only; mail goes to the address as it is written.
 */
export function mailboxKey(address: string): string {
  const canonical = foldEmail(address);
  const at = canonical.lastIndexOf("@");
  const domain = canonical.slice(at + 1);
  const plus = canonical.indexOf("+");
  const name = canonical.slice(0, plus > 0 && plus < at ? plus : Math.max(0, at));
  const [, within = name, fastmail] = FASTMAIL.exec(domain) ?? [];
  if (fastmail) return `${within.replaceAll("_", "-")}@${fastmail}`;
  const { ignored, alike, domains: [one = domain] = [] } = PROVIDER_OF.get(domain) ?? {};
  if (alike) return `${name.replaceAll(alike.sign, alike.as)}@${one}`;
  return `${(ignored && name.replace(ignored, "")) || name}@${one}`;
}

/** Whether two addresses reach the same person, however they are spelled. */
export const samePerson = (one: string, other: string): boolean =>
  one !== "" && other !== "" && mailboxKey(one) === mailboxKey(other);
