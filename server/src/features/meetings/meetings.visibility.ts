// What one party gets of a meeting, by whatever way: only their own part, and never that anybody else comes.
import type { Case, Party } from "@app/shared/cases";
import type { BookedRoom } from "@app/shared/meeting-others";
import { isForOneAlone, MEETING_TYPE_NAMES, type MeetingStatus, type MeetingType } from "@app/shared/meeting-states";
import { forParty, type PartyReader, type Visibility, wasThere } from "@app/shared/visibility";
import { MINUTE_MS } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { clientBriefs } from "../clients/clients.service.ts";
import { isNeutralFor, NEUTRAL_TITLE } from "../clients/neutral-words.service.ts";
import { neutralPlaceOf } from "../mail/stand-in.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { type ForParty, partyOf, type Recipient, sealFor } from "../visibility/for-party.service.ts";
import { othersOfParty, type Standing, standingIn } from "./meeting-others.service.ts";
import { roomsOfParty } from "./meeting-rooms.ts";
import type { MeetingDoc, PastDetails } from "./meetings.model.ts";

export interface PartyMeeting {
  id: string;
  title: string;
  /** When this party is to arrive, which may be another time than the other's. */
  startsAt: Date;
  endsAt: Date;
  location: string;
  /** Who comes for this party or for all beside the parties and mediators; nobody where it is to be neutral. */
  people: string[];
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

export const LOCATIONS = { in_person: "In person", video: "By video", phone: "By phone" } as const;

/** What became of it, where it does not take place as it stands. */
const CHANGES: Partial<Record<MeetingStatus, string>> = {
  cancelled: "Cancelled",
  rescheduled: "Moved to another time",
  expired: "Not booked",
};
export const isOff = (status: MeetingStatus): boolean => status in CHANGES;

export interface KnownMeeting {
  own: ForParty<PartyMeeting>;
  /** Is in the case, and knows it as it stands: only they are told what becomes of it, but that it is off. */
  isFollowing: boolean;
}

export interface PartyView extends KnownMeeting {
  party: Party;
}

/** What somebody must not be told of a meeting that is theirs. */
export interface Discretion {
  /** Not to be named to somebody who may only be reached in a certain way; null where it may be. */
  unnamed: string | null;
  standing: Standing;
}

export const NO_DISCRETION: Discretion = { unnamed: null, standing: new Map() };

export const discretionFor = async (scope: Scope, caseId: string, isNeutral: boolean): Promise<Discretion> => ({
  unnamed: isNeutral ? await practiceNameOf(scope.ownerId) : null,
  standing: await standingIn(scope, caseId),
});

export const discretionTo = async (scope: Scope, to: Recipient): Promise<Discretion> =>
  discretionFor(scope, to.theCase.id, await isNeutralFor(scope, to));

/**
 * The meeting as this party may know it; null where they have no part in it. Neutral for somebody who may only be
 * reached in a certain way: whoever looks over their shoulder learns of an appointment and nothing else.
 */
export function meetingFor(meeting: MeetingDoc, to: Recipient, discretion: Discretion): KnownMeeting | null {
  const { partyId } = to;
  const { unnamed, standing } = discretion;
  const party = partyOf(to);
  const told = tellingsOf(meeting);
  // Booked with whoever had left already, it is theirs to know.
  const isTheirs = isForOneAlone(meeting) && party.leftAt !== null && meeting.createdAt > new Date(party.leftAt);
  const known = meeting.partyIds.includes(partyId)
    ? told.findLast((telling) => isTheirs || wasTold(telling, party))
    : undefined;
  if (!known) return null;
  const visibility = forParty(partyId);
  const isNeutral = unnamed !== null;
  const { kind, place } = known.location;
  const own = {
    id: meeting._id,
    title: isNeutral ? NEUTRAL_TITLE : TITLES[known.type],
    startsAt: arrivalOf(known, partyId),
    endsAt: known.endsAt,
    location: [LOCATIONS[kind], placeFor(partyId, { place, rooms: known.rooms }, unnamed)].filter(Boolean).join(": "),
    people: isNeutral ? [] : othersOfParty(known.others ?? [], partyId, standing),
    change: CHANGES[meeting.status] ?? "",
    visibility,
  };
  return {
    own: sealFor(to, own, [{ visibility, since: known.at, changedAt: known.at }]),
    isFollowing: (party.leftAt === null || isTheirs) && known === told.at(-1),
  };
}

/** Where this party goes: to their own rooms and everybody's. */
function placeFor(
  partyId: string,
  { place, rooms = [] }: { place: string; rooms: readonly BookedRoom[] | undefined },
  unnamed: string | null,
): string {
  const own = roomsOfParty(rooms, partyId).flatMap((room) => [room.name, room.place]);
  const whole = [...own, place].filter(Boolean).join(", ");
  return unnamed === null ? whole : neutralPlaceOf(unnamed, whole);
}

/** When this party is to come to what they were told of. */
export function arrivalOf({ startsAt, arrivals }: Pick<MeetingDoc, "startsAt" | "arrivals">, partyId: string): Date {
  const arrival = arrivals.find((one) => one.partyId === partyId);
  return new Date(startsAt.getTime() - (arrival?.minutesBefore ?? 0) * MINUTE_MS);
}

/** What those who come were told of a meeting at one time. */
interface Telling extends Omit<PastDetails, "until"> {
  at: Date;
}

/** Each that there was, the newest last. */
function tellingsOf(meeting: MeetingDoc): Telling[] {
  const { createdAt, changedAt = createdAt, past = [] } = meeting;
  const before = past.map((details, index) => ({ ...details, at: past[index - 1]?.until ?? createdAt }));
  return [...before, { ...meeting, at: changedAt }];
}

/**
 * Whether it named them, and they were in the case when it was told, so that whoever was away knows what they knew
 * before; what is corrected after a meeting was held tells of it only to those who were there then too. Who joined later
 * is told by being named.
 */
function wasTold({ at, startsAt, partyIds }: Telling, party: PartyReader): boolean {
  if (!partyIds.includes(party.partyId)) return false;
  return wasThere({ ...party, joinedAt: null }, { since: startsAt < at ? startsAt : at, changedAt: at });
}

/** The meeting as each party who comes may know it, apart. */
export async function partyViews(scope: Scope, meeting: MeetingDoc, theCase: Case): Promise<PartyView[]> {
  const clients = await clientBriefs(scope, meeting.clientIds);
  const discretion = await discretionFor(scope, theCase.id, true);
  return theCase.parties.flatMap((party) => {
    const isNeutral = clients.get(party.clientId)?.isRestricted ?? true;
    const known = meetingFor(
      meeting,
      { theCase, partyId: party.partyId },
      isNeutral ? discretion : { ...discretion, unnamed: null },
    );
    return known ? [{ party, ...known }] : [];
  });
}
