// For somebody who forgot their password where no mail can reach them: prints the link that they would have been sent.
// node scripts/run.js scripts/reset-password.ts --email ines@example.org
import { parseArgs } from "node:util";
import { MINUTE_MS } from "@app/server/core/clock";
import { createLogger } from "@app/server/core/logger";
import { makeResetLink } from "@app/server/features/auth/password-change";
import { RESET_LINK_MS } from "@app/server/features/users/credentials.service";
import { runCommand, UsageError } from "./run-command.ts";

const USAGE = `Usage: node scripts/run.js scripts/reset-password.ts --email ADDRESS
Prints a link by which the person with this address chooses a new password, once. Whoever opens it takes over the
account: give it to nobody else. Settings such as DATA_DIR, MONGODB_URI and PUBLIC_URL count as for the server.`;

await runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: { email: { type: "string" } } });
  if (!values.email) throw new UsageError(USAGE);
  const made = await makeResetLink(values.email, createLogger("error"));
  if (!made) throw new UsageError(`Nobody signs in with the address ${values.email}. Check its spelling.`);
  const { link, user } = made;
  console.log(
    `${link}\nIt works once, for ${RESET_LINK_MS / MINUTE_MS} minutes. Give it to ${user.firstName} and nobody else.`,
  );
});
