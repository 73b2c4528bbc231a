// The child process that holds the data. Its parent sends the options, and its own end ends this too.
import { type RunningEngine, runEngine } from "./run-engine.ts";
import { DirectoryInUse } from "./supervisor/directory-lock.ts";
import type { ChildMessage, ParentMessage } from "./supervisor/messages.ts";

let running: RunningEngine | undefined;
let isStopping = false;

const tell = (message: ChildMessage): void => {
  if (process.connected) process.send?.(message);
};

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await running?.close();
  process.exit(exitCode);
}

async function start(message: ParentMessage & { kind: "start" }): Promise<void> {
  try {
    running = await runEngine({ dir: message.dir }, { socket: message.socket });
    if (!process.connected) return await stop(0);
    tell({ kind: "ready", pid: process.pid });
  } catch (error) {
    tell({
      kind: "failed",
      reason: error instanceof Error ? error.message : String(error),
      isInUse: error instanceof DirectoryInUse,
    });
    process.exitCode = 1;
    process.disconnect?.();
  }
}

process.on("message", (message: ParentMessage) => {
  if (message.kind === "start") void start(message);
  else void stop(0);
});
// The parent is gone, even if it was killed outright.
process.on("disconnect", () => void stop(0));
// A terminal sends these to the whole group; the parent decides when its database stops.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
