import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { startProduct } from "../../scripts/product-process.ts";
import { z } from "zod";
import { documentsEmail, seedDocuments } from "./documents-list-data.ts";
import { type Figure, median } from "./figure.ts";
import { requestsPerSecond } from "./requests-per-second.ts";

const ROUNDS = 5;
const SMALL = 200;
const LARGE = 20_000;

const casesSchema = z.object({
  result: z.object({ data: z.object({ items: z.array(z.object({ id: z.string() })) }) }),
});

/**
 * `documents.list`: what the documents of a case cost in a practice that has 20,000, as a multiple of what they cost in
 * one that has 200.
 */
export async function benchDocumentsList(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const product = await startProduct({ DATA_DIR: dataDir });
  try {
    await seedDocuments(dataDir, [SMALL, LARGE]);
    const [small, large] = [await listOf(product.url, SMALL), await listOf(product.url, LARGE)];
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const ofSmall = await requestsPerSecond(small.url, small.cookie);
      const ofLarge = await requestsPerSecond(large.url, large.cookie);
      // The first round warms up.
      if (round > 0) ratios.push(ofSmall / ofLarge);
    }
    return [{ name: "documents.list", value: median(ratios), unit: "x 200 documents", goal: "<=", limit: 1.3 }];
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Where the documents of the practice's one case are listed. */
async function listOf(url: string, size: number) {
  const cookie = (await signIn(url, documentsEmail(size))).map(({ name, value }) => `${name}=${value}`).join("; ");
  const ask = (call: string, input: object) => `${url}/trpc/${call}?input=${encodeURIComponent(JSON.stringify(input))}`;
  const found = await fetch(ask("cases.list", { page: 1, search: "" }), { headers: { cookie } });
  const [first] = casesSchema.parse(await found.json()).result.data.items;
  return { url: ask("documents.list", { caseId: first?.id ?? "", page: 1 }), cookie };
}
