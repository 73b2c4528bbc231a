import type { Visibility } from "@app/shared/visibility";
import { IconLock, IconUsers } from "@tabler/icons-react";
import { PartyMarker } from "../../ui/party-marker.tsx";
import "./visibility.css";

interface Props {
  visibility: Visibility;
  parties: readonly { partyId: string; label: string }[];
}

/** Who can read an entry, small enough for a row: markers, with the words for a screen reader. */
export function Readers({ visibility, parties }: Props) {
  const { scope, partyIds } = visibility;
  const readers = scope === "shared" ? parties : parties.filter(({ partyId }) => partyIds.includes(partyId));
  if (scope === "mediator") return <IconLock size={14} stroke={1.7} role="img" aria-label="Only the mediators" />;
  if (readers.length === 0) return <IconUsers size={14} stroke={1.7} role="img" aria-label="The practice, no party" />;
  return (
    <span className="readers">
      {readers.map(({ partyId, label }) => (
        <PartyMarker key={partyId} label={label} />
      ))}
    </span>
  );
}
