// node scripts/backup.ts --to FILE: a consistent copy of the embedded database, also while the server runs.
import path from "node:path";
import { parseArgs } from "node:util";
import { configure, readSettings, settings } from "@app/server/core/settings";
import { backUpData, checkCopy, checkData } from "@app/embedded-mongo/backup";
import { answerHelp } from "./run-command.ts";

const USAGE = `Usage: node scripts/run.js scripts/backup.ts --to FILE        copies the database, and looks whether the copy is sound
       node scripts/run.js scripts/backup.ts --check [FILE]   looks whether a copy, or else the database itself, is sound`;

/** With --to writes a copy; either way looks whether every document is as it was written and every index is right. */
function main() {
  const { values, positionals } = parseArgs({
    options: { to: { type: "string" }, check: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const { to, check } = values;
  const [file = to, ...others] = positionals;
  if ((!to && !check) || others.length > 0 || (to && file !== to)) throw new Error(USAGE);
  configure(readSettings(process.env));
  const { dataDir } = settings();
  const faults = to ? copyTo(dataDir, to) : file ? checkCopy(path.resolve(file)) : checkData(dataDir);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) {
    const copied = to ? `${to} was written, but ` : "";
    throw new Error(`${copied}${faults.length} faults were found. Go back to a copy that is sound.`);
  }
  if (to)
    console.log(`The database in ${dataDir} was copied to ${to}. Keep secret.key from there too, in another place.`);
  console.log(`${file ?? `The database in ${dataDir}`} is sound.`);
}

function copyTo(dataDir: string, to: string): string[] {
  try {
    return backUpData(dataDir, to);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw isTaken ? new Error(`${to} exists already. Choose another name; nothing is overwritten.`) : error;
  }
}

answerHelp(USAGE);
try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
