import { spawn } from "node:child_process";
import path from "node:path";

/** A bare handler, in a process of its own like the product, on the database that runs in `dataDir`. */
export async function startBareServer(file: string, dataDir: string): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, file), dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
  return { url, stop: () => void child.kill("SIGKILL") };
}
