// Contents are scanned for viruses before they are kept.
import { createReadStream } from "node:fs";
import { isScanning, scanned } from "../../core/clamd.ts";
import { badField, busy } from "../../core/errors.ts";
import type { Asker } from "../../core/fair-turns.ts";
import { settings } from "../../core/settings.ts";
import type { Scan } from "./blobs.model.ts";
import { kindOf } from "./file-kinds.service.ts";

interface Examined {
  mime: string;
  /** Undefined where no scanner is set up. */
  scan: Scan | undefined;
}

/** What a spooled content is, and whether it was scanned. Throws BAD_REQUEST for one that carries a virus. */
export async function examine(
  asker: Asker,
  spooled: { path: string; name: string; pixelsMax?: number },
): Promise<Examined> {
  const mime = await kindOf(asker, spooled);
  if (!isScanning()) return { mime, scan: undefined };
  const verdict = await scanned(createReadStream(spooled.path));
  if (verdict === "infected") throw badField("name", "This file carries a virus, so it was not kept.");
  if (verdict === "unknown" && settings().CLAMD_REQUIRED)
    throw busy("The virus scanner does not answer, so this file was not kept. Try again in a few minutes.");
  return { mime, scan: verdict === "clean" ? "clean" : "unscanned" };
}
