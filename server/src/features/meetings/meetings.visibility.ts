// What one party gets of a meeting, by whatever way: only their own part, and never that anybody else comes.
import type { Case, Party } from "@app/shared/cases";
import { MEETING_TYPE_NAMES, type MeetingStatus, type MeetingType } from "@app/shared/meeting-states";
import { forParty, type PartyReader, type Visibility } from "@app/shared/visibility";
import { MINUTE_MS } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { clientBriefs } from "../clients/clients.service.ts";
import { type ForParty, partyOf, type Recipient, sealFor } from "../visibility/for-party.service.ts";
import type { MeetingDoc, PastDetails } from "./meetings.model.ts";

export interface PartyMeeting {
  id: string;
  title: string;
  /** When this party is to arrive, which may be another time than the other's. */
  startsAt: Date;
  endsAt: Date;
  location: string;
  /** Empty where it stands. */
  change: string;
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

export const NEUTRAL_TITLE = "Appointment";
/** What became of it, where it does not take place as it stands. */
const CHANGES: Partial<Record<MeetingStatus, string>> = {
  cancelled: "Cancelled",
  rescheduled: "Moved to another time",
  expired: "Not booked",
};

export interface PartyView {
  party: Party;
  own: ForParty<PartyMeeting>;
}

/**
 * The meeting as this party may know it; null where they have no part in it. Neutral for somebody who may only be
 * reached in a certain way: whoever looks over their shoulder learns of an appointment and nothing else.
 */
export function meetingFor(meeting: MeetingDoc, to: Recipient, isNeutral: boolean): ForParty<PartyMeeting> | null {
  const { partyId } = to;
  const known = meeting.partyIds.includes(partyId) ? asKnownTo(meeting, partyOf(to)) : null;
  if (!known) return null;
  const visibility = forParty(partyId);
  const arrival = known.arrivals.find((one) => one.partyId === partyId);
  const { kind, place } = known.location;
  const own = {
    id: meeting._id,
    title: isNeutral ? NEUTRAL_TITLE : TITLES[known.type],
    startsAt: new Date(known.startsAt.getTime() - (arrival?.minutesBefore ?? 0) * MINUTE_MS),
    endsAt: known.endsAt,
    location: [LOCATIONS[kind], place].filter(Boolean).join(": "),
    change: CHANGES[meeting.status] ?? "",
    visibility,
  };
  return sealFor(to, own, [{ visibility, since: meeting.createdAt, changedAt: meeting.updatedAt }]);
}

/** Who has left the case knows their meetings as they stood then; that one does not take place they are told all the same. */
function asKnownTo(meeting: MeetingDoc, { leftAt }: PartyReader): Omit<PastDetails, "until"> | null {
  if (leftAt === null) return meeting;
  const { createdAt, changedAt = createdAt, past = [] } = meeting;
  const left = new Date(leftAt);
  if (createdAt > left) return null;
  return past.find(({ until }) => until > left) ?? (changedAt <= left ? meeting : null);
}

/** The meeting as each party who comes may know it, apart. */
export async function partyViews(scope: Scope, meeting: MeetingDoc, theCase: Case): Promise<PartyView[]> {
  const clients = await clientBriefs(scope, meeting.clientIds);
  return theCase.parties.flatMap((party) => {
    const isNeutral = clients.get(party.clientId)?.isRestricted ?? true;
    const own = meetingFor(meeting, { theCase, partyId: party.partyId }, isNeutral);
    return own ? [{ party, own }] : [];
  });
}
