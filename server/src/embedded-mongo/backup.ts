// Copies and checks of a data directory. Both work while its engine is running.
import { closeSync, existsSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATA_FILE } from "./engine.ts";
import { checkFile } from "./store/integrity.ts";
import { openConnection } from "./store/sqlite-file.ts";

/** Writes a consistent copy into a file that must not exist yet. */
export function backUpData(dir: string, target: string): void {
  const source = join(dir, DATA_FILE);
  if (!existsSync(source)) throw new Error(`there is no database in ${dir}`);
  // Also makes sure that nobody else may read it and that nothing is overwritten.
  writeFileSync(target, "", { flag: "wx", mode: 0o600 });
  const connection = openConnection(source);
  try {
    connection.all("VACUUM INTO ?", target);
    const copy = openSync(target, "r+");
    fsyncSync(copy);
    closeSync(copy);
  } finally {
    connection.close();
  }
}

/** Everything wrong with the data of a directory, one line each; an empty list for sound data. */
export const checkData = (dir: string): string[] => checkCopy(join(dir, DATA_FILE));

/** The same for the file itself, such as a copy. */
export function checkCopy(path: string): string[] {
  if (!existsSync(path)) return [`there is no database at ${path}`];
  const connection = openConnection(path);
  try {
    connection.exec("PRAGMA query_only=1; BEGIN");
    return checkFile(connection);
  } catch (error) {
    return [`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    connection.close();
  }
}
