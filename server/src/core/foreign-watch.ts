// The thread that ends its process when the work there takes too long or too much, or when the server that asked for it
// is gone: the thread that works cannot look at a clock.
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

const WATCH_MS = 20;
/** What a process takes by itself, and what it is handed over and gives back. */
const ROOM_MB = 256;

const [heapMb, server] = z.tuple([z.coerce.number(), z.coerce.number()]).parse(workerData);
const residentMax = (heapMb + ROOM_MB) * 2 ** 20;
let workedMax = Infinity;

parentPort?.on("message", (message: unknown) => {
  const limitMs = z.number().nullable().parse(message);
  workedMax = limitMs === null ? Infinity : workedMs() + limitMs;
});

setInterval(() => {
  if (workedMs() > workedMax) process.kill(process.pid, "SIGXCPU");
  if (process.memoryUsage.rss() > residentMax || process.ppid !== server) process.kill(process.pid, "SIGKILL");
}, WATCH_MS);

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
