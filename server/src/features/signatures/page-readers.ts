// Who reads the page of signatures, which names each party who signed: nobody who has not been told of all of them.
import type { Case, Party } from "@app/shared/cases";
import { mayBeNamedTo } from "@app/shared/told-parties";
import { mayPartyRead, PRACTICE_ONLY, type Readable, type Visibility } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";

/** Those who would read a paper of these readers that is made now. */
const readersOf = ({ parties }: Case, visibility: Visibility): Party[] =>
  parties.filter((party) => mayPartyRead({ visibility, since: now(), changedAt: now() }, party));

const untoldOf = (theCase: Case, reader: Party, signing: readonly Party[]): Party | null =>
  signing.find((other) => !mayBeNamedTo(theCase, reader, other)) ?? null;

/** Throws where somebody who signs it, or may read it, has not been told yet of a party who signs it. */
export function assertToldOfSigners(theCase: Case, visibility: Visibility, signing: readonly Party[]): void {
  for (const reader of readersOf(theCase, visibility)) {
    const other = untoldOf(theCase, reader, signing);
    if (other)
      throw badField(
        "signers",
        `${reader.name} (${reader.label}) may read this file and has not been told yet that ${other.name} (${other.label}) takes part, and everybody who signs it is named at its end. Send each of them a file that they alone may read, record that ${other.label} agrees to be named, or wait until they have signed the agreement to mediate.`,
      );
  }
}

interface Source {
  readable: Readable;
  /** The parties who signed it. */
  partyIds: readonly string[];
}

/** Who may read it with the page of signatures: of those who may read what was signed, whoever was told of all of them. */
export function signedVisibility(theCase: Case, { readable, partyIds }: Source): Visibility {
  const { visibility } = readable;
  const signed = theCase.parties.filter(({ partyId }) => partyIds.includes(partyId));
  const readers = readersOf(theCase, visibility);
  // Whoever joined while it was signed does not read what it was made from.
  const told = readers.filter((party) => mayPartyRead(readable, party) && untoldOf(theCase, party, signed) === null);
  if (told.length === readers.length) return visibility;
  if (told.length === 0) return { ...PRACTICE_ONLY, aboutPartyIds: visibility.aboutPartyIds };
  return { ...visibility, scope: "party", partyIds: told.map(({ partyId }) => partyId) };
}
