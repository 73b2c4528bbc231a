// Every step by which stored data came to its shape of today, the oldest first. New ones are added at the end.
import type { Migration } from "./core/migrate.ts";
import { teamsOfCases } from "./features/cases/cases.migrations.ts";
import { oneFormOfClientAddresses } from "./features/clients/clients.migrations.ts";
import { oneFormOfContactAddresses } from "./features/contacts/contacts.migrations.ts";
import { whoStartedImports } from "./features/imports/imports.migrations.ts";
import { oneFormOfMailAddresses } from "./features/mailings/mailings.migrations.ts";
import { oneFormOfUserAddresses } from "./features/users/users.migrations.ts";

export const MIGRATIONS: readonly Migration[] = [
  { name: "2026-11-22 addresses of users in one form", run: oneFormOfUserAddresses },
  { name: "2026-11-22 addresses of clients in one form", run: oneFormOfClientAddresses },
  { name: "2026-11-22 addresses of contacts in one form", run: oneFormOfContactAddresses },
  { name: "2026-11-22 addresses of mailings in one form", run: oneFormOfMailAddresses },
  { name: "2026-11-22 who works on a case is a fact of the case", run: teamsOfCases },
  { name: "2026-11-22 imports know who chose the file and who started them", run: whoStartedImports },
];
