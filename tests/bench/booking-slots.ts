import { mkdtempSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { startProduct } from "../../scripts/product-process.ts";
import { startBareServer } from "./bare-server.ts";
import { type Figure, median } from "./figure.ts";
import { timeOf } from "./timed-practice.ts";

const ROUNDS = 60;
const WARM_UP = 12;

/**
 * `booking.slots`: what the free times of sixty days with three mediators and 2,000 meetings take, as a multiple of
 * finding those meetings with the bare driver and answering them as JSON.
 */
export async function benchBookingSlots(): Promise<Figure[]> {
  const dir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const seed = path.resolve(import.meta.dirname, "booking-slots-seed.ts");
  const { stdout, status } = spawnSync(process.execPath, [seed], {
    env: { ...process.env, DATA_DIR: dir },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the practice could not be made (${status})`);
  const id = stdout.trim().split("\n").at(-1) ?? "";
  const product = await startProduct({ DATA_DIR: dir });
  const bare = await startBareServer("bare-slots-server.ts", dir);
  try {
    const times: Record<"product" | "bare", number[]> = { product: [], bare: [] };
    const input = encodeURIComponent(JSON.stringify({ id, mediatorId: null }));
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const took = {
        product: await timeOf(`${product.url}/trpc/bookings.slots?input=${input}`),
        bare: await timeOf(bare.url),
      };
      if (round < 0) continue;
      times.product.push(took.product);
      times.bare.push(took.bare);
    }
    const value = median(times.product) / median(times.bare);
    return [{ name: "booking.slots", value, unit: "x bare", goal: "<=", limit: 3 }];
  } finally {
    bare.stop();
    await product.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
