import { parseArgs } from "node:util";
import { DEMO_EMAIL, DEMO_PASSWORD } from "./demo-account.ts";
import { demoAll } from "./demo-all.ts";
import { answerHelp, runCommand } from "./run-command.ts";

const USAGE = `Usage: npm run demo [-- --size small|medium|large]
Adds an invented practice with people to look at, beside whatever is there already, whether the server runs or not.`;
answerHelp(USAGE);

// Of the forms that people are sent six of seven are answered, or begun.
// A large practice is a medium one after ten years: as many people work there, and as many meetings fill a month.
const SIZES = {
  small: { mediators: 2, clients: 40, cases: 18, meetings: 120, perDay: 4, leads: 30, answers: 60 },
  medium: { mediators: 10, clients: 1000, cases: 500, meetings: 10_000, perDay: 40, leads: 500, answers: 2000 },
  large: { mediators: 10, clients: 10_000, cases: 5000, meetings: 100_000, perDay: 40, leads: 5000, answers: 23_400 },
};

const { values } = parseArgs({ options: { size: { type: "string", default: "small" } } });
if (values.size !== "small" && values.size !== "medium" && values.size !== "large") {
  console.error("--size is small, medium or large");
  process.exit(1);
}
const size = SIZES[values.size];

await runCommand(USAGE, async () => {
  if (!(await demoAll(size))) {
    console.log(
      `The demonstration practice is there already. Sign in as ${DEMO_EMAIL} with the password: ${DEMO_PASSWORD}`,
    );
    return;
  }
  console.log(
    `${size.clients} clients, ${size.cases} cases, ${size.meetings} meetings, ${size.leads} leads and ${size.answers} forms that people were sent are in the demonstration practice Quillfeather Mediation.`,
  );
  console.log(`Sign in as ${DEMO_EMAIL} with the password: ${DEMO_PASSWORD}`);
});
