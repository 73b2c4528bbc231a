import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { startProduct } from "../../scripts/product-process.ts";
import { startBareServer } from "./bare-server.ts";
import { type Figure, median } from "./figure.ts";

const ROUNDS = 150;
/** Until what both run is compiled, as it is in a server that has been up for a while. */
const WARM_UP = 150;
/** The product takes nothing that comes sooner after the page was loaded. */
const SOONEST_MS = 3300;
const ANSWERS = {
  heard: 5,
  fair: 4,
  safe: 5,
  clear: 5,
  outcome: "a_lot",
  good: "We were listened to",
  recommend: "yes",
};
const CHANGES = Object.entries(ANSWERS).map(([fieldId, answer]) => ({ fieldId, answer, agoMs: 0 }));

const placesSchema = z.array(z.object({ formId: z.string(), userId: z.string() })).min(1);
const openedSchema = z.object({ result: z.object({ data: z.object({ formToken: z.string(), number: z.number() }) }) });
const tokenSchema = z.object({ token: z.string() });

/**
 * `forms.submit`: how many forms are sent in where a bare Express with the driver takes one, which looks at the same
 * token, uses it up and stores the answers.
 */
export async function benchSubmit(): Promise<Figure[]> {
  const dir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const places = seed(dir);
  const product = await startProduct({ DATA_DIR: dir });
  const bare = await startBareServer("bare-submit-server.ts", dir);
  try {
    const times = await measure(`${product.url}/trpc/submissions.filling`, places, bare.url);
    const value = median(times.bare) / median(times.product);
    return [{ name: "forms.submit", value, unit: "of bare", goal: ">=", limit: 0.5 }];
  } finally {
    bare.stop();
    await product.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

type Places = z.infer<typeof placesSchema>;

function seed(dir: string): Places {
  const { stdout, status } = spawnSync(process.execPath, [path.resolve(import.meta.dirname, "submit-seed.ts")], {
    env: { ...process.env, DATA_DIR: dir },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the forms could not be made (${status})`);
  return placesSchema.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
}

async function measure(url: string, places: Places, bareUrl: string): Promise<Record<"product" | "bare", number[]>> {
  const pages = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const place = places[(round + WARM_UP) % places.length];
    const { result } = openedSchema.parse(JSON.parse((await post(`${url}.open`, place, round)).text));
    const { token } = tokenSchema.parse(await (await fetch(bareUrl)).json());
    pages.push({ round, place, ...result.data, token });
  }
  await sleep(SOONEST_MS);
  const times: Record<"product" | "bare", number[]> = { product: [], bare: [] };
  for (const { round, place, formToken, number, token } of pages) {
    const id = randomBytes(12).toString("hex");
    const sent = { ...place, id, formToken, number, revision: 0, pageId: null, website: "", changes: CHANGES };
    const took = await post(`${url}.submit`, sent, round);
    const bare = await post(bareUrl, { id, token, answers: ANSWERS }, round);
    if (!took.text.includes('"sent"')) throw new Error(`the form was not taken: ${took.text}`);
    if (round < 0) continue;
    times.product.push(took.ms);
    times.bare.push(bare.ms);
  }
  return times;
}

/** Each by a network of its own, within no wider one of another. */
async function post(url: string, body: unknown, round: number): Promise<{ ms: number; text: string }> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: new URL(url).origin,
      "x-forwarded-for": `${100 + Math.floor(round / 200)}.${(round + 200) % 200}.51.1`,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return { ms: performance.now() - startedAt, text };
}
