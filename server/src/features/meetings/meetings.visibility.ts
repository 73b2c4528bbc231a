// What one party gets of a meeting, by whatever way: only their own part, and never that anybody else comes.
import type { Case } from "@app/shared/cases";
import { MEETING_TYPE_NAMES, type MeetingType } from "@app/shared/meeting-states";
import { forParty, type Visibility } from "@app/shared/visibility";
import { MINUTE_MS } from "../../core/clock.ts";
import { type ForParty, type Recipient, sealFor } from "../visibility/for-party.ts";
import type { MeetingDoc } from "./meetings.model.ts";

export interface PartyMeeting {
  id: string;
  title: string;
  /** When this party is to arrive, which may be another time than the other's. */
  startsAt: Date;
  endsAt: Date;
  location: string;
  visibility: Visibility;
}

/** The words for a party: the kind of meeting, never its title, which is the practice's own. */
const TITLES: Record<MeetingType, string> = {
  ...MEETING_TYPE_NAMES,
  shuttle: "Mediation",
  other: "Appointment",
  cim: "Appointment",
};

const LOCATIONS = { in_person: "In person", video: "By video", phone: "By phone" } as const;

/** The meeting as this party may know it; null where they have no part in it. */
export function meetingFor(meeting: MeetingDoc, to: Recipient): ForParty<PartyMeeting> | null {
  const { partyId } = to;
  if (!meeting.partyIds.includes(partyId)) return null;
  const visibility = forParty(partyId);
  const arrival = meeting.arrivals.find((one) => one.partyId === partyId);
  const { kind, place } = meeting.location;
  const own = {
    id: meeting._id,
    title: TITLES[meeting.type],
    startsAt: new Date(meeting.startsAt.getTime() - (arrival?.minutesBefore ?? 0) * MINUTE_MS),
    endsAt: meeting.endsAt,
    location: [LOCATIONS[kind], place].filter(Boolean).join(": "),
    visibility,
  };
  return sealFor(to, own, [{ visibility, since: meeting.createdAt }]);
}

/** Who may read that this meeting took place or changed: each who comes, apart. */
export function visibilitiesOf(meeting: MeetingDoc, theCase: Case | null): Visibility[] {
  const partyIds = theCase ? meeting.partyIds : [];
  return partyIds.map(forParty);
}
