import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { Target } from "../support/access/door.ts";
import { DOORS } from "../support/access/doors.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { pathsOf, procedures } from "../support/access/procedures.ts";
import { type RawAnswer, send } from "../support/server/raw-http.ts";
import { everythingStored } from "../support/server/stored.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const MISSING_ID = "m".repeat(22);
/** Whatever a fixture asks for: an id that nothing has. */
const TARGET = new Proxy<Target>(Object.create(null), { get: () => MISSING_ID });
const mutations = pathsOf("mutation");
const withInput = Object.keys(DOORS).filter((path) => DOORS[path]?.input);

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  await practice.api.clients.create.mutate(aClient());
});

/** Every part of a filter, because each may be forged. */
const LIST = {
  page: 1,
  search: "e",
  status: "active",
  kind: "person",
  safety: "unrestricted",
  sort: "name",
  isDescending: false,
};
const inputOf = (path: string): unknown => (path === "clients.list" ? LIST : (DOORS[path]?.input?.(TARGET) ?? null));
const fromOurPage = () => ({ origin: app.url, cookie: practice.cookies(), "content-type": "application/json" });

/** Calls by path with this JSON text, as a page of ours would. */
function call(path: string, json: string): Promise<RawAnswer> {
  const headers = fromOurPage();
  if (procedures[path]?._def.type === "mutation") {
    return send(`${app.url}/trpc/${path}`, { method: "POST", headers, body: json });
  }
  return send(`${app.url}/trpc/${path}?input=${encodeURIComponent(json)}`, { headers });
}

async function expectNothingChanged(work: () => Promise<void>): Promise<void> {
  const before = await everythingStored();
  await work();
  expect(await everythingStored()).toEqual(before);
}

