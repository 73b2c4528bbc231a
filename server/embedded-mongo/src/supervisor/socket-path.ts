import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const LONGEST_PATH = 100;
const PREFIX = "embedded-mongo-";

/**
 * A socket in a short, private directory: a data directory may be too long for one. The driver turns addresses to
 * lower case and knows a socket by its ending.
 */
export function makeSocketPlace(): { path: string; remove(): void } {
  const name = `${PREFIX}${randomBytes(6).toString("hex")}`;
  if (process.platform === "win32") return { path: `\\\\.\\pipe\\${name}.sock`, remove: () => undefined };
  const preferred = join(tmpdir(), name);
  const isUsable = preferred === preferred.toLowerCase() && preferred.length + 8 <= LONGEST_PATH;
  const directory = isUsable ? preferred : join("/tmp", name);
  mkdirSync(directory, { mode: 0o700 });
  const path = join(directory, "db.sock");
  return { path, remove: () => removeSocketFolder(path) };
}

/** Removes the folder made for a socket, and no other one. */
export function removeSocketFolder(path: string): void {
  const folder = dirname(path);
  if (basename(folder).startsWith(PREFIX)) rmSync(folder, { recursive: true, force: true });
}

export const isTcp = (address: string): boolean => /^\d+\.\d+\.\d+\.\d+:\d+$/.test(address);

export const uriFor = (address: string): string =>
  `mongodb://${isTcp(address) ? address : encodeURIComponent(address)}/app?replicaSet=rs0`;
