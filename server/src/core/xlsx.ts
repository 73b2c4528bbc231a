// A list as an Excel workbook, which is put together in a worker: it has to be whole before any of it can be sent.
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { permittedBatches } from "./csv-answer.ts";
import { sendDownload } from "./download.ts";
import { ofPerson } from "./fair-turns.ts";
import { defineForeign } from "./foreign.ts";
import type { AskedBy } from "./raw-route.ts";
import type { work } from "./xlsx.foreign.ts";

const LIMIT_MS = 12_000;
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** What a workbook of a practice's list takes at most; a CSV file has no end. */
const ROWS_MAX = 20_000;
const SIGNS_MAX = 8_000_000;
/** Excel's own limit on one cell. */
const CELL_MAX = 32_767;

const tooLarge = () =>
  new TRPCError({
    code: "UNPROCESSABLE_CONTENT",
    message: "This list is too large for an Excel workbook. Export it as CSV, or filter it first.",
  });

const putTogether = defineForeign<typeof work>({
  file: new URL("./xlsx.foreign.ts", import.meta.url),
  output: z.instanceof(Uint8Array),
  limitMs: LIMIT_MS,
  lane: "drawing",
  refuse: (why, reason) => (why === "too-much" ? tooLarge() : new Error(reason)),
});

export interface Table {
  headings: readonly string[];
  rows: AsyncIterable<readonly string[]>;
}

/** Sends all rows at once; whoever loses the right to them meanwhile gets none. */
export async function sendWorkbook(asked: AskedBy, name: string, { headings, rows }: Table): Promise<void> {
  const taken: string[][] = [];
  let signs = 0;
  for await (const batch of permittedBatches(asked, rows))
    for (const row of batch) {
      const cells = row.map((text) => text.slice(0, CELL_MAX));
      signs += cells.reduce((sum, { length }) => sum + length, 0);
      taken.push(cells);
      if (taken.length > ROWS_MAX || signs > SIGNS_MAX) throw tooLarge();
    }
  const bytes = await putTogether(ofPerson(asked.scope), { headings: [...headings], rows: taken });
  await sendDownload(asked, { name, type: TYPE, content: Buffer.from(bytes) });
}
