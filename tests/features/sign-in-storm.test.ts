// However many places ask for passwords to be compared, whoever has the right one is signed in before the deadline.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { anOwnerAt, PASSWORD } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp, EMAIL, setUp } from "../support/server/product.ts";
import { send } from "../support/server/raw-http.ts";

const STORM_MS = 9000;
/** What is done for each request besides comparing passwords is not what is tried here. */
const PAUSE_MS = 6000;
/** Passwords of the storm that are compared while somebody new waits: a slow machine compares a few more, not all. */
const BETWEEN_MAX = 35;
const LIMIT_MS = 120_000;

afterEach(cleanUp);

async function aTarget() {
  const product = await aProduct({ DATA_DIR: aPlace(), TRUSTED_PROXIES: "loopback" });
  await setUp(product);
  /** In a browser that nobody signed in with before. */
  const call = (ip: string, path: string, input: unknown) => {
    const headers = { origin: product.url, "content-type": "application/json", "x-forwarded-for": ip };
    return send(`${product.url}/trpc/${path}`, { method: "POST", headers, body: JSON.stringify(input) });
  };
  return {
    signIn: (ip: string, email: string, password: string) =>
      call(ip, "auth.signIn", { email, password, isRemembered: false }),
    register: (ip: string) => call(ip, "auth.register", anOwnerAt("nora@example.org", "Valebridge")),
  };
}

test.each([
  ["networks far apart", (at: number) => `${60 + (at % 50)}.${at}.7.1`],
  ["neighbours", (at: number) => `60.1.${at % 4}.${at}`],
  ["all of a /48", (at: number) => `2001:db8:7:${at.toString(16)}::1`],
])(
  "A2 auth.signIn: somebody new, when 250 addresses of %s try passwords without end, is in before the deadline",
  async (_whose, addressOf) => {
    const { signIn, register } = await aTarget();
    let isOver = false;
    const answers: Awaited<ReturnType<typeof signIn>>[] = [];
    const storm = Array.from({ length: 250 }, async (_each, at) => {
      await sleep((at / 250) * PAUSE_MS);
      while (!isOver) {
        answers.push(await signIn(addressOf(at), `nobody${at}@example.org`, "a wrong guess of mine"));
        await sleep(PAUSE_MS);
      }
    });
    await sleep(STORM_MS);
    const isCompared = ({ status }: { status: number }) => status === 400;
    const before = answers.filter(isCompared).length;
    const heard = await signIn("198.51.100.9", EMAIL, PASSWORD);
    const opened = await register("198.51.101.9");
    const between = answers.filter(isCompared).length - before;
    isOver = true;
    await Promise.all(storm);

    // By the server's own deadline: how long that is elsewhere depends on what else the machine does.
    expect(heard.status).toBe(200);
    expect(opened.status).toBe(200);
    expect(between).toBeLessThan(BETWEEN_MAX);
    // None on a machine that is quick enough for all of them.
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.every(({ headers }) => headers["retry-after"] === "10")).toBe(true);
    // Nobody is left in the line who has been told to go.
    expect((await signIn("198.51.200.9", EMAIL, PASSWORD)).status).toBe(200);
  },
  LIMIT_MS,
);
