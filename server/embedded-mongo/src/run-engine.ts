// Opens a data directory and serves it; what the child process and the command line have in common.
import { rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { DATA_FILE, type Engine, type EngineOptions, openEngine } from "./engine.ts";
import { LOCK_FILE, lockDirectory, readOwner } from "./supervisor/directory-lock.ts";
import { removeSocketFolder } from "./supervisor/socket-path.ts";
import { answer } from "./commands/dispatch.ts";
import { listen, type ListenTarget } from "./listen.ts";

export type RunningEngine = { engine: Engine; address: string; close(): Promise<void> };

const LOCK_PATIENCE_MS = 3_000;

export async function runEngine(
  options: EngineOptions,
  target: ListenTarget,
  answerer = answer,
): Promise<RunningEngine> {
  const lock = lockDirectory(options.dir, LOCK_PATIENCE_MS);
  try {
    // Left by an engine that was killed together with its server.
    const stale = readOwner(options.dir)?.address;
    if (stale && !("socket" in target && target.socket === stale)) removeSocketFolder(stale);
    checkPresence(join(options.dir, DATA_FILE), lock.hasHadData);
    const engine = openEngine(options);
    lock.noteData();
    const isFile = "socket" in target && process.platform !== "win32";
    // Only the owner of the lock comes this far, so a socket that is still there belongs to nobody.
    if (isFile) rmSync(target.socket, { force: true });
    const server = await listen(engine, target, answerer);
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

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

/** Beginning with an empty database where there was one would look as if everything were lost, and would lose its log. */
function checkPresence(path: string, hasHadData: boolean): void {
  const size = sizeOf(path);
  const isExpected = hasHadData || (sizeOf(`${path}-wal`) ?? 0) > 0;
  if (!isExpected || (size ?? 0) > 0) return;
  const what = size === undefined ? "missing" : "empty";
  throw new Error(
    `${path} is ${what}, but there was a database here; restore it from a backup, or remove ${LOCK_FILE} and ${basename(path)}-wal beside it to begin with nothing`,
  );
}
