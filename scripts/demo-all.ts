// Fills the invented practice: who is in it, their cases, and all that was done for them.
import type { Client } from "@app/shared/clients";
import { createClients, setClientStatus } from "@app/server/features/clients/clients.service";
import { demoAnswers } from "./demo-answers.ts";
import { demoBookings } from "./demo-bookings.ts";
import { demoCases, demoCaseWork } from "./demo-cases.ts";
import { demoContacts } from "./demo-contacts.ts";
import { demoEnded } from "./demo-ended.ts";
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
import { demoWays } from "./demo-ways.ts";

export interface DemoSize {
  mediators: number;
  clients: number;
  cases: number;
  meetings: number;
  perDay: number;
  leads: number;
  answers: number;
}

/** So many cases have everything that somebody at work would record of them. */
const WORKED = 18;
const BATCH = 500;
const ARCHIVED = 3;

/** Adds the invented practice; nothing where it is there already. Says whether it was added. */
export async function demoAll(size: DemoSize): Promise<boolean> {
  const scope = await demoPractice(size.mediators);
  if (!scope) return false;
  const clients: Client[] = [];
  for (let start = 0; start < size.clients; start += BATCH) {
    const count = Math.min(BATCH, size.clients - start);
    const people = Array.from({ length: count }, (_, index) => demoClient(start + index));
    clients.push(...(await createClients(scope, people)));
  }
  const worked = Math.min(WORKED, size.cases);
  const cases = await demoCases(scope, clients, { cases: size.cases, worked });
  await demoContacts(scope, cases.slice(0, worked));
  await demoCaseWork(scope, cases.slice(0, worked));
  const led = await demoEnded(scope, cases.slice(0, worked));
  await demoMeetings(scope, [...led, ...cases.slice(worked)], { ...size, worked });
  await demoBookings(scope, cases.slice(0, worked));
  await demoRecords(scope, cases.slice(0, worked));
  await demoSignatures(scope, cases.slice(0, worked));
  await demoFinances(scope, cases.slice(0, worked));
  await demoPayments(scope, cases.slice(0, worked));
  await demoDocuments(scope, cases.slice(0, worked));
  await demoWays(scope);
  await demoLeads(scope, cases, size.leads);
  const asked = { forms: await demoForms(scope), cases, clients };
  await demoAnswers(scope, asked, size.answers);
  await demoQuestionnaires(scope, { ...asked, cases: cases.slice(0, worked) });
  await demoMail(scope, cases.slice(0, worked), clients);
  await setClientStatus(scope, { ids: clients.slice(-ARCHIVED).map((client) => client.id), status: "archived" });
  return true;
}
