import { TRPCError } from "@trpc/server";
import { UsageError } from "./owner-scope.ts";
import { withDatabase } from "./with-database.ts";

/** Runs what was typed on the practice's database; where it cannot be done, only the sentence that says so is shown. */
export const runCommand = (command: () => Promise<void>): Promise<void> =>
  withDatabase(async () => {
    try {
      await command();
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof TRPCError)) throw error;
      console.error(error.message);
      process.exitCode = 1;
    }
  });
