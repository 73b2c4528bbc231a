import { parseArgs } from "node:util";
import type { Client } from "@app/shared/clients";
import { createClients, setClientStatus } from "@app/server/features/clients/clients.service";
import { demoAnswers } from "./demo-answers.ts";
import { demoBank } from "./demo-bank.ts";
import { demoBookings } from "./demo-bookings.ts";
import { demoCases, demoCaseWork } from "./demo-cases.ts";
import { demoContacts } from "./demo-contacts.ts";
import { demoLeads } from "./demo-leads.ts";
import { demoSignatures } from "./demo-signatures.ts";
import { demoDocuments } from "./demo-documents.ts";
import { demoFinances } from "./demo-finances.ts";
import { demoForms } from "./demo-forms.ts";
import { demoMail } from "./demo-mail.ts";
import { demoMeetings } from "./demo-meetings.ts";
import { demoClient } from "./demo-people.ts";
import { demoPayments } from "./demo-payments.ts";
import { demoQuestionnaires } from "./demo-questionnaires.ts";
import { demoRecords } from "./demo-records.ts";
import { demoPractice } from "./demo-practice.ts";
import { DEMO_EMAIL, DEMO_PASSWORD } from "./demo-account.ts";
import { demoWays } from "./demo-ways.ts";
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
const BATCH = 500;
const ARCHIVED = 3;

const { values } = parseArgs({ options: { size: { type: "string", default: "small" } } });
if (values.size !== "small" && values.size !== "medium" && values.size !== "large") {
  console.error("--size is small, medium or large");
  process.exit(1);
}
const size = SIZES[values.size];

await runCommand(USAGE, async () => {
  const scope = await demoPractice(size.mediators);
  if (!scope) {
    console.log(
      `The demonstration practice is there already. Sign in as ${DEMO_EMAIL} with the password: ${DEMO_PASSWORD}`,
    );
    return;
  }
  const clients: Client[] = [];
  for (let start = 0; start < size.clients; start += BATCH) {
    const count = Math.min(BATCH, size.clients - start);
    const people = Array.from({ length: count }, (_, index) => demoClient(start + index));
    clients.push(...(await createClients(scope, people)));
  }
  const cases = await demoCases(scope, clients, size.cases);
  await demoContacts(scope, cases.slice(0, SIZES.small.cases));
  await demoCaseWork(scope, cases.slice(0, SIZES.small.cases));
  await demoMeetings(scope, cases, { ...size, worked: SIZES.small.cases });
  await demoBookings(scope, cases.slice(0, SIZES.small.cases));
  await demoRecords(scope, cases.slice(0, SIZES.small.cases));
  await demoSignatures(scope, cases.slice(0, SIZES.small.cases));
  await demoFinances(scope, cases.slice(0, SIZES.small.cases));
  await demoPayments(scope, cases.slice(0, SIZES.small.cases));
  await demoBank(scope);
  await demoDocuments(scope, cases.slice(0, SIZES.small.cases));
  await demoWays(scope);
  await demoLeads(scope, cases, size.leads);
  const asked = { forms: await demoForms(scope), cases, clients };
  await demoAnswers(scope, asked, size.answers);
  await demoQuestionnaires(scope, { ...asked, cases: cases.slice(0, SIZES.small.cases) });
  await demoMail(scope, cases.slice(0, SIZES.small.cases), clients);
  await setClientStatus(scope, { ids: clients.slice(-ARCHIVED).map((client) => client.id), status: "archived" });
  console.log(
    `${size.clients} clients, ${size.cases} cases, ${size.meetings} meetings, ${size.leads} leads and ${size.answers} forms that people were sent are in the demonstration practice Quillfeather Mediation.`,
  );
  console.log(`Sign in as ${DEMO_EMAIL} with the password: ${DEMO_PASSWORD}`);
});
