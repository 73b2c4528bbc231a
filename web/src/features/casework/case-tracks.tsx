import { ENDED_STATUSES, isSuitable, isTakingPart, sidesTakingPart } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useToday } from "../../core/today.ts";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { daysSince } from "../cases/case-waiting.ts";
import { sidesIn } from "./case-sides.ts";
import { reachedOf } from "./invitation-words.ts";
import { PartyDialog } from "./party-dialog.tsx";
import { PartyTrack } from "./party-track.tsx";

interface Props {
  theCase: Case;
  mayChange: boolean;
}

/** Both parties' ways side by side, and below them what they do together. */
export function CaseTracks({ theCase, mayChange }: Props) {
  const [partyId, setPartyId] = useState<string | null>(null);
  const party = theCase.parties.find((each) => each.partyId === partyId);
  const today = useToday();
  const { data: invitations } = api.casework.invitations.useQuery({ id: theCase.id });
  const reached = (each: Party) => (invitations ? reachedOf(invitations, each, today) : null);
  return (
    <>
      <div className="tracks">
        {theCase.parties.map((each) => (
          <PartyTrack
            key={each.partyId}
            domain={theCase.domain}
            party={each}
            reached={reached(each)}
            isOver={ENDED_STATUSES.includes(theCase.status)}
            waitingDays={theCase.waitingFor === each.partyId ? daysSince(theCase.waitingSince) : null}
            action={
              mayChange && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Next step of ${each.name}`}
                  onClick={() => setPartyId(each.partyId)}
                >
                  Next step
                </Button>
              )
            }
          />
        ))}
      </div>
      <div className="case-together">
        {sidesIn(theCase).map(({ key, name, parties }) => (
          <span key={key} className="case-side" data-named={name !== "" || undefined}>
            {parties.map((each) => (
              <PartyMarker key={each.partyId} label={each.label} />
            ))}
            {name}
          </span>
        ))}
        <strong>Together</strong>
        <span>{together(theCase)}</span>
      </div>
      {party && (
        <PartyDialog
          key={party.partyId}
          theCase={theCase}
          party={party}
          reached={reached(party)}
          onOpen={setPartyId}
          onClose={() => setPartyId(null)}
        />
      )}
    </>
  );
}

function together(theCase: Case): string {
  const { status } = theCase;
  if (sidesIn(theCase).length < 2) return "Add the other participant when you know who it is";
  if (status === "in_mediation") return "Sessions are under way";
  if (status === "paused") return "Mediation is paused";
  if (status === "concluded" || status === "closed") return "Mediation is over";
  if (status === "not_proceeding" || status === "terminated") return "There is no joint work";
  if (sidesTakingPart(theCase.parties) < 2) return "There is no joint work: fewer than two sides take part";
  const isAssessed = theCase.parties.filter(isTakingPart).every(isSuitable);
  return isAssessed
    ? "First session, when all have signed"
    : "First session, when all are found suitable and have signed";
}
