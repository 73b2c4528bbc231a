import type { DisclosingParty } from "@app/shared/finances";
import { PartyMarker } from "../../ui/party-marker.tsx";

/** Whose column it is: in sight where the columns stand below each other. */
export function CellName({ party }: { party: Pick<DisclosingParty, "label" | "name"> | undefined }) {
  if (!party) return null;
  return (
    <span className="finance-cell-name">
      <PartyMarker label={party.label} /> {party.name}
    </span>
  );
}
