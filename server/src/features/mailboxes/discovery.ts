// Finds the servers of an address: what is known here, what its domain or a directory publishes, what the names of its
// servers say, and at last the usual names. Whatever answers, a person may change it.
import type { FoundServers, MailServers, ServerSource } from "@app/shared/mailboxes";
import { z } from "zod";
import { type Asker, ofUser } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import type { Asking } from "../../core/names.ts";
import type { work } from "./autoconfig.foreign.ts";
import type { Place } from "./autoconfig.ts";
import { type MailProvider, providerOfDomain, providerOfMx } from "./mail-providers.service.ts";

const STEP_LIMIT_MS = 2500;
const ALL_LIMIT_MS = 8000;
const DIRECTORY = "https://autoconfig.thunderbird.net/v1.1";
const READING_LIMIT_MS = 2000;
const placeSchema = z.object({ host: z.string(), port: z.number(), secure: z.boolean(), user: z.string() });
const configIn = defineForeign<typeof work>({
  file: new URL("./autoconfig.foreign.ts", import.meta.url),
  output: z.object({ name: z.string(), imap: placeSchema, smtp: placeSchema }).nullable(),
  limitMs: READING_LIMIT_MS,
  refuse: (why, reason) => new Error(`${why}: ${reason}`),
});
const NO_NETWORK =
  "Nothing could be looked up on the network just now, so only well-known providers were compared. Enter the servers under Server settings.";

export interface SrvPlace {
  host: string;
  port: number;
}

/** The questions that discovery asks of the network. Each rejects, or answers nothing, where there is none. */
export interface Network {
  /** The text at an https address; null where there is no such page. */
  textAt(url: string, asking: Asking): Promise<string | null>;
  /** The servers that take a domain's mail, the first choice first. */
  mxOf(domain: string, asking: Asking): Promise<string[]>;
  srvOf(name: string, asking: Asking): Promise<SrvPlace[]>;
  /** Whether a mail server with a certificate of this name answers there, encrypted. */
  answers(host: string, port: number, asking: Asking): Promise<boolean>;
}

/** Asked by somebody, while they wait. */
interface AskedNetwork {
  asker: Asker;
  textAt(url: string): Promise<string | null>;
  mxOf(domain: string): Promise<string[]>;
  srvOf(name: string): Promise<SrvPlace[]>;
  answers(host: string, port: number): Promise<boolean>;
}

type Step = (network: AskedNetwork) => Promise<FoundServers | null>;

/** Everything that is known of this address's servers, within eight seconds. */
export async function findServers(email: string, network: Network, asker: Asker): Promise<FoundServers> {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const known = providerOfDomain(domain);
  if (known) return ofProvider(known, email);
  const asked = listening(network, asker);
  const until = performance.now() + ALL_LIMIT_MS;
  for (const step of stepsFor(email, domain)) {
    const left = until - performance.now();
    const answer = left > 0 ? await within(Math.min(STEP_LIMIT_MS, left), (gone) => step(asked.network(gone))) : null;
    if (answer) return answer;
  }
  return { ...NOTHING, notAsked: asked.wasAnswered() ? "" : NO_NETWORK };
}

const NOTHING: FoundServers = {
  servers: null,
  source: null,
  providerName: "",
  advice: null,
  signIn: null,
  notAsked: "",
};

const stepsFor = (email: string, domain: string): Step[] =>
  [publishedBy, fromDirectory, fromExchanges, fromDns, guessed].map(
    (step) => (network) => step(domain, email, network),
  );

function ofProvider({ name, servers, advice, signIn }: MailProvider, email: string): FoundServers {
  return {
    servers: servers && { imap: { ...servers.imap, user: email }, smtp: { ...servers.smtp, user: email } },
    source: "known",
    providerName: name,
    advice: advice ?? null,
    signIn: signIn ?? null,
    notAsked: "",
  };
}

const found = (servers: MailServers, source: ServerSource, providerName = ""): FoundServers => ({
  ...NOTHING,
  servers,
  source,
  providerName,
});

async function publishedBy(domain: string, email: string, network: AskedNetwork): Promise<FoundServers | null> {
  const query = `?emailaddress=${encodeURIComponent(email)}`;
  return firstOf([
    published(`https://autoconfig.${domain}/mail/config-v1.1.xml${query}`, email, "provider", network),
    published(`https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml${query}`, email, "provider", network),
  ]);
}

