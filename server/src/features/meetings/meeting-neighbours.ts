// Meetings of one case that touch: whoever comes to one meets at the door who comes to the other.
import { countSides } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { ARRIVALS_APART_MINUTES } from "@app/shared/meeting-safety";
import { isHolding } from "@app/shared/meeting-states";
import { normalForm } from "@app/shared/normal-form";
import type { Span } from "@app/shared/spans";
import mongoose from "mongoose";
import { DAY_MS, MINUTE_MS } from "../../core/clock.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

type Placed = Pick<MeetingDoc, "location" | "arrivals"> & Partial<Pick<MeetingDoc, "rooms">>;
export interface Time {
  startsAt?: Date | string | undefined;
  endsAt?: Date | string | undefined;
}

interface Coming {
  ownerId: string;
  theCase: Case;
  meeting: Placed;
  /** Who comes to it. */
  ids: readonly string[];
  /** When it is held, or each of a series. */
  times: readonly Time[];
  /** What it was before. */
  exceptId: string | null;
  /** Who comes to another meeting of the case. */
  comingTo: (neighbour: MeetingDoc) => readonly string[];
}

/**
 * Who of another side comes to the same place within a quarter of an hour of this meeting, by another meeting of the case.
 * Nobody where it is not held in person.
 */
export async function metAtTheDoor({ ownerId, theCase, exceptId, ...coming }: Coming): Promise<string[]> {
  const { meeting, ids, times, comingTo } = coming;
  if (meeting.location.kind !== "in_person" || ids.length === 0) return [];
  const held = times.flatMap((time) => presenceOf({ ...meeting, ...time }) ?? []);
  const around = held.length === 0 ? [] : await meetingsAround(ownerId, theCase.id, held);
  const near = around.filter(
    (one) =>
      one._id !== exceptId &&
      isHolding(one.status) &&
      one.location.kind === "in_person" &&
      isSamePlace(meeting, one) &&
      areTouching(held, presenceOf(one)),
  );
  const others = new Set(near.flatMap(comingTo).filter((id) => !ids.includes(id)));
  return [...others].filter((id) => countSides(partiesOf(theCase, [...ids, id])) > 1);
}

const partiesOf = ({ parties }: Case, ids: readonly string[]): Case["parties"] =>
  parties.filter(({ partyId }) => ids.includes(partyId));

function meetingsAround(ownerId: string, caseId: string, held: readonly Span[]): Promise<MeetingDoc[]> {
  const from = Math.min(...held.map((one) => one.from)) - DAY_MS;
  const to = Math.max(...held.map((one) => one.to)) + DAY_MS;
  const startsAt = mongoose.trusted({ $gte: new Date(from), $lte: new Date(to) });
  return MeetingModel.find({ ownerId, caseId, startsAt }).lean();
}

/** From when the first of those who come is there; null where nobody has said when it is. */
function presenceOf({ startsAt, endsAt, arrivals }: Time & Pick<MeetingDoc, "arrivals">): Span | null {
  if (startsAt === undefined || endsAt === undefined) return null;
  const early = Math.max(0, ...arrivals.map(({ minutesBefore }) => minutesBefore));
  return { from: new Date(startsAt).getTime() - early * MINUTE_MS, to: new Date(endsAt).getTime() };
}

const APART_MS = ARRIVALS_APART_MINUTES * MINUTE_MS;
const areTouching = (held: readonly Span[], other: Span | null): boolean =>
  other !== null && held.some((one) => one.from < other.to + APART_MS && other.from < one.to + APART_MS);

/** One of which no place is said may be anywhere, and so there too. */
function isSamePlace(one: Placed, other: Placed): boolean {
  const [places, others] = [placesOf(one), placesOf(other)];
  return places.length === 0 || others.length === 0 || places.some((place) => others.includes(place));
}

const placesOf = ({ location, rooms = [] }: Placed): string[] =>
  [location.place, ...rooms.map(({ place }) => place)].map(nameOf).filter((place) => place !== "");

/** However it is written. */
const nameOf = (place: string | undefined): string =>
  normalForm(place ?? "", "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
