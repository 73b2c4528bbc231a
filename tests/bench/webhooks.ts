import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startProduct } from "../../scripts/product-process.ts";
import { signed } from "../support/stripe/events.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import { startBareServer } from "./bare-server.ts";
import { type Figure, median } from "./figure.ts";

const ROUNDS = 300;
/** Until what both run is compiled, as it is in a server that has been up for a while. */
const WARM_UP = 300;

/**
 * `webhooks`: how many events of payments are taken in where a bare Express with the driver takes one, which verifies the
 * same signature and stores the event.
 */
export async function benchWebhooks(): Promise<Figure[]> {
  const dir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const stripe = await startFakeStripe();
  const product = await startProduct({ DATA_DIR: dir, ...stripe.environment });
  const bare = await startBareServer("bare-webhook-server.ts", dir);
  try {
    const times: Record<"product" | "bare", number[]> = { product: [], bare: [] };
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const took = await post(`${product.url}/webhooks/stripe`, `evt_product${round + WARM_UP}`);
      const bareTook = await post(bare.url, `evt_bare${round + WARM_UP}`);
      if (round < 0) continue;
      times.product.push(took);
      times.bare.push(bareTook);
    }
    const value = median(times.bare) / median(times.product);
    return [{ name: "webhooks", value, unit: "of bare", goal: ">=", limit: 0.4 }];
  } finally {
    bare.stop();
    await product.stop();
    await stripe.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function post(url: string, id: string): Promise<number> {
  const session = { id: `cs_of_${id}`, object: "checkout.session", customer: null, metadata: {} };
  const event = { id, object: "event", type: "checkout.session.completed", data: { object: session } };
  const { payload, signature } = signed(JSON.stringify(event));
  const startedAt = performance.now();
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  const response = await fetch(url, { method: "POST", headers, body: payload });
  await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - startedAt;
}
