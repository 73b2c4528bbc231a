import { CASE_STATUS_NAMES } from "@app/shared/case-states";
import type { CaseRow } from "@app/shared/case-rows";
import { SEARCH_HITS, type SearchHit, type SearchHits } from "@app/shared/search";
import type { Scope } from "../../core/trpc.ts";
import { mayBeMistyped, type Typed } from "../../core/word-search.ts";
import { findCaseRows, findCases } from "../cases/cases.service.ts";
import { clientNames, findClients } from "../clients/clients.service.ts";
import { findContacts } from "../contacts/contacts.service.ts";
import { findFiles } from "../files/file-lists.service.ts";

/**
 * Clients, cases, contacts and files that begin with what was typed, as far as this person may see them; where there
 * are none, those that may have been meant.
 */
export async function search(scope: Scope, text: string): Promise<SearchHits> {
  const items = await findAll(scope, { text, spelling: "exact" });
  if (items.length > 0 || !mayBeMistyped(text)) return { items, isNear: false };
  return { items: await findAll(scope, { text, spelling: "near" }), isNear: true };
}

async function findAll(scope: Scope, typed: Typed): Promise<SearchHit[]> {
  const found = await Promise.all([
    searchClients(scope, typed),
    searchCases(scope, typed),
    searchContacts(scope, typed),
    searchFiles(scope, typed),
  ]);
  return found.flat();
}

async function searchClients(scope: Scope, typed: Typed): Promise<SearchHit[]> {
  const clients = await findClients(scope, typed, SEARCH_HITS);
  return clients.map(({ id, displayName, email }) => ({
    kind: "client",
    id,
    title: displayName,
    detail: email,
    clientId: id,
  }));
}

async function searchContacts(scope: Scope, typed: Typed): Promise<SearchHit[]> {
  const contacts = await findContacts(scope, typed, SEARCH_HITS);
  return contacts.map(({ id, displayName, organisation, email }) => ({
    kind: "contact",
    id,
    title: displayName,
    detail: organisation === displayName ? email : organisation || email,
    clientId: null,
  }));
}

async function searchFiles(scope: Scope, typed: Typed): Promise<SearchHit[]> {
  const files = await findFiles(scope, typed, SEARCH_HITS);
  const [names, cases] = await Promise.all([
    clientNames(scope, [...new Set(files.flatMap(({ clientId }) => clientId ?? []))]),
    findCaseRows(scope, [...new Set(files.flatMap(({ caseId }) => caseId ?? []))]),
  ]);
  return files.map(({ id, name, clientId, caseId }) => {
    const theCase = cases.find((each) => each.id === caseId);
    const whose = theCase ? `${theCase.caseRef} · ${partyNames(theCase)}` : (names.get(clientId ?? "") ?? "");
    return { kind: "file", id, title: name, detail: whose, clientId: clientId ?? firstClientOf(theCase) };
  });
}

async function searchCases(scope: Scope, typed: Typed): Promise<SearchHit[]> {
  const cases = await findCases(scope, typed, SEARCH_HITS);
  return cases.map((theCase) => ({
    kind: "case",
    id: theCase.id,
    title: theCase.caseRef,
    detail: `${partyNames(theCase)} · ${CASE_STATUS_NAMES[theCase.status]}`,
    clientId: firstClientOf(theCase),
  }));
}

const partyNames = ({ parties }: CaseRow): string => parties.map(({ name }) => name).join(", ");

const firstClientOf = (theCase: CaseRow | undefined): string | null => theCase?.parties[0]?.clientId ?? null;
