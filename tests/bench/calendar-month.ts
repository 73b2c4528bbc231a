import { startBareServer } from "./bare-server.ts";
import { withDemos } from "./answers-data.ts";
import { type Figure, median } from "./figure.ts";
import { openPractice, timeOf } from "./timed-practice.ts";

const ROUNDS = 60;
const WARM_UP = 12;
const MONTHS = 6;
const DAY_MS = 86_400_000;
const DAYS_IN_MONTH_VIEW = 42;

/** A month as the page asks for it; negative months lie in the past. */
export function monthView(monthsFromNow: number) {
  const from = Math.floor(Date.now() / DAY_MS) * DAY_MS + monthsFromNow * 30 * DAY_MS;
  return { from: new Date(from).toISOString(), to: new Date(from + DAYS_IN_MONTH_VIEW * DAY_MS).toISOString() };
}

/**
 * `calendar.month`: what a month of a practice with 100,000 meetings takes, as a multiple of finding the same documents
 * with the bare driver and answering them as JSON.
 */
export async function benchCalendarMonth(): Promise<Figure[]> {
  return withDemos(async ({ large }) => {
    const product = await openPractice(large);
    const bare = await startBareServer("bare-month-server.ts", large);
    try {
      const times: Record<"product" | "bare", number[]> = { product: [], bare: [] };
      for (let round = -WARM_UP; round < ROUNDS; round += 1) {
        const month = monthView(-MONTHS + ((round + WARM_UP) % MONTHS));
        const took = {
          product: await product.time({ call: "meetings.month", input: month }),
          bare: await timeOf(`${bare.url}?${new URLSearchParams(month)}`),
        };
        if (round < 0) continue;
        times.product.push(took.product);
        times.bare.push(took.bare);
      }
      const value = median(times.product) / median(times.bare);
      return [{ name: "calendar.month", value, unit: "x bare", goal: "<=", limit: 2.5 }];
    } finally {
      bare.stop();
      await product.stop();
    }
  });
}
