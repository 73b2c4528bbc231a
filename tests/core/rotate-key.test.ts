import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { PASSWORD } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp, exitOf, failToStart, profileStatus, setUp } from "../support/server/product.ts";
import { send } from "../support/server/raw-http.ts";

const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/rotate-key.ts");
const [FIRST, SECOND] = ["first", "second"].map((word) => `${word} key `.padEnd(40, "."));
// Six processes, one after the other, on a machine that runs other tests too.
const START_LIMIT_MS = 90_000;
afterAll(cleanUp);

async function rotate(environment: Record<string, string>) {
  const child = spawn(process.execPath, [SCRIPT], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [code, said, complaint] = await Promise.all([exitOf(child), text(child.stdout), text(child.stderr)]);
  return { code, said, complaint };
}

test(
  "rotate-key: beside a running server everything gets the new key, and the old one is not needed any more",
  async () => {
    const DATA_DIR = aPlace();
    const first = await aProduct({ DATA_DIR, SECRET_KEY: FIRST ?? "" });
    const cookie = await setUp(first);
    await startTwoFactor(first.url, cookie);
    expect((await rotate({ DATA_DIR, SECRET_KEY: FIRST ?? "" })).complaint).toMatch(/^There is no key to leave\./);
    await first.stop();

    const wrong = await failToStart({ DATA_DIR, SECRET_KEY: SECOND ?? "" });
    expect(wrong).toEqual({
      code: 1,
      complaint: expect.stringMatching(/^Evenhand cannot start: this data was written with another key\.[^\n]+\n$/),
    });

    const both = { DATA_DIR, SECRET_KEY: SECOND ?? "", SECRET_KEY_PREVIOUS: FIRST ?? "" };
    const running = await aProduct(both);
    const { code, said } = await rotate(both);
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringMatching(/^2 stored secrets now carry the new key\./),
    });
    expect((await rotate(both)).said).toMatch(/^0 stored secrets/);
    expect(await profileStatus(running, cookie)).toBe(200);
    await running.stop();

    const last = await aProduct({ DATA_DIR, SECRET_KEY: SECOND ?? "" });
    expect(await profileStatus(last, cookie)).toBe(200);
  },
  START_LIMIT_MS,
);

const startTwoFactor = (url: string, cookie: string) =>
  send(`${url}/trpc/auth.startTwoFactor`, {
    method: "POST",
    headers: { origin: url, cookie, "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD }),
  });
