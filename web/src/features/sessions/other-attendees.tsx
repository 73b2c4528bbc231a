import { OTHER_ROLE_NAMES } from "@app/shared/meeting-others";
import type { Party } from "@app/shared/cases";
import { can } from "@app/shared/access";
import { forParty, PRACTICE_ONLY } from "@app/shared/visibility";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";
import { OtherAttendance } from "../people/other-attendance.tsx";
import { ownerOf } from "../notes/note-words.ts";
import { useCockpit } from "./cockpit-context.ts";

/** Who is here beside the parties, as the meeting of this session says. */
export function OtherAttendees() {
  const { session, theCase, isOpen } = useCockpit();
  const mayManage = can(useCurrentUser(), "calendar.manage") && isOpen;
  const { meetingId } = session;
  const meeting = api.meetings.get.useQuery({ id: meetingId ?? "" }, { enabled: meetingId !== null });
  if (meetingId === null) return null;
  return meeting.data?.others.map((other) => (
    <li
      key={other.personId}
      className="cockpit-attendee"
      data-owner={ownerOf(other.partyId === null ? PRACTICE_ONLY : forParty(other.partyId), theCase.parties)}
    >
      <div className="cockpit-attendee-name">
        <MarkerOf partyId={other.partyId} parties={theCase.parties} />
        {other.name}, {OTHER_ROLE_NAMES[other.role].toLowerCase()}
      </div>
      <OtherAttendance meetingId={meetingId} other={other} mayManage={mayManage} />
    </li>
  ));
}

/** For whom they come; nothing for everybody. */
function MarkerOf({ partyId, parties }: { partyId: string | null; parties: readonly Party[] }) {
  const party = parties.find((each) => each.partyId === partyId);
  return (
    party && (
      <>
        <PartyMarker label={party.label} />{" "}
      </>
    )
  );
}
