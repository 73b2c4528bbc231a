// Gives a practice a plan without charge, or takes that back: node scripts/run.js scripts/grant-subscription.ts --help
import { parseArgs } from "node:util";
import { PLANS } from "@app/shared/access";
import { daySchema } from "@app/shared/time";
import { grantSubscription, withoutGiven } from "@app/server/features/subscriptions/given-subscriptions.service";
import { ownerScope } from "./owner-scope.ts";
import { runCommand, UsageError } from "./run-command.ts";

const USAGE = `Usage: node scripts/run.js scripts/grant-subscription.ts --owner ADDRESS --plan ${PLANS.join("|")} [--until YYYY-MM-DD]
       node scripts/run.js scripts/grant-subscription.ts --owner ADDRESS --end
Gives the practice of the owner with this address a plan without charge, to the end of a day or for good, or takes back
what was given. What a practice pays for stays as it is. Settings such as DATA_DIR and MONGODB_URI count as for the server.`;

await runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      owner: { type: "string" },
      plan: { type: "string" },
      until: { type: "string" },
      end: { type: "boolean", default: false },
    },
  });
  if (!values.owner) throw new UsageError(USAGE);
  const { ownerId } = await ownerScope(values.owner);
  if (values.end) {
    await withoutGiven(ownerId);
    return console.log(
      "What was given is taken back. Whoever has no other subscription gets to the account page only.",
    );
  }
  const plan = PLANS.find((known) => known === values.plan);
  if (!plan) throw new UsageError(`Say which plan: --plan ${PLANS.join(" or --plan ")}.`);
  const until = values.until === undefined ? null : endOf(values.until);
  await grantSubscription(ownerId, { plan, until });
  console.log(
    `The practice of ${values.owner} has the plan ${plan} ${values.until ? `until ${values.until}` : "for good"}, without charge.`,
  );
});

/** The last moment of that day, wherever the practice is. */
function endOf(day: string): Date {
  if (!daySchema.safeParse(day).success) throw new UsageError("Write the day as in 2027-03-31.");
  return new Date(`${day}T23:59:59.999Z`);
}
