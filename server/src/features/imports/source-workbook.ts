import { Worker } from "node:worker_threads";
import { z } from "zod";
import { badField } from "../../core/errors.ts";

const MEMORY_MB = 768;
const LIMIT_MS = 60_000;

const messageSchema = z.union([
  z.strictObject({ rows: z.array(z.array(z.string())) }),
  z.strictObject({ refusal: z.enum(["too-large", "unreadable"]).nullable() }),
]);
const TOO_LARGE = "This workbook is too large to read. Save its sheet as CSV and choose that file.";
const UNREADABLE = "This workbook cannot be read. Save it again as .xlsx or as CSV and choose it again.";

/** The rows of a workbook's first sheet, the headings and empty ones included. */
export async function* workbookRows(file: string): AsyncGenerator<string[]> {
  const worker = new Worker(new URL("./workbook-worker.ts", import.meta.url), {
    workerData: { file },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const ended = AbortSignal.timeout(LIMIT_MS);
  try {
    for (const rows of await allRows(worker, ended)) yield* rows;
  } finally {
    await worker.terminate();
  }
}

async function allRows(worker: Worker, ended: AbortSignal): Promise<string[][][]> {
  const batches: string[][][] = [];
  const finished = new Promise<void>((resolve, reject) => {
    worker.on("message", (data: unknown) => {
      const message = messageSchema.parse(data);
      if ("rows" in message) batches.push(message.rows);
      else if (message.refusal === null) resolve();
      else reject(badField("file", message.refusal === "too-large" ? TOO_LARGE : UNREADABLE));
    });
    // Out of memory, for one.
    worker.once("error", (error) => reject(badField("file", `${TOO_LARGE} (${error.name})`)));
    worker.once("exit", () => reject(badField("file", UNREADABLE)));
    ended.addEventListener("abort", () => reject(badField("file", TOO_LARGE)), { once: true });
  });
  await finished;
  return batches;
}
