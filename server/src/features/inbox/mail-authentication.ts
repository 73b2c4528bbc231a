// Whether the receiving server proved who wrote a mail, by what it wrote at the top of it (RFC 8601). Pure.
//
// Anybody may write such a field into a mail, under any name. The server that received it adds its own above all that
// the sender wrote. So only the topmost field of the mailbox's own server counts, whatever stands further down, under
// the same name too; and only where it stands above the sender's own fields. Where that server adds none the topmost one
// is the sender's: so nothing is proved by a server that is not known to stamp every mail (see mail-stamps.ts).
import { foldEmail } from "@app/shared/email-address";
import { type Header, OF_SENDER, readHeader } from "../../core/mail-header.ts";

export type Authenticity = "passed" | "failed" | "unknown";

/** Whose results count: the names under which the mailbox's own server gives them. */
export interface OwnServer {
  /** Exactly this one, of a provider that is known to stamp every mail; empty for none. */
  stampsAs: string;
  /** Otherwise these domains, and what lies under them. */
  domains: readonly string[];
}

export interface Stamp {
  /** Who says so. */
  by: string;
  results: Result[];
}

interface Result {
  method: string;
  value: string;
  /** What it was found for, such as `header.d`. */
  properties: ReadonlyMap<string, string>;
}

const FIELD_MAX_LENGTH = 10_000;

/** What the mailbox's own server says of a mail; null where it says nothing. */
export function stampOf(header: string, own: OwnServer): Stamp | null {
  const fields = readHeader(header);
  const end = fields.findIndex(({ name }) => OF_SENDER.includes(name));
  const above = end === -1 ? fields : fields.slice(0, end);
  const stamps = above.filter(({ name }) => name === "authentication-results").map(readStamp);
  return stamps.find(({ by }) => isOwn(by, own)) ?? null;
}

const isOwn = (by: string, { stampsAs, domains }: OwnServer): boolean =>
  stampsAs ? by === stampsAs : domains.some((domain) => by === domain || by.endsWith(`.${domain}`));

function readStamp({ value }: Header): Stamp {
  const [first = "", ...parts] = pieces(withoutComments(value.slice(0, FIELD_MAX_LENGTH)));
  const [by = ""] = first.trim().split(/\s+/);
  return { by: by.toLowerCase(), results: parts.flatMap((part) => readResult(part) ?? []) };
}

function readResult(part: string): Result | null {
  const words = part.trim().toLowerCase().split(/\s+/);
  const [method = "", value = ""] = (words[0] ?? "").split("=", 2);
  if (!value) return null;
  const pairs = words.slice(1).map((word): [string, string] => {
    const [name = "", ...rest] = word.split("=");
    return [name, rest.join("=").replaceAll('"', "")];
  });
  return { method: method.split("/", 1)[0] ?? "", value, properties: new Map(pairs) };
}

/** Comments may hold anything, other results too, and comments. */
const withoutComments = (text: string): string =>
  withoutNested(text, (quoted) => (/[;\s=]/.test(quoted) ? "_" : quoted)).kept;

/** Without comments and quotation marks; what stands between those as it is wanted. */
function withoutNested(text: string, wanted: (quoted: string) => string): { kept: string; isWhole: boolean } {
  let depth = 0;
  let isQuoted = false;
  let kept = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === "\\") at += 1;
    else if (sign === '"' && depth === 0) isQuoted = !isQuoted;
    else if (sign === "(" && !isQuoted) depth += 1;
    else if (sign === ")" && !isQuoted && depth > 0) depth -= 1;
    else if (depth === 0) kept += isQuoted ? wanted(sign) : sign;
  }
  return { kept, isWhole: depth === 0 && !isQuoted };
}

const pieces = (text: string): string[] => text.split(";");

/** What may stand around and in an address that everybody reads alike. */
const PLAIN_MAILBOX =
  /^[^<>()[\]@,:;"]*<([^\s<>()[\]@,:;"]+@[^\s<>()[\]@,:;"]+)>$|^([^\s<>()[\]@,:;"]+@[^\s<>()[\]@,:;"]+)$/;

/** The address in a From that is one mailbox and no group (RFC 5322 3.4); null for what programs read differently. */
export function plainMailboxOf(from: string): string | null {
  const { kept, isWhole } = withoutNested(from.slice(0, FIELD_MAX_LENGTH), () => "");
  const [, named, alone] = (isWhole && PLAIN_MAILBOX.exec(kept.trim())) || [];
  const address = named ?? alone;
  return address === undefined ? null : foldEmail(address);
}

/**
 * Whether this stamp proves that the mail is from this address. DMARC (RFC 7489) says it by itself; without it a
 * signature or an envelope of the same domain, or of one above it, does.
 */
export function verdictOn({ results }: Stamp, from: string): Authenticity {
  const domain = domainOf(from);
  const of = (method: string) => results.filter((result) => result.method === method);
  const isAligned = (...texts: (string | undefined)[]) =>
    texts.some((text) => text !== undefined && isUnder(domain, domainOf(text)));
  const said = new Set(of("dmarc").map((result) => dmarcVerdict(result, domain)));
  const worst = VERDICTS.find((verdict) => said.has(verdict));
  if (worst) return worst;
  const hasSigned = of("dkim").some(
    ({ value, properties }) => value === "pass" && isAligned(properties.get("header.d"), properties.get("header.i")),
  );
  const hasSent = of("spf").some(
    ({ value, properties }) => value === "pass" && isAligned(properties.get("smtp.mailfrom")),
  );
  if (hasSigned || hasSent) return "passed";
  const isRefused = [...of("spf"), ...of("dkim")].some(({ value }) => ["fail", "softfail"].includes(value));
  return isRefused ? "failed" : "unknown";
}

/** Where several are given, whichever proves least counts: nobody knows which of them another reader takes. */
const VERDICTS = ["failed", "unknown", "passed"] as const;

/** Null where it says neither. */
function dmarcVerdict({ value, properties }: Result, domain: string): Authenticity | null {
  if (value === "fail") return "failed";
  if (value !== "pass") return null;
  const claimed = properties.get("header.from");
  // Without the domain it was found for, nobody knows of which sender it speaks.
  if (!claimed) return "unknown";
  return domainOf(claimed) === domain ? "passed" : "failed";
}

const domainOf = (text: string): string => foldEmail(`x@${text.split("@").at(-1) ?? ""}`).slice(2);

/** A domain of one label is nobody's own. */
const isUnder = (domain: string, above: string): boolean =>
  above.includes(".") && (domain === above || domain.endsWith(`.${above}`));
