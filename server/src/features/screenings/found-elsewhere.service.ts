// Who was found not safe to mediate in another case of the same people, and not screened since with that in view.
import { isTakingPart, type PartyStatus } from "@app/shared/case-states";
import { dayIn } from "@app/shared/days";
import { byDayHeld, dayHeld, type Happening, isBefore } from "@app/shared/screening-days";
import mongoose from "mongoose";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { findCaseLabels } from "../cases/cases.service.ts";
import { togetherElsewhere } from "../cases/client-cases.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { latestConcernsIn } from "./safety-reviews.service.ts";
import { takeSafetyTurn } from "./safety-turns.service.ts";
import { isUnjudged, ScreeningModel, STANDING } from "./screenings.model.ts";

/** Whoever withdrew is not awaited; whoever is not suitable may still be named in what was planned before. */
export const countsHere = (party: { status: PartyStatus }): boolean =>
  isTakingPart(party) || party.status === "not_suitable";

/** The last screening of somebody in another case, which found them not safe, or a concern of a review that none answered. */
interface Elsewhere {
  /** Of the screening, or of the review. */
  screeningId: string;
  isConcern: boolean;
  caseId: string;
  heldOn: string;
  at: Date;
}

/**
 * Of each of these cases, by party: what was last found of them in each other case of the same people, until nobody is
 * found safe here by a screening that looked at it. With a day, as that was known by then.
 */
export async function foundElsewhereIn(
  ownerId: string,
  caseIds: readonly string[],
  day?: string,
): Promise<Map<string, Map<string, Elsewhere[]>>> {
  const around = await togetherElsewhere(ownerId, caseIds);
  const others = [...around.values()].flat().flatMap(({ elsewhere }) => elsewhere);
  if (others.length === 0) return new Map();
  const timeZone = await practiceTimeZone(ownerId);
  const among = mongoose.trusted({ $in: [...new Set([...caseIds, ...others.map(({ caseId }) => caseId)])] });
  const fields = { caseId: 1, partyId: 1, suitable: 1, judgement: 1, heldOn: 1, completedAt: 1, lookedAt: 1 };
  const docs = await ScreeningModel.find({ ownerId, caseId: among, ...STANDING }, fields).lean();
  const held = docs.filter((doc) => day === undefined || dayHeld(doc, timeZone) <= day).toSorted(byDayHeld(timeZone));
  const ofParty = Map.groupBy(held, placeOf);
  const concerns = await latestConcernsIn(ownerId, [...new Set(others.map(({ caseId }) => caseId))], day);
  const raisedIn = (place: Place): Elsewhere[] => {
    const concern = concerns.get(place.caseId)?.get(place.partyId);
    if (!concern) return [];
    if (isAnswered(concern, ofParty.get(placeOf(place))?.[0], timeZone)) return [];
    const heldOn = concern.on || dayIn(timeZone, concern.at);
    return [{ screeningId: concern.reviewId, isConcern: true, caseId: place.caseId, heldOn, at: concern.at }];
  };
  const openOf = (caseId: string, { partyId, elsewhere }: { partyId: string; elsewhere: Place[] }): Elsewhere[] => {
    const here = (ofParty.get(placeOf({ caseId, partyId })) ?? []).filter(allows);
    const isSeen = ({ screeningId, heldOn }: Elsewhere): boolean =>
      here.some((doc) => doc.lookedAt?.includes(screeningId) && dayHeld(doc, timeZone) >= heldOn);
    const latest = elsewhere.flatMap((place) => ofParty.get(placeOf(place))?.[0] ?? []);
    const found = latest
      .filter(({ suitable }) => suitable === "no")
      .map((doc) => ({
        screeningId: doc._id,
        isConcern: false,
        caseId: doc.caseId,
        heldOn: dayHeld(doc, timeZone),
        at: doc.completedAt,
      }));
    return [...found, ...elsewhere.flatMap(raisedIn)].filter((one) => !isSeen(one));
  };
  return new Map(
    [...around].map(([caseId, parties]) => [
      caseId,
      new Map(
        parties.map((party) => [party.partyId, openOf(caseId, party)] as const).filter(([, open]) => open.length > 0),
      ),
    ]),
  );
}

