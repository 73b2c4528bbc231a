import { CASE_STATUS_NAMES } from "@app/shared/case-states";
import { listClientsSchema } from "@app/shared/clients";
import { listContactsSchema } from "@app/shared/contacts";
import { SEARCH_HITS, type SearchHit } from "@app/shared/search";
import type { Scope } from "../../core/trpc.ts";
import { findCases } from "../cases/cases.service.ts";
import { findClients } from "../clients/clients.service.ts";
import { findContacts } from "../contacts/contacts.service.ts";
import { findFiles } from "../files/file-lists.service.ts";

/** Clients, cases, contacts and files that begin with what was typed, as far as this person may see them. */
export async function search(scope: Scope, text: string): Promise<{ items: SearchHit[] }> {
  const found = await Promise.all([
    searchClients(scope, text),
    searchCases(scope, text),
    searchContacts(scope, text),
    searchFiles(scope, text),
  ]);
  return { items: found.flat() };
}

async function searchClients(scope: Scope, text: string): Promise<SearchHit[]> {
  const clients = await findClients(scope, listClientsSchema.parse({ search: text }), SEARCH_HITS);
  return clients.map(({ id, displayName, email }) => ({
    kind: "client",
    id,
    title: displayName,
    detail: email,
    clientId: id,
  }));
}

async function searchContacts(scope: Scope, text: string): Promise<SearchHit[]> {
  const contacts = await findContacts(scope, listContactsSchema.parse({ search: text }), SEARCH_HITS);
  return contacts.map(({ id, displayName, organisation, email }) => ({
    kind: "contact",
    id,
    title: displayName,
    detail: organisation === displayName ? email : organisation || email,
    clientId: null,
  }));
}

async function searchFiles(scope: Scope, text: string): Promise<SearchHit[]> {
  const files = await findFiles(scope, text, SEARCH_HITS);
  return files.map(({ id, name, clientId }) => ({ kind: "file", id, title: name, detail: "", clientId }));
}

async function searchCases(scope: Scope, text: string): Promise<SearchHit[]> {
  const cases = await findCases(scope, text, SEARCH_HITS);
  return cases.map(({ id, caseRef, status, parties }) => ({
    kind: "case",
    id,
    title: caseRef,
    detail: `${parties.map(({ name }) => name).join(", ")} · ${CASE_STATUS_NAMES[status]}`,
    clientId: parties[0]?.clientId ?? null,
  }));
}
