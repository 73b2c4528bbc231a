import type { Case, Party } from "@app/shared/cases";
import type { Visibility } from "@app/shared/visibility";

/** What is shown of the parties wherever readers are chosen or named. */
export const namesOfParties = (theCase: Case | null) =>
  theCase?.parties.map(({ partyId, label, name }) => ({ partyId, label, name, domain: theCase.domain })) ?? [];

export const firstNameOf = ({ name }: Pick<Party, "name">): string => name.split(" ")[0] ?? name;

/** Whose frame a note wears: the hue, the shape and the pattern of the edge follow from it. */
export function ownerOf(visibility: Visibility, parties: readonly Pick<Party, "partyId" | "label">[]): string {
  const [partyId] = [...visibility.aboutPartyIds, ...visibility.partyIds];
  if (partyId === undefined) return visibility.scope;
  const label = parties.find((party) => party.partyId === partyId)?.label;
  return label === "P1" || label === "P2" ? label.toLowerCase() : "more";
}

/** A new id for something that is made here and may be sent more than once. */

/** What waits for the server, and whether it would survive the end of this page. */
export function notSavedYet(waiting: number, isOnDevice: boolean): string {
  const things = waiting === 1 ? "Not saved yet" : `${waiting} changes not saved yet`;
  if (!isOnDevice) return `${things}: no connection. Keep this page open.`;
  return `${things}: no connection. ${waiting === 1 ? "It is" : "They are"} kept on this device.`;
}
