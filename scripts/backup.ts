// node scripts/backup.ts --to FILE: a consistent copy of the embedded database, also while the server runs.
import { parseArgs } from "node:util";
import { configure, readSettings, settings } from "@app/server/core/settings";
import { backUpData, checkData } from "@app/server/embedded-mongo/backup";

const { values } = parseArgs({ options: { to: { type: "string" }, check: { type: "boolean", default: false } } });

/** With --to writes a copy, with --check looks whether every document can be read and every index is right. */
function main() {
  configure(readSettings(process.env));
  const { dataDir } = settings();
  if (values.to) {
    backUpData(dataDir, values.to);
    console.log(
      `The database in ${dataDir} was copied to ${values.to}. Keep secret.key from there too, in another place.`,
    );
  }
  if (values.check) {
    const faults = checkData(dataDir);
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) throw new Error(`${faults.length} faults were found. Go back to a copy that is sound.`);
    console.log(`The database in ${dataDir} is sound.`);
  }
  if (!values.to && !values.check) throw new Error("usage: node scripts/backup.ts [--to FILE] [--check]");
}

try {
  main();
} catch (error) {
  const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST";
  const reason = error instanceof Error ? error.message : String(error);
  console.error(isTaken ? `${values.to} exists already. Choose another name; nothing is overwritten.` : reason);
  process.exitCode = 1;
}
