// What a meeting does for the safety of those who come. Free of zod.
import { MEDIATING, type MeetingType } from "./meeting-states.ts";
import type { Measure } from "./screenings.ts";

/** What is arranged for a meeting beside its kind, its place and the arrivals. */
export const ARRANGEMENTS = ["separate_rooms", "support_person"] as const;
export type Arrangement = (typeof ARRANGEMENTS)[number];
export const ARRANGEMENT_NAMES = {
  separate_rooms: "Separate rooms",
  support_person: "Somebody may bring a supporter",
} as const satisfies Record<Arrangement, string>;

/** How far apart people arrive who must not meet at the door. */
export const ARRIVALS_APART_MINUTES = 15;

interface Planned {
  type: MeetingType;
  location: { kind: "in_person" | "video" | "phone" };
  partyIds: readonly string[];
  arrivals: readonly { partyId: string; minutesBefore: number }[];
  arrangements: readonly Arrangement[];
  /** Whose each room is; nobody named is everybody's. */
  rooms?: readonly { partyIds: readonly string[] }[];
}

/** Who meets whom: those who are named, and in a mediation that names nobody all who take part. */
export const whoMeets = (
  { type, partyIds }: Pick<Planned, "type" | "partyIds">,
  takingPartIds: readonly string[],
): readonly string[] => (partyIds.length === 0 && MEDIATING.includes(type) ? takingPartIds : partyIds);

/** The measures that this meeting goes without; those that no meeting is planned by are kept in another way. */
export const unkeptMeasures = (measures: readonly Measure[], meeting: Planned): Measure[] =>
  measures.filter((measure) => !isKept(measure, meeting));

function isKept(measure: Measure, planned: Planned): boolean {
  const { type, location, partyIds, arrivals, arrangements } = planned;
  switch (measure) {
    case "online_only":
      return location.kind !== "in_person";
    case "shuttle":
      return type === "shuttle";
    case "separate_rooms":
      return (type === "shuttle" || arrangements.includes("separate_rooms")) && haveRooms(planned);
    case "support_person":
      return arrangements.includes("support_person");
    case "separate_arrivals": {
      const before = partyIds.map((id) => arrivals.find(({ partyId }) => partyId === id)?.minutesBefore ?? 0);
      return location.kind !== "in_person" || (before.length > 1 && areApart(before));
    }
    case "no_contact_details":
    case "other":
      return true;
  }
}

const areApart = (minutes: readonly number[]): boolean =>
  minutes
    .toSorted((one, other) => one - other)
    .every((one, index, sorted) => index === 0 || one - (sorted[index - 1] ?? 0) >= ARRIVALS_APART_MINUTES);

/** Where rooms are booked, each party has one, and none is for all of them. */
function haveRooms({ location, partyIds, rooms = [] }: Planned): boolean {
  if (location.kind !== "in_person" || rooms.length === 0) return true;
  const own = rooms.filter((room) => room.partyIds.length > 0 && !partyIds.every((id) => room.partyIds.includes(id)));
  return partyIds.every((id) => own.some((room) => room.partyIds.includes(id)));
}
