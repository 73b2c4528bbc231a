// The clock of the installation, as it stands in its database.
import { createLogger } from "@app/server/core/logger";
import { lookAtClock } from "@app/server/core/sure-clock";
import mongoose from "mongoose";
import { moveTime } from "../access/refusal.ts";

const DAY_MS = 24 * 60 * 60_000;
const log = createLogger("silent");

/** As if the product had run for a day since the clock was set to what it is. */
export async function aSureClock(): Promise<void> {
  await lookAtClock(log);
  await mongoose.connection.collection("clock").updateOne({}, { $set: { steadyMs: DAY_MS } });
}

/** Until the end of the test the server's clock is ahead by so much, and sure, as it was before. */
export async function passTime(ms: number): Promise<void> {
  await aSureClock();
  // Whatever clocks earlier tests moved, and rounds of the product then saw.
  await mongoose.connection.collection("clock").updateOne({}, { $set: { wentBack: false, doubtful: [] } });
  moveTime(ms);
  await aSureClock();
}
