import { inCallTurn } from "@app/server/core/call-turns";
import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { wordsTo } from "../support/mail/mailed-links.ts";
import { aClient, aPractice, aStaffUser, PASSWORD, type TestPractice } from "../support/server/people.ts";
import { type RawAnswer, send } from "../support/server/raw-http.ts";
import { routePaths } from "../../scripts/route-paths.ts";
import { everythingStored } from "../support/server/stored.ts";
import { startTestApp, type TestApp } from "../support/server/test-app.ts";

const KEPT = "public, max-age=31536000, immutable";
const IS_LEAK = /mongo|sqlite|zod|\bat .+:\d+:\d+|node_modules|\/src\/|\.ts\b|stack|e11000|cast to/i;

let app: TestApp;
let practice: TestPractice;
beforeAll(async () => {
  app = await startTestApp();
  practice = await aPractice(app);
});
afterAll(() => app.close());

const json = () => ({ origin: app.url, "content-type": "application/json" });
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(`${app.url}${path}`, { method: "POST", headers: { ...json(), ...headers }, body: JSON.stringify(body) });
const get = (path: string, headers: Record<string, string> = {}) => send(`${app.url}${path}`, { headers });
const collection = (name: string) => mongoose.connection.collection<{ _id: string }>(name);

describe("every answer", () => {
  const asset = async () => /\/assets\/[\w.-]+\.js/.exec((await get("/")).text)?.[0] ?? "the page is not built";
  const answers: [string, number, () => Promise<RawAnswer>][] = [
    ["the page", 200, () => get("/")],
    ["another page", 200, () => get("/clients/view/x")],
    ["a file of the page", 200, async () => get(await asset())],
    ["a file that there is not", 404, () => get("/assets/none.js")],
    ["a map of the sources", 404, async () => get(`${await asset()}.map`)],
    ["a hidden file", 404, () => get("/.env.local")],
    ["a way out of the page", 404, () => get("/assets/%2e%2e/%2e%2e/package.json")],
    ["/health", 200, () => get("/health")],
    ["/ready", 200, () => get("/ready")],
    ["a query", 200, () => get("/trpc/auth.status")],
    ["an unknown call", 404, () => get("/trpc/no.such")],
    ["a refused query", 401, () => get("/trpc/clients.list")],
    ["a refused change", 403, () => post("/trpc/auth.signOut", null, { origin: "https://evil.test" })],
    ["a wrong input", 400, () => post("/trpc/auth.signIn", {})],
    [
      "an unreadable body",
      400,
      () => send(`${app.url}/trpc/auth.signIn`, { method: "POST", headers: json(), body: "{" }),
    ],
    ["a body that is too large", 413, () => post("/trpc/auth.signIn", "x".repeat(1_100_000))],
    ["a refused export", 401, () => get("/export/clients.csv")],
    ["a payment event where nothing is charged", 503, () => post("/webhooks/stripe", {})],
    // As an event of the stream, which is where a page's EventSource can read it.
    ["a stream without a sign-in", 200, () => get("/trpc/access.onChange")],
    ["TRACE", 403, () => send(`${app.url}/`, { method: "TRACE" })],
    ["OPTIONS", 404, () => send(`${app.url}/`, { method: "OPTIONS" })],
    ["a POST to a page", 404, () => post("/clients", {})],
  ];

  test.each(answers)(
    "%s: answers %d with all security headers, and tells nothing of the inside",
    async (what, status, ask) => {
      const { status: actual, headers, text } = await ask();
      expect(actual).toBe(status);
      expect(headers["x-powered-by"]).toBeUndefined();
      expect(headers["strict-transport-security"]).toBeUndefined();
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": what === "a file of the page" ? KEPT : expect.stringMatching(/\bno-store$/),
      });
      const policy = String(headers["content-security-policy"]);
      for (const part of [
        "default-src 'self'",
        "script-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]) {
        expect(policy.split(";")).toContain(part);
      }
      expect(policy).not.toMatch(/unsafe/);
      if (status >= 400) expect(text).not.toMatch(IS_LEAK);
    },
  );

  test("the page: carries the nonce of its policy, another one each time", async () => {
    const nonces = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { headers, text } = await get("/");
        const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1] ?? "none";
        expect(text).toContain(`nonce="${nonce}"`);
        expect(text).not.toContain("__CSP_NONCE__");
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(5);
    expect(Math.min(...nonces.map((nonce) => Buffer.from(nonce, "base64").length))).toBe(16);
  });

  test("access.onChange: the stream may not be kept anywhere", async () => {
    const abort = new AbortController();
    const headers = { accept: "text/event-stream", cookie: practice.cookies() };
    const response = await fetch(`${app.url}/trpc/access.onChange`, { headers, signal: abort.signal });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("cache-control")).toContain("no-store");
    abort.abort();
  });
});

