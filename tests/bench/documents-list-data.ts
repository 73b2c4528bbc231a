import { spawn } from "node:child_process";
import path from "node:path";

const SEED = path.resolve(import.meta.dirname, "documents-list-seed.ts");

/** Adds a practice for each number of documents to the running database in `dataDir`. */
export async function seedDocuments(dataDir: string, sizes: [number, number]): Promise<void> {
  const child = spawn(process.execPath, [SEED, ...sizes.map(String)], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`the documents could not be added (${String(code)})`);
}

export const documentsEmail = (size: number) => `owner-of-${size}-documents@example.org`;
