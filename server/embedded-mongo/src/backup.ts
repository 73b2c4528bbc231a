// Copies and checks of a data directory. Both work while its engine is running.
import { closeSync, existsSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATA_FILE } from "./engine.ts";
import { checkFile, checkPages } from "./store/integrity.ts";
import { openConnection } from "./store/sqlite-file.ts";

/**
 * Writes a consistent copy into a file that must not exist yet, and looks whether it and what it was made of are sound:
 * everything that is wrong, one line each. The copy stays, because there may be no better one.
 */
export function backUpData(dir: string, target: string): string[] {
  const source = join(dir, DATA_FILE);
  if (!existsSync(source)) throw new Error(`there is no database in ${dir}`);
  // Also makes sure that nobody else may read it and that nothing is overwritten.
  writeFileSync(target, "", { flag: "wx", mode: 0o600 });
  const faults = copyInto(source, target);
  return faults.length > 0 ? faults : checkCopy(target);
}

function copyInto(source: string, target: string): string[] {
  const connection = openConnection(source);
  try {
    connection.all("VACUUM INTO ?", target);
    const copy = openSync(target, "r+");
    fsyncSync(copy);
    closeSync(copy);
    // What lies beside its documents, such as a page that nothing leads to, is not in the copy.
    return checkPages(connection);
  } catch (error) {
    const faults = checkCopy(source);
    if (faults.length > 0) return faults;
    throw error;
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
