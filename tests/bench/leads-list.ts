import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { startProduct } from "../../scripts/product-process.ts";
import { type Figure, median } from "./figure.ts";
import { seedLeads } from "./leads-list-data.ts";
import { requestsPerSecond } from "./requests-per-second.ts";

const ROUNDS = 5;
const SMALL = 500;
const LARGE = 5000;
/** `leads.list`: what the first page of those that are open costs with 5,000 leads, as a multiple of what it costs with a tenth of them. */
export async function benchLeadsList(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const product = await startProduct({ DATA_DIR: dataDir });
  try {
    const [small, large] = await seedLeads(dataDir, [SMALL, LARGE]);
    const cookieOf = async (email: string) =>
      (await signIn(product.url, email)).map(({ name, value }) => `${name}=${value}`).join("; ");
    const [ofSmall, ofLarge] = [await cookieOf(small), await cookieOf(large)];
    const value = await ratioOf(`${product.url}/trpc/leads.list?input=${encodeURIComponent("{}")}`, {
      ofSmall,
      ofLarge,
    });
    return [{ name: "leads.list", value, unit: "x 500 leads", goal: "<=", limit: 1.3 }];
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The first round warms up. */
async function ratioOf(url: string, { ofSmall, ofLarge }: { ofSmall: string; ofLarge: string }): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const small = await requestsPerSecond(url, ofSmall);
    const large = await requestsPerSecond(url, ofLarge);
    if (round > 0) ratios.push(small / large);
  }
  return median(ratios);
}