describe("paths that are no page", () => {
  const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const page = /<div id="root">/;

  test.each(routePaths())("%s: is a page, with and without a slash at its end", async (route) => {
    const path = route.replace(/\$\w+/g, "not-a-known-address-1234");
    for (const address of [path, `${path.replace(/\/$/, "")}/`]) {
      const { status, text } = await get(address, BROWSER);
      expect({ address, status }).toEqual({ address, status: 200 });
      expect(text).toMatch(page);
    }
  });

  test.each([
    "/.env",
    "/.git/config",
    "/.git/HEAD",
    "/.well-known/x",
    "/wp-login.php",
    "/wp-admin/setup-config.php",
    "/config.json",
    "/routes.json",
    "/index.html",
    "/index.html.br",
    "/clients/.env",
    "/clients/view/x.bak",
    "/%2egit/config.yml",
  ])("%s: is missing for a browser and for a program, and not the page", async (path) => {
    for (const headers of [{}, BROWSER]) {
      const { status, text } = await get(path, headers);
      expect(status).toBe(404);
      expect(text).not.toMatch(page);
    }
  });

  test.each([
    "/metrics",
    "/admin",
    "/api",
    "/api/v1/users",
    "/actuator/health",
    "/server-status",
    "/settings",
    "/clients/view",
    "/clients/view/x/y",
    "/clientsx",
    "//clients",
    "/CON",
    "/files",
    "/u",
  ])("%s: is missing, and a browser gets the page that says so", async (path) => {
    const program = await get(path);
    expect(program.status).toBe(404);
    expect(program.text).not.toMatch(page);
    const browser = await get(path, BROWSER);
    expect(browser.status).toBe(404);
    expect(browser.text).toMatch(page);
  });
});

describe("a failure of ours", () => {
  const SECRET = "mongodb://user:SECR-canary@db.internal/evenhand";

  test.each([
    [
      "a call",
      { phones: SECRET },
      (id: string) => `/trpc/clients.get?input=${encodeURIComponent(JSON.stringify({ id }))}`,
    ],
    ["a list", { phones: SECRET }, () => "/trpc/clients.list?input=%7B%7D"],
    ["an answer that is not as declared", { kind: SECRET }, () => "/trpc/clients.list?input=%7B%7D"],
  ])("%s: is told as a code only", async (_what, broken, pathOf) => {
    const other = await aPractice(app);
    const { id } = await other.api.clients.create.mutate(aClient());
    await collection("clients").updateOne({ _id: id }, { $set: broken });
    const answer = await get(pathOf(id), { cookie: other.cookies() });
    expect(answer.status).toBe(500);
    expect(answer.text).toMatch(/support can find it by the code [0-9A-F]{8}\./);
    expect(answer.text).not.toMatch(IS_LEAK);
    expect(answer.text).not.toContain("SECR");
  });

  test("authenticate: a person whose record is broken gets a code too, on calls and on routes", async () => {
    const other = await aPractice(app);
    await collection("users").updateOne({ _id: other.ownerId }, { $set: { permissions: [SECRET] } });
    for (const path of ["/trpc/auth.status", "/trpc/access.onChange", "/export/clients.csv"]) {
      const { status, text } = await get(path, { cookie: other.cookies() });
      expect({ path, status }).toEqual({ path, status: 500 });
      expect(text).toMatch(/by the code [0-9A-F]{8}\./);
      expect(text).not.toMatch(IS_LEAK);
      expect(text).not.toContain("SECR");
    }
    expect((await get("/health")).status).toBe(200);
  });
});

