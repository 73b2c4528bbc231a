// Whose word on the sender of a mail counts in a mailbox.
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { isIP } from "node:net";
import { foldEmail } from "@app/shared/email-address";
import type { Mailbox } from "../mailboxes/mailbox-access.service.ts";
import { providerOfServer } from "../mailboxes/mail-providers.ts";
import { type Authenticity, type OwnServer, stampOf, verdictOn } from "./mail-authentication.ts";
import { readHeader } from "./mail-header.ts";

const SAMPLE = 60;
// Spread over so many, so that a burst of mail does not become the whole sample.
const SPREAD_OVER = 2000;
const DOMAINS_MIN = 3;
const NEARLY_ALL = 0.8;
const SAMPLED = ["authentication-results", "from"];

export type Place = Pick<Mailbox, "email" | "imap">;

/** A server gives its results under its own domain or that of the address; one without a name under the latter alone. */
export function ownServerOf({ email, imap: { host } }: Place): OwnServer {
  const ofServer = isIP(host) || !host.includes(".") ? [] : [withoutFirst(host.toLowerCase())];
  return { stampsAs: providerOfServer(host)?.stampsAs ?? "", domains: [...ofServer, domainOf(email)] };
}

const withoutFirst = (host: string): string => {
  const [, ...rest] = host.split(".");
  return rest.length > 1 ? rest.join(".") : host;
};

export const domainOf = (address: string): string => foldEmail(address).split("@").at(-1) ?? "";

export type Written = Pick<FetchMessageObject, "envelope" | "headers">;

/** What the mailbox's own server says of who wrote this mail. It may be the sender's own word: see `isStamping`. */
export function saidOf({ envelope, headers }: Written, own: OwnServer): Authenticity {
  const header = headers?.toString("latin1") ?? "";
  const [from, ...others] = envelope?.from ?? [];
  const stamp = stampOf(header, own);
  if (!stamp || !from?.address) return "unknown";
  const verdict = verdictOn(stamp, from.address);
  // Of several senders nobody knows whom it proves.
  const isOneSender = others.length === 0 && readHeader(header).filter(({ name }) => name === "from").length === 1;
  return verdict === "passed" && !isOneSender ? "unknown" : verdict;
}

/**
 * Whether this server says of nearly every mail from outside who wrote it, under one name: otherwise what stands at the
 * top of a mail may be what its sender wrote there. Asked of mails all over the open folder, once for each domain of
 * senders, so that nobody makes up the majority alone.
 */
export async function isStamping(client: ImapFlow, own: OwnServer, { email }: Place): Promise<boolean> {
  if (own.stampsAs) return true;
  const exists = client.mailbox ? client.mailbox.exists : 0;
  if (exists === 0) return false;
  const step = Math.max(1, Math.min(exists, SPREAD_OVER) / SAMPLE);
  const sample = Array.from({ length: Math.min(exists, SAMPLE) }, (_, index) => exists - Math.floor(index * step));
  // Nothing that the server takes apart: one mail that it cannot would stand in the way of each look.
  const found = await client.fetchAll(sample.join(","), { uid: true, headers: SAMPLED });
  const byDomain = new Map<string, string>();
  for (const { headers } of found) {
    const header = headers?.toString("latin1") ?? "";
    const domain = senderDomainIn(header);
    const by = stampOf(header, own)?.by ?? "";
    // One mail without a stamp is enough to show that its domain's mails are not always stamped.
    if (domain && domain !== domainOf(email)) byDomain.set(domain, byDomain.get(domain) === "" ? "" : by);
  }
  const stamps = [...byDomain.values()];
  const [most = ""] = stamps.toSorted((a, b) => countOf(stamps, b) - countOf(stamps, a));
  return most !== "" && stamps.length >= DOMAINS_MIN && countOf(stamps, most) >= NEARLY_ALL * stamps.length;
}

const senderDomainIn = (header: string): string => {
  const from = readHeader(header).find(({ name }) => name === "from")?.value ?? "";
  return domainOf(/[^\s<>@,;"]+@[^\s<>@,;"]+(?=>?\s*$)/.exec(from)?.[0] ?? "");
};

const countOf = (stamps: readonly string[], by: string): number => stamps.filter((one) => one === by).length;