/** Whether a screening was held since somebody told of a concern, and nobody has yet to judge it; of these the last one. */
export const isAnswered = (concern: Happening, screening: Screened | undefined, timeZone: string): boolean =>
  screening !== undefined && !isUnjudged(screening) && !isBefore(screening, concern, timeZone);

type Screened = Parameters<typeof isUnjudged>[0] & Parameters<typeof isBefore>[0];

interface Place {
  caseId: string;
  partyId: string;
}
const placeOf = ({ caseId, partyId }: Place): string => `${caseId} ${partyId}`;

const allows = (doc: Parameters<typeof isUnjudged>[0] & { suitable: string }): boolean =>
  doc.suitable !== "no" && !isUnjudged(doc);

/** The same of one party. */
export const foundElsewhere = async ({ ownerId }: Scope, caseId: string, partyId: string): Promise<Elsewhere[]> =>
  (await foundElsewhereIn(ownerId, [caseId])).get(caseId)?.get(partyId) ?? [];

/** In words for whoever may read screenings; of a case that they may not see, only that there is one. */
export async function wordsOfElsewhere(
  scope: Scope,
  found: readonly (Elsewhere & { label: string })[],
): Promise<string[]> {
  if (found.length === 0) return [];
  const seen = await findCaseLabels(
    scope,
    found.map(({ caseId }) => caseId),
  );
  const { calendarDay } = await practiceDates(scope.ownerId);
  return found.map(({ label, caseId, heldOn, isConcern }) => {
    const theCase = seen.get(caseId);
    const where = theCase ? `in case ${theCase.caseRef}` : "in another case";
    if (isConcern) return `A safety review raised a concern about ${label} on ${calendarDay(heldOn)} ${where}.`;
    return `${label} was found not safe to mediate on ${calendarDay(heldOn)} ${where}.`;
  });
}

/** Of each of these parties the same with what is to be done about it. */
export async function whyScreenedAnew(
  scope: Scope,
  { caseId, parties }: { caseId: string; parties: readonly { partyId: string; label: string }[] },
): Promise<Map<string, string>> {
  const found = (await foundElsewhereIn(scope.ownerId, [caseId])).get(caseId);
  const open = parties.flatMap(({ partyId, label }) =>
    (found?.get(partyId) ?? []).map((one) => ({ ...one, partyId, label })),
  );
  const words = await wordsOfElsewhere(scope, open);
  const ofParty = Map.groupBy(open.keys(), (index) => open[index]?.partyId ?? "");
  return new Map(
    [...ofParty].map(([partyId, of]) => [
      partyId,
      `${of.map((index) => words[index]).join(" ")} Screen them in this case too, and confirm there that you looked at that.`,
    ]),
  );
}

const NOT_YOURS_TO_LOOK_AT =
  "They were found not safe to mediate in a case that you may not see. Ask the owner to look at that, and to complete this screening with you.";

/**
 * PRECONDITION_FAILED where somebody is found safe by who may not look at what was found elsewhere; BAD_REQUEST where
 * somebody is found safe, and whoever screened them did not say that they looked at it.
 */
export async function assertLookedAt(
  scope: Scope,
  { label, elsewhere, lookedAt }: { label: string; elsewhere: readonly Elsewhere[]; lookedAt: readonly string[] },
): Promise<void> {
  const seen = await findCaseLabels(
    scope,
    elsewhere.map(({ caseId }) => caseId),
  );
  if (elsewhere.some(({ caseId }) => !seen.has(caseId))) throw wrongState(NOT_YOURS_TO_LOOK_AT);
  const unseen = elsewhere.filter(({ screeningId }) => !lookedAt.includes(screeningId));
  if (unseen.length === 0) return;
  const words = await wordsOfElsewhere(
    scope,
    unseen.map((one) => ({ ...one, label })),
  );
  throw badField("lookedAt", `${words.join(" ")} Look at that first, and confirm that you did.`);
}

/** A finding holds in every case of the same people: in the transaction that keeps one it comes before or after what happens there. */
export async function takeTurnsAround(ownerId: string, caseId: string): Promise<void> {
  await takeSafetyTurn(ownerId, caseId);
  const parties = (await togetherElsewhere(ownerId, [caseId])).get(caseId) ?? [];
  const others = new Set(parties.flatMap(({ elsewhere }) => elsewhere.map((place) => place.caseId)));
  for (const other of [...others].toSorted()) await takeSafetyTurn(ownerId, other);
}
