import { sideOf } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";

export interface Side {
  key: string;
  /** Empty for somebody who stands alone. */
  name: string;
  parties: Party[];
}

/** The parties, those who stand together as one; in the order of the first of each. */
export function sidesIn({ parties }: Pick<Case, "parties">): Side[] {
  const sides = new Map<string, Side>();
  for (const party of parties) {
    const key = sideOf(party);
    const side = sides.get(key);
    if (side) side.parties.push(party);
    else sides.set(key, { key, name: party.side, parties: [party] });
  }
  return [...sides.values()];
}

export const sidesNamed = (theCase: Pick<Case, "parties">): string[] =>
  sidesIn(theCase).flatMap(({ name }) => (name === "" ? [] : [name]));
