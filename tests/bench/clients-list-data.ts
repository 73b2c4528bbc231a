import { spawn } from "node:child_process";
import path from "node:path";

const SEED = path.resolve(import.meta.dirname, "clients-list-seed.ts");

/** Adds a practice for each number of clients to the running database in `dataDir`; gives their owners' addresses. */
export async function seedPractices(dataDir: string, sizes: [number, number]): Promise<[string, string]> {
  const child = spawn(process.execPath, [SEED, ...sizes.map(String)], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`the clients could not be added (${String(code)})`);
  return [seedEmail(sizes[0]), seedEmail(sizes[1])];
}

export const seedEmail = (size: number) => `owner-of-${size}@example.org`;