describe("/export/clients.csv", () => {
  const csv = (query: string, person = practice) => get(`/export/clients.csv${query}`, { cookie: person.cookies() });

  test.each([
    "?search[$ne]=x",
    "?search=a&search=b",
    "?status=deleted",
    "?sort=passwordHash",
    "?ownerId=x",
    "?page=1",
    "?__proto__=x",
    "?search[]=x",
  ])("%s: is refused", async (query) => expect((await csv(query)).status).toBe(400));

  test("staff who still owe a second factor get no export either", async () => {
    const owner = await aPractice(app);
    const staff = await aStaffUser(app, owner, { permissions: ["clients.read", "data.export"] });
    expect((await get("/export/clients.csv", { cookie: staff.cookies() })).status).toBe(200);
    await collection("settings").updateOne({ _id: owner.ownerId }, { $set: { is_two_factor_required: true } });
    expect((await get("/export/clients.csv", { cookie: staff.cookies() })).status).toBe(403);
  });

  test("3,000 clients leave whole, and a reader that goes away leaves nothing behind", async () => {
    const warnings = vi.fn();
    process.on("warning", warnings);
    const owner = await aPractice(app);
    await owner.api.clients.create.mutate(aClient({ needs: "x" }));
    const template = await collection("clients").findOne({ ownerId: owner.ownerId });
    const docs = Array.from({ length: 2_999 }, (_, index) => ({ ...template, _id: `copy-${index}` }));
    await collection("clients").insertMany(docs);
    const abort = new AbortController();
    const headers = { cookie: owner.cookies() };
    const left = await fetch(`${app.url}/export/clients.csv`, { headers, signal: abort.signal });
    await left.body?.getReader().read();
    abort.abort();
    const { status, text } = await csv("", owner);
    expect(status).toBe(200);
    expect(text.trim().split("\r\n")).toHaveLength(3_001);
    process.off("warning", warnings);
    await collection("clients").deleteMany({ ownerId: owner.ownerId });
    expect(warnings.mock.calls).toEqual([]);
  });
});

describe("/webhooks/stripe where nothing is charged", () => {
  test.each([
    ["no signature", {}],
    ["any signature", { "stripe-signature": "t=1,v1=00" }],
  ])("an event with %s is not believed", async (_what, headers) => {
    const before = await everythingStored();
    expect((await post("/webhooks/stripe", { type: "customer.subscription.updated" }, headers)).status).toBe(503);
    expect(await everythingStored()).toEqual(before);
  });
});

