import { spawn } from "node:child_process";
import path from "node:path";

const SEED = path.resolve(import.meta.dirname, "leads-list-seed.ts");

/** Adds a practice for each number of leads to the running database in `dataDir`; gives their owners' addresses. */
export async function seedLeads(dataDir: string, sizes: [number, number]): Promise<[string, string]> {
  const child = spawn(process.execPath, [SEED, ...sizes.map(String)], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`the leads could not be added (${String(code)})`);
  return [leadsEmail(sizes[0]), leadsEmail(sizes[1])];
}

export const leadsEmail = (size: number) => `owner-of-${size}-leads@example.org`;
