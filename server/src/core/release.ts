import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const CODE = ["server/src/**/*.ts", "shared/src/**/*.ts", "pnpm-lock.yaml"];

let mark: string | undefined;

/** Names the code that runs: another one after every update, the same after a mere restart. */
export function release(): string {
  mark ??= markOf(CODE.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted());
  return mark;
}

function markOf(files: string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(path.join(ROOT, file)));
  return hash.digest("base64url");
}