describe("the cookie of a sign-in", () => {
  const PRESET = "p".repeat(43);
  const cookiesOf = ({ headers }: RawAnswer) => headers["set-cookie"] ?? [];
  const registration = (email: string) => ({
    firstName: "Ines",
    lastName: "Marchbank",
    email,
    password: PASSWORD,
    practiceName: "Quillfeather",
    region: "england_wales",
    mediatorType: "family",
  });

  async function invitation() {
    const owner = await aPractice(app);
    const invited = { email: `${Math.random()}@example.org`, firstName: "Tom", lastName: "Birch", role: 3 as const };
    const { link } = await owner.api.staff.invite.mutate({ id: newId(), ...invited });
    const token = new URL(link ?? "").searchParams.get("token");
    return { token, firstName: "Tom", lastName: "Birch", password: PASSWORD };
  }

  test.each([
    ["auth.register", () => registration(`${Math.random()}@example.org`)],
    ["auth.signIn", () => ({ email: practice.email, password: PASSWORD })],
    ["auth.acceptInvitation", invitation],
  ])("%s: gives a new one, whatever the browser brought along", async (path, makeInput) => {
    const answer = await post(`/trpc/${path}`, await makeInput(), {
      cookie: `evenhand=${PRESET}; evenhand-device=${PRESET}`,
    });
    expect(answer.status).toBe(200);
    const id = /^evenhand=([\w-]{43});/.exec(
      cookiesOf(answer).findLast((line) => line.startsWith("evenhand=")) ?? "",
    )?.[1];
    expect(id).toBeDefined();
    expect(id).not.toBe(PRESET);
    expect(JSON.stringify(await everythingStored())).not.toContain(id);
    expect(answer.text).not.toContain(id);
    expect((await get("/trpc/users.profile", { cookie: `evenhand=${PRESET}` })).status).toBe(401);
    expect((await get("/trpc/users.profile", { cookie: `evenhand=${id}` })).status).toBe(200);
  });

  test.each(["", "x", "p".repeat(129), "../../etc", '{"$ne":null}', "%00", "p".repeat(43)])(
    "%j opens nothing",
    async (value) => {
      const { status } = await get("/trpc/users.profile", { cookie: `evenhand=${value}` });
      expect(status).toBe(401);
    },
  );

  test("auth.signOut: works for nobody too, and empties the browser", async () => {
    const answer = await post("/trpc/auth.signOut", null);
    expect(answer.headers["clear-site-data"]).toBe('"cache", "storage"');
    expect(cookiesOf(answer)).toEqual(["evenhand=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"]);
  });

  test("x-drawn-for: a page that is drawn for somebody else gets and changes nothing as whoever is signed in", async () => {
    const other = await aPractice(app);
    const userId = (await practice.api.auth.status.query()).user?.userId ?? "";
    const asOf = (drawnFor: string) => ({ cookie: practice.cookies(), "x-drawn-for": drawnFor });
    expect((await get("/trpc/users.profile", asOf(userId))).status).toBe(200);
    for (const drawnFor of [other.ownerId, "", "x"])
      expect((await get("/trpc/users.profile", asOf(drawnFor))).status).toBe(401);
    const task = { id: newId(), title: "Call back" };
    expect((await post("/trpc/tasks.create", task, asOf(other.ownerId))).status).toBe(401);
    const octets = { ...asOf(other.ownerId), origin: app.url, "content-type": "application/octet-stream" };
    expect((await send(`${app.url}/files`, { method: "POST", headers: octets, body: "a file" })).status).toBe(401);
  });

  test("x-impersonation: is ignored outside development, wherever it stands", async () => {
    const other = await aPractice(app);
    await collection("customers").updateOne({ _id: other.ownerId }, { $set: { subscriptions: [] } });
    const headers = { cookie: `${other.cookies()}; impersonation=true`, "x-impersonation": "true", host: "localhost" };
    expect((await get("/trpc/clients.list?input=%7B%7D&impersonation=true", headers)).status).toBe(402);
  });
});

describe("the limits of signing in", () => {
  const signIn = (password: string, headers: Record<string, string> = {}) =>
    post("/trpc/auth.signIn", { email: practice.email, password }, headers);

  test("auth.signIn: while tries cannot be counted nobody gets in", async () => {
    await collection("rate_limits").deleteMany({});
    // Nothing fits this rule, so that no count can be stored.
    await mongoose.connection.db?.command({ collMod: "rate_limits", validator: { none: { $exists: true } } });
    const { status, text, headers } = await signIn(PASSWORD);
    await mongoose.connection.db?.command({ collMod: "rate_limits", validator: {} });
    expect(status).toBe(500);
    expect(text).not.toMatch(IS_LEAK);
    expect(headers["set-cookie"]).toBeUndefined();
    expect((await signIn(PASSWORD)).status).toBe(200);
  });
});

