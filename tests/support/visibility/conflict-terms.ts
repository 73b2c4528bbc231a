import type { ConflictTerm } from "@app/shared/conflicts";

/** Whom a conflict check looks for. */
export const aTerm = (overrides: Partial<ConflictTerm> = {}): ConflictTerm => ({
  firstName: "",
  lastName: "",
  knownAs: "",
  organisation: "",
  email: "",
  phones: [],
  dateOfBirth: "",
  ...overrides,
});
