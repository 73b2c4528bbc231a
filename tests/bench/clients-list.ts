import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { startProduct } from "../../scripts/product-process.ts";
import { startBareServer } from "./bare-server.ts";
import { seedPractices } from "./clients-list-data.ts";
import { type Figure, median } from "./figure.ts";
import { requestsPerSecond } from "./requests-per-second.ts";

const ROUNDS = 5;
const SMALL = 1000;
const LARGE = 100_000;

/**
 * `clients.list`: requests a second of the product's first page of 20 clients, as a share of a bare Express handler
 * that makes the same four look-ups with the bare driver on the same database. `clients.list.scale`: what the page
 * costs with 100,000 clients, as a multiple of what it costs with 1,000.
 */
export async function benchClientsList(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const product = await startProduct({ DATA_DIR: dataDir });
  const bare = await startBareServer("bare-clients-list-server.ts", dataDir);
  try {
    const [small, large] = await seedPractices(dataDir, [SMALL, LARGE]);
    const listUrl = `${product.url}/trpc/clients.list?input=${encodeURIComponent("{}")}`;
    const cookieOf = async (email: string) =>
      (await signIn(product.url, email)).map(({ name, value }) => `${name}=${value}`).join("; ");
    const cookies = { small: await cookieOf(small), large: await cookieOf(large) };
    const rates: Record<"product" | "bare" | "large", number[]> = { product: [], bare: [], large: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      const isWarmUp = round === 0;
      const measured = {
        product: await requestsPerSecond(listUrl, cookies.small),
        bare: await requestsPerSecond(bare.url, cookies.small),
        large: await requestsPerSecond(listUrl, cookies.large),
      };
      if (isWarmUp) continue;
      rates.product.push(measured.product);
      rates.bare.push(measured.bare);
      rates.large.push(measured.large);
    }
    const ratios = rates.product.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN));
    const scale = rates.product.map((rate, round) => rate / (rates.large[round] ?? Number.NaN));
    return [
      { name: "clients.list", value: median(ratios), unit: "x bare", goal: ">=", limit: 0.85 },
      { name: "clients.list.scale", value: median(scale), unit: "x 1,000 clients", goal: "<=", limit: 1.3 },
    ];
  } finally {
    bare.stop();
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
