// Whose word on the sender of a mail counts in a mailbox.
import type { Mail } from "../../core/imap-messages.ts";
import { isIP } from "node:net";
import { foldEmail } from "@app/shared/email-address";
import type { Mailbox } from "../mailboxes/mailbox-access.service.ts";
import { providerOfServer } from "../mailboxes/mail-providers.service.ts";
import { type Authenticity, type OwnServer, plainMailboxOf, stampOf, verdictOn } from "./mail-authentication.ts";
import { settings } from "../../core/settings.ts";
import { readHeader } from "../../core/mail-header.ts";

export type Place = Pick<Mailbox, "email" | "imap">;

/** A server gives its results under its own domain or that of the address; one without a name under the latter alone. */
export function ownServerOf({ email, imap }: Place): OwnServer {
  const host = imap.host.toLowerCase();
  const ofServer = isIP(host) || !host.includes(".") ? [] : [withoutFirst(host)];
  const stampsAs = providerOfServer(host)?.stampsAs ?? settings().MAIL_SENDER_CHECKS.get(host) ?? "";
  return { stampsAs, domains: [...ofServer, domainOf(email)] };
}

const withoutFirst = (host: string): string => {
  const [, ...rest] = host.split(".");
  return rest.length > 1 ? rest.join(".") : host;
};

export const domainOf = (address: string): string => foldEmail(address).split("@").at(-1) ?? "";

export type Written = Pick<Mail, "envelope" | "headers" | "internalDate" | "isHeaderCut">;

const headerOf = ({ headers }: Written): string => headers?.toString("latin1") ?? "";

/**
 * What the mailbox's own server says of who wrote this mail. That it failed is believed of any server; that it passed
 * may be the sender's own word, and proves nothing: see `isProved`.
 */
export function saidOf(written: Written, own: OwnServer): Authenticity {
  const { envelope, isHeaderCut } = written;
  const header = headerOf(written);
  const [from] = envelope?.from ?? [];
  const stamp = stampOf(header, own);
  if (!stamp || !from?.address) return "unknown";
  const verdict = verdictOn(stamp, from.address);
  // Of several senders, or of a group, nobody knows whom it proves.
  const [field, ...fields] = readHeader(header).filter(({ name }) => name === "from");
  const isOneSender =
    !isHeaderCut && fields.length === 0 && plainMailboxOf(field?.value ?? "") === foldEmail(from.address);
  return verdict === "passed" && !isOneSender ? "unknown" : verdict;
}

/**
 * Whether the server's word proves who wrote it. Only where somebody vouches that it stamps every mail and takes away
 * what others wrote under its name (RFC 8601, section 5): nothing in a mailbox shows that, since anybody may fill it.
 */
export const isProved = (written: Written, own: OwnServer): boolean =>
  own.stampsAs !== "" && saidOf(written, own) === "passed";

/**
 * Whether a reader has to be told that nobody confirmed who wrote it. Where the server stamps every mail that comes in,
 * that is all but what it confirmed; what has no stamp there and is from the mailbox itself was put there by its holder.
 */
export function isDoubted(written: Written, own: OwnServer, { isFromUs }: { isFromUs: boolean }): boolean {
  const said = saidOf(written, own);
  if (own.stampsAs === "") return said === "failed";
  return said !== "passed" && !(isFromUs && !stampOf(headerOf(written), own));
}
