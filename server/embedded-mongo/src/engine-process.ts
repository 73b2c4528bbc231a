// The child process that holds the data. Its parent sends the options, and its own end ends this too.
import { type RunningEngine, runEngine } from "./run-engine.ts";
import { DirectoryInUse } from "./supervisor/directory-lock.ts";
import { removeSocketFolder } from "./supervisor/socket-path.ts";
import type { ChildMessage, ParentMessage } from "./supervisor/supervisor.ts";

// Nothing that this process makes is for other users of the machine.
process.umask(0o077);

let running: RunningEngine | undefined;
let socket = "";
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
  socket = message.socket;
  try {
    running = await runEngine({ dir: message.dir }, { socket });
    if (!process.connected) return await stop(0);
    tell({ kind: "ready" });
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
// The parent is gone, even if it was killed outright, and cannot tidy up after itself.
process.on("disconnect", () => {
  process.once("exit", () => removeSocketFolder(socket));
  void stop(0);
});
// A terminal sends these to the whole group; the parent decides when its database stops.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
