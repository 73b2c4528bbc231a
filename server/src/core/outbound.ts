// Hosts that people name. Whoever may choose where the server connects to must not reach this machine or its network.
import { constants } from "node:crypto";
import { isIP } from "node:net";
import { DEFAULT_CIPHERS } from "node:tls";
import ipaddr from "ipaddr.js";
import { badField } from "./errors.ts";
import { addressesOf, type Asking } from "./names.ts";
import { settings } from "./settings.ts";

/**
 * For every encrypted connection to a server that somebody named: without key exchange over finite fields, in which the
 * server chooses the group, and one handshake in a large one holds everybody up for a second; and with one handshake only.
 */
export const OUTBOUND_TLS = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const;

const MAIL_PORTS = [25, 143, 465, 587, 993, 2525];
const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const HOST_MAX_LENGTH = 253;

export interface Destination {
  /** The address that was checked: dial this and not the name, which may lead elsewhere the next moment. */
  address: string;
  port: number;
  /** For the certificate; none where an address was named. */
  servername: string | undefined;
  isLoopback: boolean;
}

/**
 * Resolves a mail server that a person named. Throws BAD_REQUEST, in the same words for every reason, where it is no
 * public host or no port of mail; MAIL_ALLOW_PRIVATE_HOSTS lets an installation use servers of its own network. Throws
 * `busy` where nobody can tell just now.
 */
export async function mailDestination(host: string, port: number, asking: Asking): Promise<Destination> {
  const isPortAllowed = settings().MAIL_ALLOW_PRIVATE_HOSTS || MAIL_PORTS.includes(port);
  const destination = isPortAllowed ? await destinationOf(host, port, asking) : null;
  if (destination) return destination;
  throw badField("host", `There is no mail server to reach at ${host}, port ${port}. Check the name and the port.`);
}

/** Resolves a web server whose name comes from outside; null where it is no public host. */
export const webDestination = (host: string, asking: Asking): Promise<Destination | null> =>
  destinationOf(host, HTTPS_PORT, asking);

/**
 * Resolves a server that whoever runs the installation named in its settings, which may be this machine. Null where there
 * is none. A name of one's own network is looked up where MAIL_ALLOW_PRIVATE_HOSTS allows it.
 */
export async function settingDestination(url: URL, asking: Asking): Promise<Destination | null> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const [address] = await addressesOf(host, asking);
  if (!address) return null;
  const port = Number(url.port) || (url.protocol === "https:" ? HTTPS_PORT : HTTP_PORT);
  return { address, port, servername: isIP(host) ? undefined : host, isLoopback: isLoopback(address) };
}

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === "loopback";

async function destinationOf(host: string, port: number, asking: Asking): Promise<Destination | null> {
  const addresses = host.length <= HOST_MAX_LENGTH ? await addressesOf(host, asking) : [];
  const [address] = addresses;
  if (!address || !(settings().MAIL_ALLOW_PRIVATE_HOSTS || addresses.every(isPublic))) return null;
  return {
    address,
    port,
    servername: isIP(host) ? undefined : host,
    isLoopback: isLoopback(address),
  };
}

/** Whether two names lead to the same machine; also where neither leads anywhere now, but they are one name. */
export async function isSameHost(one: string, other: string, asking: Asking): Promise<boolean> {
  if (one.toLowerCase() === other.toLowerCase()) return true;
  const [here, there] = await Promise.all([one, other].map((host) => addressesOf(host, asking).catch(() => [])));
  return (here ?? []).some((address) => (there ?? []).includes(address));
}

// Within what is public of IPv6: tunnels that lead to an IPv4 address, and blocks for other purposes.
const NOT_PUBLIC_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"].map((block) =>
  ipaddr.IPv6.parseCIDR(block),
);
const PUBLIC_V6 = ipaddr.IPv6.parseCIDR("2000::/3");
// Relays between IPv4 and IPv6, and sinks of the name system.
const NOT_PUBLIC_V4 = ["192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24"].map(
  (block) => ipaddr.IPv4.parseCIDR(block),
);

/**
 * Whether an address is of the public internet. Of IPv6 only what is given out for it: everything else wraps IPv4
 * addresses in one way or another (mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP) or leads nowhere.
 */
export function isPublic(text: string): boolean {
  const address = ipaddr.process(text);
  if (address.range() !== "unicast") return false;
  if (address instanceof ipaddr.IPv4) return !NOT_PUBLIC_V4.some((block) => address.match(block));
  const isIsatap = (address.parts[4] === 0 || address.parts[4] === 0x200) && address.parts[5] === 0x5efe;
  return address.match(PUBLIC_V6) && !isIsatap && !NOT_PUBLIC_V6.some((block) => address.match(block));
}
