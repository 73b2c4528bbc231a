// The states of a meeting and its kinds. Free of zod.
import { type CasePlace, firstMeetingName, type PartyStatus, wasAssessed } from "./case-states.ts";
import type { MediatorType } from "./regions.ts";

export const MEETING_STATUSES = [
  "proposed",
  "booked",
  "confirmed",
  "completed",
  "no_show",
  "cancelled",
  "rescheduled",
  "expired",
] as const;
export type MeetingStatus = (typeof MEETING_STATUSES)[number];

export const MEETING_STATUS_NAMES = {
  proposed: "Proposed",
  booked: "Booked",
  confirmed: "Confirmed",
  completed: "Completed",
  no_show: "No-show",
  cancelled: "Cancelled",
  rescheduled: "Rescheduled",
  expired: "Expired",
} as const satisfies Record<MeetingStatus, string>;

/** What a party's calendar answered to the invitation as it stands now. */
export const INVITATION_REPLIES = ["accepted", "tentative", "declined"] as const;
export type InvitationReply = (typeof INVITATION_REPLIES)[number];

export const INVITATION_REPLY_NAMES = {
  accepted: "Accepted",
  tentative: "Maybe",
  declined: "Declined",
} as const satisfies Record<InvitationReply, string>;

export const MEETING_TRANSITIONS: Record<MeetingStatus, readonly MeetingStatus[]> = {
  proposed: ["booked", "expired", "cancelled"],
  booked: ["confirmed", "completed", "no_show", "cancelled", "rescheduled"],
  confirmed: ["completed", "no_show", "cancelled", "rescheduled"],
  completed: [],
  no_show: ["rescheduled"],
  cancelled: [],
  rescheduled: [],
  expired: [],
};

/** These hold the mediators' time. */
export const HOLDING_STATUSES: readonly MeetingStatus[] = ["proposed", "booked", "confirmed"];
/** Another took its place, or its time was never taken: it stays as what was planned. */
export const isDropped = (status: MeetingStatus): boolean => status === "rescheduled" || status === "expired";
export const isHolding = (status: MeetingStatus): boolean => HOLDING_STATUSES.includes(status);

export const MEETING_TYPES = [
  "miam",
  "mediation",
  "cim",
  "call",
  "supervision",
  "pre_meeting",
  "shuttle",
  "other",
] as const;
export type MeetingType = (typeof MEETING_TYPES)[number];

/** The parties mediate there; nobody does at a meeting of any other type. */
export const MEDIATING: readonly MeetingType[] = ["mediation", "shuttle"];
const WITHOUT_PARTIES: readonly MeetingType[] = ["cim", "supervision"];
/** Whether parties are named for it: children are seen without their parents, and supervision is the mediator's own. */
export const takesParties = (type: MeetingType): boolean => !WITHOUT_PARTIES.includes(type);

export const MEETING_TYPE_NAMES = {
  miam: "Assessment meeting",
  mediation: "Mediation",
  cim: "Child-inclusive meeting",
  call: "Call",
  supervision: "Supervision",
  pre_meeting: "Pre-meeting",
  shuttle: "Shuttle mediation",
  other: "Other",
} as const satisfies Record<MeetingType, string>;

/** The same in a case: its first meetings have their own name there. */
export const meetingTypeName = (type: MeetingType, place: CasePlace | null): string =>
  type === "miam" && place ? firstMeetingName(place) : MEETING_TYPE_NAMES[type];

const INDIVIDUAL: readonly MeetingType[] = ["miam", "call", "pre_meeting", "other"];
/** Whether it is for one party by themselves, and no mediation: nobody else hears of it. */
export const isForOneAlone = ({ type, partyIds }: { type: MeetingType; partyIds: readonly string[] }): boolean =>
  partyIds.length === 1 && INDIVIDUAL.includes(type);

const OF_ALL: readonly MeetingType[] = ["mediation", "pre_meeting", "shuttle", "call", "supervision", "other"];
const OFFERED: Record<MediatorType, readonly MeetingType[]> = {
  family: ["miam", "mediation", "cim", ...OF_ALL.slice(1)],
  workplace: OF_ALL,
  civil: OF_ALL,
  community: OF_ALL,
  other: MEETING_TYPES,
};

/** What is offered to a practice that mediates this, or in a case of that; `kept` is what a meeting has already. */
export const meetingTypesFor = (mediates: MediatorType, domain?: MediatorType, kept?: MeetingType): MeetingType[] =>
  MEETING_TYPES.filter((type) => OFFERED[domain ?? mediates].includes(type) || type === kept);

/** What a meeting is until somebody says otherwise: with one person the first unless it was held, with several the mediation. */
export function usualMeetingType(mediates: MediatorType, coming: readonly { status: PartyStatus }[]): MeetingType {
  const [one] = coming;
  if (!one || coming.length > 1) return "mediation";
  return OFFERED[mediates].includes("miam") && !wasAssessed(one) ? "miam" : "pre_meeting";
}

/** Which of the six calendar colours a type has. */
export const MEETING_TYPE_COLOURS = {
  miam: 1,
  mediation: 2,
  cim: 3,
  call: 4,
  supervision: 5,
  pre_meeting: 6,
  shuttle: 2,
  other: 4,
} as const satisfies Record<MeetingType, number>;
