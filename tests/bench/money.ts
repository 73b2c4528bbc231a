import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { startProduct } from "../../scripts/product-process.ts";
import { type Figure, median } from "./figure.ts";
import { moneyEmail, seedMoney } from "./money-data.ts";
import { requestsPerSecond } from "./requests-per-second.ts";

const ROUNDS = 5;
const SMALL = 10_000;
const LARGE = 100_000;

const CALLS = {
  "invoices.list": {},
  "payments.list": {},
  "ledger.balance": { currency: "GBP" },
} as const;
export const MONEY = Object.keys(CALLS);

/**
 * What the first page of invoices and of payments, and the balances of the ledger, cost in a practice with 100,000 of each, as a multiple
 * of what they cost in one that has 10,000.
 */
export async function benchMoney(names: readonly string[]): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const product = await startProduct({ DATA_DIR: dataDir });
  try {
    await seedMoney(dataDir, [SMALL, LARGE]);
    const cookieOf = async (size: number) =>
      (await signIn(product.url, moneyEmail(size))).map(({ name, value }) => `${name}=${value}`).join("; ");
    const cookies = { small: await cookieOf(SMALL), large: await cookieOf(LARGE) };
    const figures: Figure[] = [];
    for (const [name, input] of Object.entries(CALLS)) {
      if (!names.includes(name)) continue;
      const url = `${product.url}/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
      figures.push({ name, value: await ratioOf(url, cookies), unit: "x 10,000 entries", goal: "<=", limit: 1.3 });
    }
    return figures;
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The first round warms up. */
async function ratioOf(url: string, { small, large }: { small: string; large: string }): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ofSmall = await requestsPerSecond(url, small);
    const ofLarge = await requestsPerSecond(url, large);
    if (round > 0) ratios.push(ofSmall / ofLarge);
  }
  return median(ratios);
}
