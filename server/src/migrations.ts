// Every step by which stored data came to its shape of today, the oldest first. New ones are added at the end.
import type { Migration } from "./core/migrate.ts";
import { oneFormOfClientAddresses } from "./features/clients/clients.migrations.ts";
import { oneFormOfContactAddresses } from "./features/contacts/contacts.migrations.ts";
import { oneFormOfMailAddresses } from "./features/mailings/mailings.migrations.ts";
import { oneFormOfUserAddresses } from "./features/users/users.migrations.ts";

export const MIGRATIONS: readonly Migration[] = [
  { name: "2026-11-22 addresses of users in one form", run: oneFormOfUserAddresses },
  { name: "2026-11-22 addresses of clients in one form", run: oneFormOfClientAddresses },
  { name: "2026-11-22 addresses of contacts in one form", run: oneFormOfContactAddresses },
  { name: "2026-11-22 addresses of mailings in one form", run: oneFormOfMailAddresses },
];
