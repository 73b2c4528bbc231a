// Loaded into a server that is measured: at a signal it writes down how long its event loop stood still since the last one.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const RESOLUTION_MS = 5;
const file = process.env["LOOP_WATCH_FILE"];

if (isMainThread && file) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  process.on("SIGUSR2", () => {
    writeFileSync(`${file}.new`, String(delays.max / 1e6 - RESOLUTION_MS));
    renameSync(`${file}.new`, file);
    delays.reset();
  });
}
