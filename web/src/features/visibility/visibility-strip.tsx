import type { Visibility } from "@app/shared/visibility";
import { IconEye, IconLock, IconUsers } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { type NamedParty, toneOf, wordsOf } from "./visibility-words.ts";
import "./visibility.css";

interface Props {
  visibility: Visibility;
  parties: readonly NamedParty[];
  time?: string;
  /** Whose words these are, where they were not said in a meeting with them alone. */
  said?: string | undefined;
}

const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

/** The strip on top of what somebody wrote: who can read it, and what that means for everybody else. */
export function VisibilityStrip({ visibility, parties, time, said }: Props) {
  const { who, meaning } = wordsOf(visibility, parties);
  return (
    <div className="visibility-strip" data-tone={toneOf(visibility, parties)}>
      <Sign visibility={visibility} parties={parties} />
      <span className="visibility-who">{said ?? who}</span>
      <span className="visibility-meaning">{meaning}</span>
      {time && <span className="visibility-time">{time}</span>}
    </div>
  );
}

function Sign({ visibility, parties }: Pick<Props, "visibility" | "parties">): ReactNode {
  const { scope, partyIds, aboutPartyIds } = visibility;
  const shown =
    scope === "shared" ? parties : parties.filter(({ partyId }) => [...partyIds, ...aboutPartyIds].includes(partyId));
  if (shown.length === 0) return scope === "mediator" ? <IconLock {...icon} /> : <IconUsers {...icon} />;
  return (
    <>
      {scope === "mediator" && <IconLock {...icon} />}
      {scope === "party" && <IconEye {...icon} />}
      {shown.map(({ partyId, label }) => (
        <PartyMarker key={partyId} label={label} />
      ))}
    </>
  );
}