const fromDirectory = (domain: string, email: string, network: AskedNetwork): Promise<FoundServers | null> =>
  published(`${DIRECTORY}/${domain}`, email, "directory", network);

async function published(url: string, email: string, source: ServerSource, network: AskedNetwork) {
  const xml = await network.textAt(url);
  const config = xml === null ? null : await configIn(network.asker, { xml, email });
  return config && found({ imap: config.imap, smtp: config.smtp }, source, config.name);
}

/** Mail of one's own domain is often kept by a provider, and the servers that take it say by which. */
async function fromExchanges(domain: string, email: string, network: AskedNetwork): Promise<FoundServers | null> {
  const exchanges = await network.mxOf(domain);
  const known = providerOfMx(exchanges);
  if (known) return ofProvider(known, email);
  const [first] = exchanges;
  const host = first && first.split(".").slice(-2).join(".");
  if (!host || host === domain) return null;
  return firstOf([
    published(
      `https://autoconfig.${host}/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(email)}`,
      email,
      "dns",
      network,
    ),
    published(`${DIRECTORY}/${host}`, email, "dns", network),
  ]);
}

async function fromDns(domain: string, email: string, network: AskedNetwork): Promise<FoundServers | null> {
  const place = async (name: string, secure: boolean): Promise<Place | null> => {
    const [first] = await network.srvOf(`${name}.${domain}`).catch(() => []);
    // A single dot says that there is no such service.
    return first && first.host !== "" && first.host !== "." ? { ...first, secure, user: email } : null;
  };
  const [imaps, imap, submissions, submission] = await Promise.all([
    place("_imaps._tcp", true),
    place("_imap._tcp", false),
    place("_submissions._tcp", true),
    place("_submission._tcp", false),
  ]);
  const [incoming, outgoing] = [imaps ?? imap, submissions ?? submission];
  return incoming && outgoing ? found({ imap: incoming, smtp: outgoing }, "dns") : null;
}

async function guessed(domain: string, email: string, network: AskedNetwork): Promise<FoundServers | null> {
  const first = (names: string[], port: number, secure: boolean) =>
    firstOf(
      names.map(async (name) => {
        const host = `${name}.${domain}`;
        return (await network.answers(host, port)) ? { host, port, secure, user: email } : null;
      }),
    );
  const [imap, smtp] = await Promise.all([
    first(["imap", "mail"], 993, true),
    first(["smtp", "mail"], 465, true).then((place) => place ?? first(["smtp", "mail"], 587, false)),
  ]);
  return imap && smtp ? found({ imap, smtp }, "guess") : null;
}

/** The first of these, in their order, that is something; what fails counts as nothing. */
async function firstOf<Result>(tries: Promise<Result | null>[]): Promise<Result | null> {
  const settled = await Promise.all(tries.map((one) => one.catch(() => null)));
  return settled.find((result) => result !== null) ?? null;
}

/** The work is told when nobody waits for it any more. */
async function within<Result>(ms: number, work: (gone: AbortSignal) => Promise<Result | null>): Promise<Result | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  const gone = new AbortController();
  try {
    return await Promise.race([work(gone.signal).catch(() => null), late.promise]);
  } finally {
    clearTimeout(timer);
    gone.abort();
  }
}

/** The same network, and whether anything of it answered at all. */
function listening(network: Network, asker: Asker) {
  let isAnswered = false;
  const heard = <Result>(answer: Result): Result => {
    isAnswered = true;
    return answer;
  };
  return {
    wasAnswered: () => isAnswered,
    network(gone: AbortSignal): AskedNetwork {
      const asking = { asker: ofUser(asker.one), gone };
      return {
        asker,
        textAt: async (url) => heard(await network.textAt(url, asking)),
        mxOf: async (domain) => heard(await network.mxOf(domain, asking)),
        srvOf: async (name) => heard(await network.srvOf(name, asking)),
        answers: async (host, port) => {
          const isThere = await network.answers(host, port, asking);
          return isThere ? heard(isThere) : isThere;
        },
      };
    },
  };
}
