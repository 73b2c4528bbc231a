import type { ImportKind } from "@app/shared/import-states";
import type { Scope } from "../../core/trpc.ts";
import { casesSeenAmong, importedCases, removeCases } from "../cases/cases-import.service.ts";
import { importedClients, removeClients } from "../clients/clients-import.service.ts";
import { visibleAmong } from "../clients/clients.service.ts";
import { importedMeetings, meetingsSeenAmong, removeMeetings } from "../meetings/meetings-import.service.ts";
import { contactsSeenAmong, importedContacts, removeContacts } from "../contacts/contacts-import.service.ts";
import { keepEntriesOf } from "../safeguarding/safeguarding.service.ts";
import { caseImporter } from "./import-cases.ts";
import { clientImporter } from "./import-clients.ts";
import { contactImporter } from "./import-contacts.ts";
import { meetingImporter } from "./import-meetings.ts";
import { usedCases, usedClients, usedContacts, usedMeetings } from "./import-usage.ts";
import type { Importer } from "./importer.ts";

/** A record that an import made, as it stands now. */
export interface MadeRecord {
  name: string;
  isChanged: boolean;
}

interface Kind extends Importer {
  /** Those of these records that are still there. */
  find(scope: Scope, ids: string[]): Promise<Map<string, MadeRecord>>;
  /** Those of them that this person sees now. */
  seenAmong(scope: Scope, ids: string[]): Promise<Set<string>>;
  /** Those of them that something else now builds on. */
  findUsed(scope: Scope, ids: string[]): Promise<Set<string>>;
  remove(scope: Scope, ids: string[]): Promise<void>;
}

const KINDS: Record<ImportKind, Kind> = {
  clients: {
    ...clientImporter,
    find: importedClients,
    seenAmong: visibleAmong,
    findUsed: usedClients,
    remove: removeClients,
  },
  contacts: {
    ...contactImporter,
    find: importedContacts,
    seenAmong: contactsSeenAmong,
    findUsed: usedContacts,
    remove: removeContacts,
  },
  cases: {
    ...caseImporter,
    find: importedCases,
    seenAmong: casesSeenAmong,
    findUsed: usedCases,
    remove: async (scope, ids) => keepEntriesOf(scope, await removeCases(scope, ids)),
  },
  meetings: {
    ...meetingImporter,
    find: importedMeetings,
    seenAmong: meetingsSeenAmong,
    findUsed: usedMeetings,
    remove: removeMeetings,
  },
};

export const kindOf = (name: ImportKind): Kind => KINDS[name];
