import { spawn } from "node:child_process";
import path from "node:path";

const SEED = path.resolve(import.meta.dirname, "money-seed.ts");

/** Adds a practice for each number of entries to the running database in `dataDir`. */
export async function seedMoney(dataDir: string, sizes: [number, number]): Promise<void> {
  const child = spawn(process.execPath, [SEED, ...sizes.map(String)], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`the entries could not be added (${String(code)})`);
}

export const moneyEmail = (size: number) => `owner-of-${size}-entries@example.org`;
