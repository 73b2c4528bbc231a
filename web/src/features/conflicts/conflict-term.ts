import type { CreateClient } from "@app/shared/clients";
import type { ConflictTerm } from "@app/shared/conflicts";

/** What a client is looked for by. */
export const termOf = (client: CreateClient): ConflictTerm => ({
  firstName: client.firstName.trim(),
  lastName: client.lastName.trim(),
  knownAs: client.knownAs.trim(),
  organisation: client.organisation.trim(),
  email: client.email.trim(),
  phones: client.phones.map(({ number }) => number.trim()).filter(Boolean),
  dateOfBirth: client.dateOfBirth,
});
