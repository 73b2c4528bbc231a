// Who has to agree before parties read a file who do not read it yet. The same for the page and the server.
import { mayHoldFinances } from "./confidences.ts";
import type { Case } from "./cases.ts";
import type { StoredFile } from "./files.ts";
import { staysInCase } from "./privileges.ts";
import { mustConsent, wasThere } from "./visibility.ts";

type Of = Pick<Case, "domain" | "confidences" | "newAgreement" | "parties">;
type Released = Pick<StoredFile, "visibility" | "mark" | "isOurOwn">;
type Shared = Pick<StoredFile, "visibility" | "mark" | "isOfAllParties" | "createdAt" | "changedAt">;

/** In whose confidence it is: a paper of the practice's own is in nobody's. Financial disclosure for one person's eyes is in nobody's where it is open to the others. */
export function releasersOf(theCase: Of | null, { visibility, mark, isOurOwn }: Released): readonly string[] {
  const { aboutPartyIds, partyIds } = visibility;
  if (isOurOwn && !mark.isFinancial && aboutPartyIds.length === 0) return [];
  const isOpen = mark.isFinancial && aboutPartyIds.length === 0;
  return theCase && isOpen && !mayHoldFinances(theCase, { aboutPartyIds: partyIds }) ? [] : mustConsent(visibility);
}

/**
 * Who shared it among themselves, as what is to stay there, before somebody joined who is in the case now: one of them
 * has to agree that it goes to those too. Nobody, where all have it, or it is not marked so.
 */
export function sharersOf(
  theCase: Pick<Case, "parties"> | null,
  { visibility, mark, isOfAllParties, createdAt, changedAt }: Shared,
): string[] {
  if (!theCase || !isOfAllParties || !staysInCase(mark.privilege) || mustConsent(visibility).length > 0) return [];
  const had = (party: Case["parties"][number]) => wasThere(party, { since: createdAt, changedAt });
  const isComplete = theCase.parties.every((party) => party.leftAt !== null || had(party));
  return isComplete ? [] : theCase.parties.filter(had).map(({ partyId }) => partyId);
}

/** Whether this mark opens to all what only some parties may read: open finances are released without a consent. */
export const opensFinances = (
  before: Pick<StoredFile, "mark" | "visibility" | "isOfAllParties">,
  { isFinancial }: Pick<StoredFile["mark"], "isFinancial">,
): boolean => isFinancial && !before.mark.isFinancial && !before.isOfAllParties && before.visibility.scope === "party";
