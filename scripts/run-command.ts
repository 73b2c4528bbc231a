// What every script of the command line has in common. It imports nothing at once: whoever asks for help waits for nothing.

/** What was typed cannot be done; its message says what to type. */
export class UsageError extends Error {}

/** Prints what a script is for where --help asks that, and ends: nothing else is done. */
export function answerHelp(usage: string): void {
  if (!process.argv.slice(2).includes("--help")) return;
  console.log(usage);
  process.exit(0);
}

/** Node's own refusal of an option that there is not. */
const isMistyped = (error: Error): boolean => "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

/** Runs what was typed on the practice's database; where it cannot be done, only the sentence that says so is shown. */
export async function runCommand(usage: string, command: () => Promise<void>): Promise<void> {
  answerHelp(usage);
  const [{ withDatabase }, { TRPCError }] = await Promise.all([import("./with-database.ts"), import("@trpc/server")]);
  await withDatabase(async () => {
    try {
      await command();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (!(error instanceof UsageError || error instanceof TRPCError || isMistyped(error))) throw error;
      console.error(isMistyped(error) ? `${error.message}\n\n${usage}` : error.message);
      process.exitCode = 1;
    }
  });
}
