// Who holds the first meeting of a party. Apart from `team-access`, which every page loads.
import type { Role } from "./access.ts";
import { type CasePlace, hasMiams } from "./case-states.ts";
import { mayMediate } from "./team-access.ts";

/** Whether this person conducts first meetings there: a MIAM only with a number that the owner confirmed. */
export const mayConduct = (place: CasePlace, { role, isAuthorised }: { role: Role; isAuthorised: boolean }): boolean =>
  hasMiams(place) ? isAuthorised : mayMediate(role);
