// What else was built on records since they were imported.
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { caseRefsOfClients } from "../cases/cases.service.ts";
import { contactsOfCases } from "../contacts/contacts-import.service.ts";
import { eventsOfCases, eventsOfClients } from "../history/history-use.service.ts";
import { casesWithDrafts, clientsWithDrafts } from "../compose/compose-use.service.ts";
import { casesWithMail, clientsWithMail, contactsWithMail } from "../outbox/outbox-use.service.ts";
import { casesWithInvoices, contactsWithInvoices } from "../invoices/invoice-use.service.ts";
import { clientsInMailings, contactsInMailings } from "../mailings/mailing-use.service.ts";
import { meetingsOn, meetingsToldOf } from "../meetings/meetings-import.service.ts";
import { meetingsWithSession } from "../sessions/session-use.service.ts";

/** Clients who are in a case, a meeting or a mailing, to whom a mail was begun, or of whom the history tells anything. */
export async function usedClients({ ownerId }: Scope, ids: string[]): Promise<Set<string>> {
  const events = await eventsOfClients(ownerId, ids);
  const cases = await caseRefsOfClients(systemScope(ownerId), ids);
  const met = await meetingsOn(ownerId, { clientIds: ids });
  const written = new Set([...(await clientsWithMail(ownerId, ids)), ...(await clientsWithDrafts(ownerId, ids))]);
  const chosen = await clientsInMailings(ownerId, ids);
  const hasCase = (id: string) => (cases.get(id) ?? []).length > 0;
  return new Set(ids.filter((id) => events.has(id) || hasCase(id) || met.has(id) || written.has(id) || chosen.has(id)));
}

/** Contacts who belong to a case, or did, to whom a mail was written, or who pay an invoice. */
export async function usedContacts(scope: Scope, ids: string[]): Promise<Set<string>> {
  const ofCases = await contactsOfCases(scope, ids);
  const written = await contactsWithMail(scope.ownerId, ids);
  const billed = await contactsWithInvoices(scope.ownerId, ids);
  return new Set([...ofCases, ...written, ...billed, ...(await contactsInMailings(scope.ownerId, ids))]);
}

/**
 * Cases with meetings, mail or invoices, or of which the history tells more than that they were opened. An entry of the
 * safeguarding record is no use of its case: whoever undoes the import would learn of it.
 */
export async function usedCases({ ownerId }: Scope, ids: string[]): Promise<Set<string>> {
  const events = await eventsOfCases(ownerId, ids);
  const met = await meetingsOn(ownerId, { caseIds: ids });
  const written = new Set([...(await casesWithMail(ownerId, ids)), ...(await casesWithDrafts(ownerId, ids))]);
  const billed = new Set(await casesWithInvoices(ownerId, ids));
  return new Set(ids.filter((id) => (events.get(id) ?? 0) > 1 || met.has(id) || written.has(id) || billed.has(id)));
}

/** Meetings in which a session was held, or of which somebody who comes was told. */
export const usedMeetings = async (scope: Scope, ids: string[]): Promise<Set<string>> =>
  new Set([...(await meetingsWithSession(scope.ownerId, ids)), ...(await meetingsToldOf(scope, ids))]);
