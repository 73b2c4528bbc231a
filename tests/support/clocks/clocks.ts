// The product as a process whose clock a test sets.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, "moved-clock.ts")).href;

export interface Clock {
  /** For the process that is to go by it, and the database in it. */
  environment: Record<string, string>;
  /** How far it is ahead. */
  set(offMs: number): void;
}

export function aClock(offMs: number): Clock {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "evenhand-clock-")), "off");
  const set = (ms: number) => writeFileSync(file, String(ms));
  set(offMs);
  return { environment: { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_FILE: file }, set };
}