describe("behind https, and a proxy that is not ours", () => {
  const ADDRESS = "https://practice.example.org";
  let secure: TestApp;
  const email = "ines@example.org";
  const call = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(`${secure.url}/trpc/${path}`, {
      method: "POST",
      headers: { origin: ADDRESS, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  beforeAll(async () => {
    await app.close();
    secure = await startTestApp({ PUBLIC_URL: ADDRESS, TRUSTED_PROXIES: "192.0.2.1" });
    const details = {
      firstName: "Ines",
      lastName: "Marchbank",
      email,
      password: PASSWORD,
      practiceName: "Quillfeather",
    };
    const answer = await call("auth.setUp", { ...details, region: "england_wales", mediatorType: "family" });
    expect(answer.status).toBe(200);
  });
  afterAll(async () => {
    await secure.close();
    app = await startTestApp();
  });

  test("auth.signIn: cookies are bound to the host and to https, and the browser is told to stay there", async () => {
    const { headers } = await call("auth.signIn", { email, password: PASSWORD });
    expect(headers["strict-transport-security"]).toBe("max-age=31536000; includeSubDomains");
    const [signIn = "", device = ""] = headers["set-cookie"] ?? [];
    expect(signIn).toMatch(/^__Host-evenhand=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(device).toMatch(/^__Host-evenhand-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/);
    const [pair = ""] = signIn.split(";");
    const plain = pair.replace("__Host-", "");
    expect((await send(`${secure.url}/trpc/users.profile`, { headers: { cookie: pair } })).status).toBe(200);
    expect((await send(`${secure.url}/trpc/users.profile`, { headers: { cookie: plain } })).status).toBe(401);
  });

  test.each([
    ["the address that the request itself claims", { origin: "http://evil.test", host: "evil.test" }],
    [
      "a forwarded host",
      { origin: "https://evil.test", "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" },
    ],
    ["our host without https", { origin: ADDRESS.replace("https", "http") }],
  ])("a change: %s is not ours", async (_what, headers) => {
    expect((await call("auth.signOut", null, headers)).status).toBe(403);
  });

  test("auth.signIn: an address that the caller makes up does not give more tries", async () => {
    const statuses = [];
    for (let guess = 0; guess < 8; guess += 1) {
      const headers = { "x-forwarded-for": `203.0.113.${guess}`, forwarded: `for=203.0.113.${guess}` };
      statuses.push((await call("auth.signIn", { email, password: "wrong" }, headers)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
  });

  test("auth.requestPasswordReset: the link leads to the configured address, whatever the request claims", async () => {
    const forged = { "x-forwarded-host": "evil.test", forwarded: "host=evil.test", host: "evil.test" };
    expect((await call("auth.requestPasswordReset", { email }, forged)).status).toBe(200);
    await vi.waitFor(
      async () => {
        const text = (await wordsTo(email)).join("\n");
        expect(text).toContain(`${ADDRESS}/resetpassword?token=`);
        expect(text).not.toContain("evil");
      },
      { timeout: 10_000, interval: 200 },
    );
  });
});

test("S75: GET /ready, when many ask at once, asks the database for all of them at most once a second", async () => {
  const client = mongoose.connection.getClient();
  let pings = 0;
  const count = ({ commandName }: { commandName: string }) => void (pings += commandName === "ping" ? 1 : 0);
  client.on("commandStarted", count);
  try {
    const begun = performance.now();
    // What the tests before this one were told is told for a second.
    await vi.waitFor(async () => {
      await get("/ready");
      expect(pings).toBe(1);
    }, 2000);
    const answers = await Promise.all(Array.from({ length: 100 }, () => get("/ready")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(pings).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - begun) / 1000));
  } finally {
    client.off("commandStarted", count);
  }
});

test("S75: GET /ready, when calls get no turn, says so with 503 until they get one again", async () => {
  const held = Promise.withResolvers<void>();
  const people = ["one", "another", "a third"].flatMap((group) => [group, group]);
  const holding = people.map((group) => inCallTurn({ group, one: "" }, () => held.promise));
  const ready = async () => {
    const answer = await get("/ready");
    return [answer.status, JSON.parse(answer.text)];
  };
  await vi.waitFor(
    async () => expect(await ready()).toEqual([503, expect.objectContaining({ ok: false, calls: "waiting" })]),
    { timeout: 10_000 },
  );
  expect((await get("/health")).status).toBe(200);
  held.resolve();
  await Promise.all(holding);
  await vi.waitFor(
    async () => expect(await ready()).toEqual([200, expect.objectContaining({ ok: true, calls: "in turn" })]),
    { timeout: 10_000 },
  );
});
