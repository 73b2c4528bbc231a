// Opens a data directory and serves it; what the child process and the command line have in common.
import { rmSync } from "node:fs";
import { type Engine, type EngineOptions, openEngine } from "./engine.ts";
import { lockDirectory, readOwner } from "./supervisor/directory-lock.ts";
import { removeSocketFolder } from "./supervisor/socket-path.ts";
import { listen, type ListenTarget } from "./wire/server.ts";

export type RunningEngine = { engine: Engine; address: string; close(): Promise<void> };

const LOCK_PATIENCE_MS = 3_000;

export async function runEngine(options: EngineOptions, target: ListenTarget): Promise<RunningEngine> {
  const lock = lockDirectory(options.dir, LOCK_PATIENCE_MS);
  try {
    // Left by an engine that was killed together with its server.
    const stale = readOwner(options.dir)?.address;
    if (stale && !("socket" in target && target.socket === stale)) removeSocketFolder(stale);
    const engine = openEngine(options);
    const isFile = "socket" in target && process.platform !== "win32";
    // Only the owner of the lock comes this far, so a socket that is still there belongs to nobody.
    if (isFile) rmSync(target.socket, { force: true });
    const server = await listen(engine, target);
    lock.publish(server.address);
    return {
      engine,
      address: server.address,
      async close() {
        await server.close();
        engine.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
