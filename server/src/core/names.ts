// Names of hosts that people name, asked of the name servers by ourselves. The system's own look-up takes one of the few
// threads of this process and cannot be ended: a dozen names of a zone that keeps silent would stop everybody's mail.
import { lookup, Resolver } from "node:dns/promises";
import { readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { busy } from "./errors.ts";
import { type Asker, fairTurns, inTurn } from "./fair-turns.ts";
import { settings } from "./settings.ts";

/** Who wants to know, and until when. */
export interface Asking {
  asker: Asker;
  gone?: AbortSignal;
}

const TRY_MS = 2000;
const TRIES = 2;
const LIMIT_MS = 5000;
const takeTurn = fairTurns({ atOnce: 32, ofOne: 4, waiting: { inAll: 1000, ofGroup: 100, ofOne: 100 } });
// One thread of four.
const takeSystemTurn = fairTurns({ atOnce: 1, ofOne: 1, waiting: { inAll: 100, ofGroup: 10, ofOne: 10 } });
const NOT_THERE = ["ENOTFOUND", "ENODATA", "EBADNAME"];
const HOSTS_FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * All addresses of a host, of both families, the one to dial first; none where there is no such host. Throws `busy`
 * where nobody can tell just now.
 */
export async function addressesOf(host: string, asking: Asking): Promise<string[]> {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (isIP(name)) return [name];
  const written = (await writtenNames()).get(name);
  if (written) return written;
  // RFC 6761, sections 6.3 and 6.4.
  if (lastPart(name) === "localhost") return ["127.0.0.1", "::1"];
  if (lastPart(name) === "invalid" || isOddNumber(name)) return [];
  try {
    if (isOfNetwork(name)) return settings().MAIL_ALLOW_PRIVATE_HOSTS ? await systemAddresses(name, asking) : [];
    return await askNames(asking, (resolver) => bothFamilies(resolver, name));
  } catch {
    throw busy(`The name ${host} could not be looked up just now. Check it, and try again in a minute.`);
  }
}

/** Asks the name servers in the turn of whoever wants to know, and no longer than they wait. */
export const askNames = <Answer>(
  { asker, gone }: Asking,
  ask: (resolver: Resolver) => Promise<Answer>,
): Promise<Answer> =>
  inTurn(
    takeTurn,
    asker,
    async () => {
      const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
      if (settings().DNS_SERVERS.length > 0) resolver.setServers(settings().DNS_SERVERS);
      const end = () => resolver.cancel();
      const timer = setTimeout(end, LIMIT_MS);
      gone?.addEventListener("abort", end, { once: true });
      try {
        return await ask(resolver);
      } finally {
        clearTimeout(timer);
        gone?.removeEventListener("abort", end);
      }
    },
    gone,
  );

/** "There is no such record" is an answer too. */
export async function orNothing<One>(asked: Promise<One[]>): Promise<One[]> {
  try {
    return await asked;
  } catch (error) {
    if (NOT_THERE.includes(codeOf(error))) return [];
    throw error;
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** What one family says is enough where the other is not answered. */
async function bothFamilies(resolver: Resolver, name: string): Promise<string[]> {
  const [v4, v6] = await Promise.allSettled([orNothing(resolver.resolve4(name)), orNothing(resolver.resolve6(name))]);
  const found = (isOnlyV6() ? [v6, v4] : [v4, v6]).flatMap((family) =>
    family.status === "fulfilled" ? family.value : [],
  );
  const failed = [v4, v6].find((family) => family.status === "rejected");
  if (found.length === 0 && failed) throw failed.reason;
  return found;
}

function isOnlyV6(): boolean {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  return outside.length > 0 && outside.every(({ family }) => family === "IPv6");
}

/** An address in one of its old spellings, such as 127.1 or 0x7f000001: no name ends so (WHATWG URL, "ends in a number"). */
const isOddNumber = (name: string): boolean => /^(\d+|0x[\da-f]*)$/.test(lastPart(name));
const lastPart = (name: string): string => name.split(".").at(-1) ?? "";

/** Names that only the network here knows (RFC 6762 for those of .local). */
const isOfNetwork = (name: string): boolean => !name.includes(".") || name.endsWith(".local");

async function systemAddresses(name: string, { asker, gone }: Asking): Promise<string[]> {
  // It holds its turn until it ends by itself, whoever waits for it.
  const asked = inTurn(takeSystemTurn, asker, () => systemLookup(name), gone);
  const late = new AbortController();
  try {
    const ends = AbortSignal.any([late.signal, ...(gone ? [gone] : [])]);
    return await Promise.race([asked, sleep(LIMIT_MS, undefined, { signal: ends }).then(() => Promise.reject(busy()))]);
  } finally {
    late.abort();
  }
}

const systemLookup = async (name: string): Promise<string[]> => {
  const found = await orNothing(lookup(name, { all: true }));
  return found.map(({ address }) => address);
};

let written = { changedAt: 0, names: new Map<string, string[]>() };

/** The names that this machine's own file knows, which count before any name server. */
async function writtenNames(): Promise<Map<string, string[]>> {
  try {
    const { mtimeMs } = await stat(HOSTS_FILE);
    if (mtimeMs !== written.changedAt)
      written = { changedAt: mtimeMs, names: namesIn(await readFile(HOSTS_FILE, "utf8")) };
  } catch {
    // A machine without the file knows no names.
    written = { changedAt: 0, names: new Map() };
  }
  return written.names;
}

/** The names of a hosts file (hosts(5)): an address and its names in a line. */
export function namesIn(text: string): Map<string, string[]> {
  const known = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (!isIP(address)) continue;
    for (const name of names) known.set(name.toLowerCase(), [...(known.get(name.toLowerCase()) ?? []), address]);
  }
  return known;
}
