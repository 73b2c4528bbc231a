// In which cases somebody is not safe, as their screenings and reviews last found it.
import type { PartyStatus } from "@app/shared/case-states";
import type { Happening } from "@app/shared/screening-days";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { countsHere, foundElsewhereIn, isAnswered } from "./found-elsewhere.service.ts";
import { latestConcernsIn } from "./safety-reviews.service.ts";
import { latestScreeningsIn } from "./screenings.service.ts";

type Latest = NonNullable<ReturnType<Awaited<ReturnType<typeof latestScreeningsIn>>["get"]>>;

interface Screened {
  partyId: string;
  status: PartyStatus;
}

/** By their last screening here, or by one in another case of the same people. */
export const isUnsafeIn = (
  { latest, elsewhere }: { latest: Latest; elsewhere: ReadonlyMap<string, unknown> | undefined },
  parties: readonly Screened[],
): boolean =>
  parties
    .filter(countsHere)
    .some(({ partyId }) => latest.get(partyId)?.suitable === "no" || elsewhere?.has(partyId) === true);

interface Placed {
  caseId: string;
  parties: readonly Screened[];
}

/** In which of these cases somebody is not safe to mediate, or a review raised a concern that no screening has answered. */
export async function unsafeCases(ownerId: string, cases: readonly Placed[]): Promise<Set<string>> {
  if (cases.length === 0) return new Set();
  const screenings = await latestScreeningsIn(ownerId, idsOf(cases));
  const concerned = await concernedAfter(ownerId, cases, screenings);
  const found = await foundElsewhereIn(ownerId, idsOf(cases));
  const isUnsafe = ({ caseId, parties }: Placed): boolean =>
    (concerned.get(caseId) ?? new Set()).size > 0 ||
    isUnsafeIn({ latest: screenings.get(caseId) ?? new Map(), elsewhere: found.get(caseId) }, parties);
  return new Set(idsOf(cases.filter(isUnsafe)));
}

/** About whom, in each of these cases, a review raised a concern that no screening has answered since. */
export const concernedIn = async (ownerId: string, cases: readonly Placed[]): Promise<Map<string, Set<string>>> =>
  concernedAfter(ownerId, cases, await latestScreeningsIn(ownerId, idsOf(cases)));

// One look-up after the other: in a transaction the first must be alone.
async function concernedAfter(
  ownerId: string,
  cases: readonly Placed[],
  screenings: Awaited<ReturnType<typeof latestScreeningsIn>>,
): Promise<Map<string, Set<string>>> {
  const concerns = await latestConcernsIn(ownerId, idsOf(cases));
  const timeZone = await practiceTimeZone(ownerId);
  return new Map(
    cases.map(({ caseId, parties }) => {
      const open = unanswered(concerns.get(caseId) ?? new Map(), screenings.get(caseId) ?? new Map(), timeZone);
      const counting = parties.filter((party) => countsHere(party) && open.has(party.partyId));
      return [caseId, new Set(counting.map(({ partyId }) => partyId))];
    }),
  );
}

const idsOf = (cases: readonly Placed[]): string[] => cases.map(({ caseId }) => caseId);

/** About whom of these no screening was held since, or only one that a mediator has yet to judge. */
export function unanswered(concerns: ReadonlyMap<string, Happening>, latest: Latest, timeZone: string): Set<string> {
  const open = [...concerns].filter(([partyId, concern]) => !isAnswered(concern, latest.get(partyId), timeZone));
  return new Set(open.map(([partyId]) => partyId));
}
