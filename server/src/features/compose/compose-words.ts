import type { Party } from "@app/shared/cases";
import type { Visibility } from "@app/shared/visibility";

/** Who may read a file, as a sentence. */
export function readersText(
  { scope, partyIds, aboutPartyIds }: Visibility,
  parties: readonly Pick<Party, "partyId" | "label" | "name">[],
): string {
  if (scope === "shared") return "All participants may read it.";
  if (scope === "mediator") return "Only the mediators may read it.";
  const ids = scope === "party" ? partyIds : aboutPartyIds;
  const names = parties
    .filter(({ partyId }) => ids.includes(partyId))
    .map(({ name, label }) => `${name.split(" ")[0] ?? name} (${label})`)
    .join(" and ");
  if (scope === "party") return `It may be read only by ${names}.`;
  return names ? `It is kept by the practice, in confidence of ${names}.` : "Only the practice may read it.";
}
