// A stateful stand-in for the card payment provider on a free port of this machine. The real package talks to it.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { ANSWERS } from "./answers.ts";
import { makePost, STRIPE_CONNECT_SECRET, STRIPE_SECRET } from "./events.ts";
import { makeHands } from "./hands.ts";
import { makeLedger } from "./ledger.ts";
import { formTree, refuse, StripeRefusal } from "./params.ts";
import { servePage } from "./pages.ts";

export { type FakeEvent, signedEvent, STRIPE_SECRET } from "./events.ts";

interface Replayed {
  /** In seconds of its own clock: it keeps a key for a day. */
  at: number;
  body: string;
  status: number;
  answer: string;
}

interface FakeRequest {
  path: string;
  body: URLSearchParams;
  idempotencyKey: string;
  account: string;
}

const KEYS_KEPT_SECONDS = 86_400;

const headerOf = ({ headers }: IncomingMessage, name: string): string => {
  const value = headers[name];
  return typeof value === "string" ? value : "";
};

function answerTo(method: string, path: string) {
  for (const [name, answer] of Object.entries(ANSWERS)) {
    const [verb, pattern = ""] = name.split(" ");
    const found = new RegExp(`^${pattern.replaceAll(":", "([^/]+)")}$`).exec(path);
    if (verb === method && found) return { answer, ids: found.slice(1) };
  }
  return null;
}

export async function startFakeStripe() {
  const ledger = makeLedger();
  const events = makePost();
  const requests: FakeRequest[] = [];
  const replays = new Map<string, Replayed>();
  /** `afterWork` is called when something was changed and nobody was told of it yet: where a process may die. */
  const state: { isDown: boolean; afterWork: null | ((path: string) => "answer" | "hang up") } = {
    isDown: false,
    afterWork: null,
  };
  let url = "";
  const hands = makeHands(ledger, events, () => url);
  const emit = (...told: Parameters<typeof events.emit>) => events.emit(...told);

  function work(req: IncomingMessage, asked: URL, body: string): object {
    const found = answerTo(req.method ?? "", asked.pathname);
    if (!found) return refuse(`Unrecognized request URL (${req.method}: ${asked.pathname})`, { status: 404 });
    const isJson = headerOf(req, "content-type").startsWith("application/json") && body !== "";
    const given = isJson ? JSON.parse(body) : formTree(body === "" ? asked.searchParams : new URLSearchParams(body));
    const account = headerOf(req, "stripe-account");
    if (account !== "" && !ledger.accounts.has(account))
      return refuse("The provided key does not have access to this account", { code: "account_invalid", status: 403 });
    return found.answer({ ledger, url, account, given, ids: found.ids, emit });
  }

  function finished(req: IncomingMessage, asked: URL, body: string) {
    try {
      return { status: 200, answer: JSON.stringify(work(req, asked, body)), isUnread: false };
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      const { status, isUnread } = error;
      return { status, answer: JSON.stringify({ error: error.body }), isUnread };
    }
  }

  /** The same key with the same words gets the same answer, a refusal too, for a day: then it is as if it were new. */
  function replayed(req: IncomingMessage, asked: URL, body: string): { status: number; answer: string } {
    const key = headerOf(req, "idempotency-key");
    if (key === "" || req.method !== "POST") return finished(req, asked, body);
    const place = `${headerOf(req, "stripe-account")} ${asked.pathname} ${key}`;
    const kept = replays.get(place);
    const known = kept && ledger.now() - kept.at < KEYS_KEPT_SECONDS ? kept : undefined;
    if (known && known.body !== body) {
      const message = "Keys for idempotent requests can only be used with the same parameters.";
      return { status: 400, answer: JSON.stringify({ error: { type: "idempotency_error", message } }) };
    }
    if (known) return known;
    const { isUnread, ...made } = finished(req, asked, body);
    if (!isUnread) replays.set(place, { at: ledger.now(), body, ...made });
    return made;
  }

  function answerCall(req: IncomingMessage, res: ServerResponse, body: string): void {
    const asked = new URL(req.url ?? "", "http://stripe");
    if (servePage({ ledger, hands }, res, req.method ?? "", asked.pathname)) return;
    requests.push({
      path: asked.pathname,
      body: new URLSearchParams(body),
      idempotencyKey: headerOf(req, "idempotency-key"),
      account: headerOf(req, "stripe-account"),
    });
    res.setHeader("content-type", "application/json");
    if (state.isDown) {
      res.statusCode = 503;
      return void res.end(JSON.stringify({ error: { type: "api_error", message: "down" } }));
    }
    const { status, answer } = replayed(req, asked, body);
    if (req.method === "POST" && state.afterWork?.(asked.pathname) === "hang up") return void req.socket.destroy();
    res.statusCode = status;
    res.end(answer);
  }

  const server = createServer((req, res) => void text(req).then((body) => answerCall(req, res, body)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const environment = {
    STRIPE_SECRET_KEY: "sk_test_of_the_tests",
    STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
    STRIPE_API_URL: url,
  };
  return {
    url,
    state,
    requests,
    ledger,
    events,
    ...hands,
    /** As it does with each key after a day. */
    forgetKeys: () => replays.clear(),
    /** Its own clock, in milliseconds. */
    advance: (ms: number) => ledger.advance(Math.floor(ms / 1000)),
    subscriptions: ledger.subscriptions,
    environment,
    /** The same for an installation in which each practice connects an account of its own. */
    connect: { ...environment, STRIPE_MODE: "connect", STRIPE_CONNECT_WEBHOOK_SECRET: STRIPE_CONNECT_SECRET },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;
