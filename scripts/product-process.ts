import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

const MAIN = path.resolve(import.meta.dirname, "../server/src/main.ts");
/** As npm start and the image do. Without a limit much of what is done with stays in memory where a machine has plenty. */
const HEAP_LIMIT = "--max-old-space-size=1536";
const START_LIMIT_MS = 120_000;

export interface ProductProcess {
  url: string;
  process: ChildProcess;
  /** Stops as an operator would, and waits until the process is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the built product as its own process, on a free port unless PORT is given, and waits until it listens. One that
 * does not listen in time is ended.
 */
export async function startProduct(environment: Record<string, string>): Promise<ProductProcess> {
  const child = spawn(process.execPath, [HEAP_LIMIT, MAIN], {
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "error", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await addressOf(child);
  return { url, process: child, stop: () => stop(child) };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const tooLate = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`the product did not start:\n${printed}`));
    }, START_LIMIT_MS);
    const listen = (chunk: Buffer) => {
      printed += chunk.toString();
      const url = /is running at (http:\/\/\S+)/.exec(printed)?.[1];
      if (!url) return;
      clearTimeout(tooLate);
      resolve(url);
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", (code) => {
      clearTimeout(tooLate);
      reject(new Error(`the product ended with ${code} before it listened:\n${printed}`));
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