describe("a change that no page of ours asked for", () => {
  interface Forged {
    method?: string;
    headers: Record<string, string | undefined>;
    body?: string;
    status: number;
  }
  const json = "application/json";
  const form = (type: string, body: string): Forged => ({ headers: { "content-type": type }, body, status: 415 });
  const boundary = '--x\r\ncontent-disposition: form-data; name="id"\r\n\r\n1\r\n--x--\r\n';
  const forged = (own: string): Record<string, Forged> => ({
    "another origin": { headers: { origin: "https://evil.test" }, status: 403 },
    "the origin null": { headers: { origin: "null" }, status: 403 },
    "no origin": { headers: { origin: undefined }, status: 403 },
    "an origin that begins like ours": { headers: { origin: `${own}.evil.test` }, status: 403 },
    "our origin with another scheme": { headers: { origin: own.replace("http:", "https:") }, status: 403 },
    "a cross-site fetch": { headers: { "sec-fetch-site": "cross-site" }, status: 403 },
    "a same-site fetch": { headers: { "sec-fetch-site": "same-site" }, status: 403 },
    "a cross-site fetch without origin": {
      headers: { origin: undefined, "sec-fetch-site": "cross-site" },
      status: 403,
    },
    "a form": form("application/x-www-form-urlencoded", "id=1"),
    "a form as text": form("text/plain", "{}"),
    "a form with files": form("multipart/form-data; boundary=x", boundary),
    "a stream of bytes": form("application/octet-stream", "{}"),
    "no content type": { headers: { "content-type": undefined }, status: 415 },
    "a GET": { method: "GET", headers: {}, status: 405 },
    "a GET that claims to be a POST": { method: "GET", headers: { "x-http-method-override": "POST" }, status: 405 },
    "a HEAD": { method: "HEAD", headers: {}, status: 405 },
    "a PUT": { method: "PUT", headers: { "content-type": json }, status: 405 },
    "a DELETE": { method: "DELETE", headers: { "content-type": json }, status: 405 },
  });

  test.each(mutations)("%s: is refused, and changes nothing", async (path) => {
    await expectNothingChanged(async () => {
      const attempts = Object.entries(forged(app.url));
      const answers = await Promise.all(
        attempts.map(async ([how, { method = "POST", headers, body }]) => {
          const sent = Object.entries({ ...fromOurPage(), ...headers }).filter(([, value]) => value !== undefined);
          const text = method === "GET" || method === "HEAD" ? "" : (body ?? JSON.stringify(inputOf(path)));
          const { status } = await send(`${app.url}/trpc/${path}`, {
            method,
            headers: Object.fromEntries(sent),
            body: text,
          });
          return [how, status];
        }),
      );
      expect(Object.fromEntries(answers)).toEqual(
        Object.fromEntries(attempts.map(([how, { status }]) => [how, status])),
      );
    });
  });

  test("/trpc: no answer to another origin carries a permission to read it", async () => {
    for (const method of ["GET", "OPTIONS", "POST"]) {
      const headers = { origin: "https://evil.test", "access-control-request-method": "POST" };
      const answer = await send(`${app.url}/trpc/auth.status`, { method, headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("inputs", () => {
  const WRONG = ['{"$ne":null}', '{"$gt":""}', '{"$regex":".*"}', '{"$where":"sleep(9)"}', '["x"]', "{}", "1e309"];
  const PRIVATE_NAMES = [
    "ownerId owner_id userId tenantId role permissions plan status emailVerified passwordHash password_hash",
    "stripeCustomerId _id __v createdAt version $set $where __proto__ constructor prototype",
  ].flatMap((names) => names.split(" "));
  const TAKING_NOTHING = [
    "auth.requireConfirmation",
    "auth.signOut",
    "auth.signOutEverywhere",
    "invoices.checkBooks",
    "letterheads.removeLogo",
    "mailboxes.check",
    "mailboxes.disconnect",
    "meetings.revokeFeed",
    "paymentAccounts.connect",
    "paymentAccounts.disconnect",
    "paymentAccounts.refresh",
    "payments.reconcile",
    "signatures.certificate.remove",
    "subscriptions.openPortal",
  ];

  /** The input as JSON, once for each of its parts, with that part written as `write` says; null passes it over. */
  function* rewritten(value: unknown, write: (part: unknown) => string | null): Generator<string> {
    const whole = write(value);
    if (whole !== null) yield whole;
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      for (const inner of rewritten(part, write)) {
        const parts = Object.entries(value).map(([name, other]) => {
          const json = name === key ? inner : JSON.stringify(other);
          return Array.isArray(value) ? json : `${JSON.stringify(name)}:${json}`;
        });
        yield Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`;
      }
    }
  }

  const isObject = (part: unknown): part is object => typeof part === "object" && part !== null && !Array.isArray(part);
  const withName = (name: string) => (part: unknown) =>
    isObject(part) && !Object.hasOwn(part, name)
      ? `{${[`"${name}":{"polluted":1}`, JSON.stringify(part).slice(1, -1)].filter(Boolean).join()}}`
      : null;

  async function expectRefused(path: string, jsons: string[]): Promise<void> {
    await expectNothingChanged(async () => {
      const answers = await Promise.all(
        jsons.map(async (json) => {
          const { status, text } = await call(path, json);
          return { json, status, text };
        }),
      );
      expect(answers.filter(({ status }) => status !== 400)).toEqual([]);
    });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  }

  test("access: every call with an input has a fixture of it, and every change checks what it is sent", () => {
    const parsing = Object.keys(procedures).filter((path) => procedures[path]?._def.inputs.length !== 0);
    expect(parsing.filter((path) => !withInput.includes(path)).toSorted()).toEqual(TAKING_NOTHING);
    expect(mutations.filter((path) => !parsing.includes(path))).toEqual([]);
  });

  test.each(withInput)("%s: an operator in place of any part is refused", async (path) => {
    const jsons = WRONG.flatMap((wrong) => [
      ...rewritten(inputOf(path), (part) => (typeof part === "object" && part !== null ? null : wrong)),
    ]);
    expect(jsons.length).toBeGreaterThan(0);
    await expectRefused(path, [...jsons, '{"$ne":null}', '["x"]', "7"]);
  });

  test.each(mutations)("%s: a name that the input does not have is refused, at any depth", async (path) => {
    const input = inputOf(path) ?? {};
    await expectRefused(
      path,
      PRIVATE_NAMES.flatMap((name) => [...rewritten(input, withName(name))]),
    );
  });
});

describe("requests that cannot be read", () => {
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    send(`${app.url}/trpc/auth.signIn`, { method: "POST", headers: { ...fromOurPage(), ...headers }, body });
  const get = (path: string) => send(`${app.url}/trpc/${path}`, { headers: fromOurPage() });
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key${index}`, 0]));

  test.each<[string, number, () => Promise<RawAnswer>]>([
    ["11 calls at once", 400, () => get(`${Array.from({ length: 11 }, () => "auth.status").join()}?batch=1`)],
    ["5,000 commas", 400, () => get(`${",".repeat(5000)}?batch=1`)],
    [
      "two changes at once",
      400,
      () =>
        send(`${app.url}/trpc/auth.signOut,auth.signOut?batch=1`, {
          method: "POST",
          headers: fromOurPage(),
          body: "{}",
        }),
    ],
    ["a text that is not JSON", 400, () => post('{"email":')],
    ["nothing at all", 400, () => post("")],
    ["a number", 400, () => post("7")],
    ["JSON of 100,000 levels", 413, () => post("[".repeat(100_000) + "]".repeat(100_000))],
    ["60,000 names", 413, () => post(JSON.stringify(many))],
    [
      "half a million wrong entries",
      413,
      () =>
        send(`${app.url}/trpc/clients.setStatus`, {
          method: "POST",
          headers: fromOurPage(),
          body: `{"status":"active","ids":[${"1,".repeat(500_000)}1]}`,
        }),
    ],
    ["more than a megabyte", 413, () => post(JSON.stringify({ email: "x".repeat(1_100_000) }))],
    ["six megabytes", 413, () => post(Buffer.alloc(6_000_000, " "))],
    ["a bomb of zeros", 415, () => post(gzipSync(Buffer.alloc(50_000_000, " ")), { "content-encoding": "gzip" })],
    ["an unknown encoding", 415, () => post("{}", { "content-encoding": "zebra" })],
    ["another alphabet", 400, () => post("{}", { "content-type": "application/json; charset=iso-8859-5" })],
    ["a query that is not JSON", 400, () => get("clients.get?input=%7Bid")],
    ["two queries in one", 400, () => get("clients.get?input=%7B%7D&input=%7B%7D")],
    ["half an escape in the query", 400, () => get("clients.get?input=%E0%A4%A")],
    ["half an escape in the path", 404, () => get("%E0%A4%A")],
    ["a call that there is not", 404, () => get("clients.drop")],
    ["a name that every object has", 404, () => get("constructor")],
    ["a stream among other calls", 405, () => get("access.onChange,access.onChange?batch=1")],
  ])("/trpc: %s is answered at once with %d", async (_what, status, ask) => {
    const startedAt = performance.now();
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(answer.text.length).toBeLessThan(10_000);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  test("/trpc: ten calls at once are answered one by one", async () => {
    const answer = await get(`${Array.from({ length: 10 }, () => "auth.status").join()}?batch=1`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toHaveLength(10);
  });
});
