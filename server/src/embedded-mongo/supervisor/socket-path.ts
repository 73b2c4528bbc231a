import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type SocketPlace = { path: string; remove(): void };

const LONGEST_PATH = 100;

/**
 * A socket in a short, private directory: a data directory may be too long for one. The driver turns addresses to
 * lower case and knows a socket by its ending.
 */
export function makeSocketPlace(): SocketPlace {
  const name = `embedded-mongo-${randomBytes(6).toString("hex")}`;
  if (process.platform === "win32") return { path: `\\\\.\\pipe\\${name}.sock`, remove: () => undefined };
  const preferred = join(tmpdir(), name);
  const isUsable = preferred === preferred.toLowerCase() && preferred.length + 8 <= LONGEST_PATH;
  const directory = isUsable ? preferred : join("/tmp", name);
  mkdirSync(directory, { mode: 0o700 });
  return { path: join(directory, "db.sock"), remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export const uriFor = (address: string): string => `mongodb://${encodeURIComponent(address)}/app?replicaSet=rs0`;
