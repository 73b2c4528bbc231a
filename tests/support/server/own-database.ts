// Databases for tests: each of its own, named after the run that it belongs to, and never the one that was given.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { inDatabase, nameIn } from "./database-uri.ts";

/** Where nothing is stored yet; the run removes it at its end. */
export function anOwnDatabase(): string {
  const uri = inject("mongodbUri");
  return inDatabase(uri, `${nameIn(uri)}_${randomBytes(6).toString("hex")}`);
}
