// Makes a practice and its owner, whether the server runs or not:
// node scripts/create-owner.ts --email ines@example.org --first-name Ines --last-name Marchbank --practice "Quillfeather Row"
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { checkKey } from "@app/server/core/key-check";
import { createLogger } from "@app/server/core/logger";
import { configure, publicUrl, readSettings, SettingsError } from "@app/server/core/settings";
import { createPractice } from "@app/server/features/auth/registration";
import { registerSchema } from "@app/shared/auth";
import { MEDIATOR_TYPES, REGIONS } from "@app/shared/regions";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { answerHelp } from "./run-command.ts";

const USAGE = `Usage: node scripts/create-owner.ts --email ADDRESS --first-name NAME --last-name NAME --practice NAME
  [--region ${Object.keys(REGIONS).join("|")}] [--type ${Object.keys(MEDIATOR_TYPES).join("|")}]
The password is asked for, or read from standard input. Settings such as DATA_DIR and MONGODB_URI count as for the server.`;

answerHelp(USAGE);
try {
  await main();
} catch (error) {
  console.error(plainReason(error));
  process.exitCode = 1;
}

async function main() {
  const { values } = parseArgs({
    options: {
      email: { type: "string" },
      "first-name": { type: "string" },
      "last-name": { type: "string" },
      practice: { type: "string" },
      region: { type: "string", default: "england_wales" },
      type: { type: "string", default: "family" },
    },
  });
  const fields = {
    email: values.email,
    firstName: values["first-name"],
    lastName: values["last-name"],
    practiceName: values.practice,
    region: values.region,
    mediatorType: values.type,
  };
  registerSchema.omit({ password: true }).parse(fields);
  const input = registerSchema.parse({ ...fields, password: await readPassword() });

  configure(readSettings(process.env));
  await loadKey();
  const database = await openDatabase({ log: createLogger("error"), join: true });
  try {
    await checkKey();
    const ownerId = await createPractice(input, { mustBeFirst: false });
    console.log(
      `Made the practice ${input.practiceName} with its owner ${input.email} (${ownerId}).\nSign in at ${publicUrl()}`,
    );
  } finally {
    await database.close();
  }
}

/** From the terminal without showing it, or the first line of standard input. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split("\n", 1)[0]?.replace(/\r$/, "") ?? "";
  process.stderr.write("Password (at least 12 characters, not shown): ");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const password = await terminal.question("");
  terminal.close();
  process.stderr.write("\n");
  return password;
}

function plainReason(error: unknown): string {
  if (error instanceof z.ZodError) {
    const lines = error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
    return `${lines.join("\n")}\n\n${USAGE}`;
  }
  if (error instanceof SettingsError || error instanceof TRPCError) return error.message;
  const reason = error instanceof Error ? error.message : String(error);
  return reason.includes("option") ? `${reason}\n\n${USAGE}` : `The owner could not be made: ${reason}`;
}
