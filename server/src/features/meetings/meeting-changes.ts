// What a change of a meeting means to each party: only whose own part it changed is told of it.
import { isDeepStrictEqual } from "node:util";
import type { Case } from "@app/shared/cases";
import { isHolding } from "@app/shared/meeting-states";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { openFor } from "../visibility/for-party.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";
import { type PartyView, partyViews } from "./meetings.visibility.ts";

/** What a party is to be told: the meeting as it is now, or that it is none of theirs any more, as they knew it. */
export interface PartyChange extends PartyView {
  purpose: "invitation" | "cancellation";
}

const PAST_MAX = 200;

/** What is stored with a change of these details, so that who was away then knows what they knew. To name somebody is to tell them. */
export function pastOf(doc: MeetingDoc, next: MeetingDoc): Pick<MeetingDoc, "changedAt" | "past"> {
  const { type, location, arrivals, partyIds, rooms, others, startsAt, endsAt, past = [] } = doc;
  const isSame = isDeepStrictEqual(toldOf(doc), toldOf(next));
  if (isSame && next.partyIds.every((partyId) => partyIds.includes(partyId))) return {};
  const changedAt = now();
  const before = { until: changedAt, type, location, arrivals, partyIds, rooms, others, startsAt, endsAt };
  // Whoever left after more changes than this is told of none of them.
  return { changedAt, past: [...past, before].slice(0, PAST_MAX) };
}

const toldOf = ({ type, location, arrivals, rooms, others }: MeetingDoc) => [
  type,
  location,
  arrivals,
  rooms,
  // That they signed and whether they came is told to nobody.
  others.map(({ signedOn: _signed, attendance: _came, ...other }) => other),
];

/** Whom a change concerns, each apart; nobody where the meeting is over, or does not take place. */
export async function partyChanges(
  scope: Scope,
  theCase: Case | null,
  { before, after }: { before: MeetingDoc; after: MeetingDoc },
): Promise<PartyChange[]> {
  if (!theCase || !isHolding(before.status) || before.startsAt <= now()) return [];
  const [had, has] = await Promise.all([partyViews(scope, before, theCase), partyViews(scope, after, theCase)]);
  const told = has.filter((view) => !had.some((old) => isSameFor(view, old)));
  const dropped = had.filter(({ party }) => !after.partyIds.includes(party.partyId));
  return [
    ...told.map((view) => ({ ...view, purpose: "invitation" as const })),
    ...dropped.map((view) => ({ ...view, purpose: "cancellation" as const })),
  ];
}

const isSameFor = ({ party: { partyId }, own }: PartyView, other: PartyView): boolean =>
  other.party.partyId === partyId && isDeepStrictEqual(openFor(own, { partyId }), openFor(other.own, { partyId }));
