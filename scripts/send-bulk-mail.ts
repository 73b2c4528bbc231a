// npm run send-bulk-mail -- --owner EMAIL --subject TEXT --body FILE --to FILE.csv: what the page Email does under "Mailings".
import { createWriteStream, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createMailingSchema, type Mailing, resultOf } from "@app/shared/mailings";
import { richTextOf } from "@app/shared/rich-text";
import { KEPT_BY_NOBODY } from "@app/server/core/once";
import { createLogger } from "@app/server/core/logger";
import { linesOf } from "@app/server/core/table-answer";
import type { Scope } from "@app/server/core/trpc";
import { runMailing } from "@app/server/features/mailings/mailing-run";
import { notSent } from "@app/server/features/mailings/mailings.http";
import * as mailings from "@app/server/features/mailings/mailings.service";
import { TRPCError } from "@trpc/server";
import { ownerScope } from "./owner-scope.ts";
import { runCommand, UsageError } from "./run-command.ts";

const USAGE = `Usage: npm run send-bulk-mail -- --owner EMAIL --subject TEXT --body FILE --to FILE.csv|clients
  --to FILE.csv     a list with the columns value (the address) and label (the name)
  --to clients      all active clients
  --per-minute N    60 where left out; 0 for as fast as the mail server takes them
  --failures FILE   writes who did not get it, as CSV
  --dry-run         shows who would be left out, and sends nothing
       npm run send-bulk-mail -- --owner EMAIL --resume ID
FILE is a text; {{client.firstName}}, {{client.fullName}}, {{practice.name}}, {{sender.name}} and {{today}} stand for what they say.`;
const POLL_MS = 1000;

const log = createLogger("warn");

await runCommand(USAGE, main);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      owner: { type: "string", default: "" },
      subject: { type: "string", default: "" },
      body: { type: "string", default: "" },
      to: { type: "string", default: "" },
      "per-minute": { type: "string", default: "60" },
      failures: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      resume: { type: "string" },
    },
  });
  if (!values.owner || !(values.resume || (values.subject && values.body && values.to))) throw new UsageError(USAGE);
  const scope = await ownerScope(values.owner);
  const { id } = values.resume ? { id: values.resume } : await created(scope, values);
  if (values["dry-run"]) return tellLeftOut(scope, id);
  console.log(`Mailing ${id}`);
  await mailings.startMailing(scope, id).catch(onlyIfStopped);
  const { counts } = await untilDone(scope, id);
  if (values.failures) await pipeline(Readable.from(linesOf(notSent(scope, id))), createWriteStream(values.failures));
  console.log(JSON.stringify(resultOf(counts)));
  if (counts.sent < counts.total) process.exitCode = 1;
}

/** One that is being sent already is gone on with. */
function onlyIfStopped(error: unknown): void {
  if (!(error instanceof TRPCError && error.message.startsWith("This mailing is sending"))) throw error;
}

async function created(
  scope: Scope,
  values: { subject: string; body: string; to: string; "per-minute": string },
): Promise<Mailing> {
  const parsed = createMailingSchema.safeParse({
    subject: values.subject,
    body: richTextOf(readText(values.body)),
    perMinute: Number(values["per-minute"]),
    source: values.to === "clients" ? { kind: "filter", filter: {} } : { kind: "csv", csv: readText(values.to) },
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UsageError(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  return mailings.createMailing(scope, parsed.data, KEPT_BY_NOBODY);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`${file} cannot be read.`);
  }
}

async function tellLeftOut(scope: Scope, id: string): Promise<void> {
  for await (const { address, name, reason } of mailings.failuresOf(scope, id))
    console.log(`${name || "Nobody"} <${address}>: ${reason}`);
  const { counts } = await mailings.getMailing(scope, id);
  await mailings.cancelMailing(scope, id);
  console.log(`${counts.waiting} of ${counts.total} would get it; nothing was sent.`);
}

/** Works on the mailing here; where the server does so too, whoever is faster goes on. */
async function untilDone(scope: Scope, id: string): Promise<Mailing> {
  for (;;) {
    const work = runMailing(scope.ownerId, id, log).then(() => "done" as const);
    while ((await Promise.race([work, sleep(POLL_MS, "going on" as const)])) === "going on") {
      const { counts } = await mailings.getMailing(scope, id);
      console.log(`${counts.total - counts.waiting} of ${counts.total}`);
    }
    const found = await mailings.getMailing(scope, id);
    if (found.state !== "sending") return found;
    await sleep(POLL_MS);
  }
}
