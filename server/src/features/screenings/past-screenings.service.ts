import type { Party } from "@app/shared/cases";
import { addDays, dayIn } from "@app/shared/days";
import { hadCome, type Joined, newcomersTo } from "@app/shared/newcomers";
import { byDayHeld, dayHeld } from "@app/shared/screening-days";
import type { Measure } from "@app/shared/screenings";
import type { Scope } from "../../core/trpc.ts";
import { leftBy, mediationEnd } from "../cases/case-steps.service.ts";
import { findCaseDoc, pastOf } from "../cases/cases.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { foundElsewhereIn } from "./found-elsewhere.service.ts";
import { concernsBy, latestUnsafe } from "./safety-reviews.service.ts";
import { dangerOf, gapOf, GAP_THEN, unsafeOnSideOf } from "./screening-gaps.ts";
import { takeSafetyTurn } from "./safety-turns.service.ts";
import { ScreeningModel, STANDING } from "./screenings.model.ts";

interface Met {
  caseId: string;
  parties: readonly (Pick<Party, "partyId" | "label" | "side"> & Joined)[];
  at: Date;
}

/** The screenings of a case that had been held when they met, the last one first. */
async function heldUntil({ ownerId }: Scope, { caseId, at }: Pick<Met, "caseId" | "at">, timeZone: string) {
  const fields = { partyId: 1, suitable: 1, measures: 1, heldOn: 1, completedAt: 1, judgement: 1 };
  const docs = await ScreeningModel.find({ ownerId, caseId, ...STANDING }, fields).lean();
  const day = dayIn(timeZone, at);
  return docs.filter((doc) => dayHeld(doc, timeZone) <= day).toSorted(byDayHeld(timeZone));
}

/** That this person had been found not safe on a day before they met the others, in words; null where they had not. */
export async function unsafeBefore(
  scope: Scope,
  { caseId, party, at }: Omit<Met, "parties"> & { party: Pick<Party, "partyId" | "label"> },
): Promise<string | null> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const held = await heldUntil(scope, { caseId, at }, timeZone);
  const before = held.filter((doc) => dayHeld(doc, timeZone) < dayIn(timeZone, at));
  const elsewhere = await unsafeElsewhere(scope, {
    caseId,
    parties: [party],
    day: addDays(dayIn(timeZone, at), -1),
  });
  return unsafeIn(before, [party])[0] ?? elsewhere.get(party.partyId) ?? null;
}

/** What had been agreed for their safety by the day on which these parties met. */
export async function measuresAt(scope: Scope, { parties, ...met }: Met): Promise<Measure[]> {
  await takeSafetyTurn(scope.ownerId, met.caseId);
  const held = await heldUntil(scope, met, await practiceTimeZone(scope.ownerId));
  const latestOf = (id: string) => held.find(({ partyId }) => partyId === id);
  return [...new Set(parties.flatMap(({ partyId }) => latestOf(partyId)?.measures ?? []))];
}

/** Who of these had been found not safe to mediate by then, in words. */
export async function unsafeAt(scope: Scope, { caseId, parties, at }: Met): Promise<string[]> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const held = await heldUntil(scope, { caseId, at }, timeZone);
  const elsewhere = await unsafeElsewhere(scope, { caseId, parties, day: dayIn(timeZone, at) });
  return [...unsafeIn(held, parties), ...elsewhere.values()];
}

/** When somebody of this case was last recorded as not safe, in it or in another one of the same people; null where nobody was. */
export async function lastFoundUnsafe(scope: Scope, caseId: string): Promise<Date | null> {
  const { ownerId } = scope;
  const here = await ScreeningModel.find({ ownerId, caseId, suitable: "no", ...STANDING }, { completedAt: 1 }).lean();
  const reviews = await latestUnsafe(scope, caseId);
  const elsewhere = (await foundElsewhereIn(ownerId, [caseId])).get(caseId);
  const found = [
    ...here.map(({ completedAt }) => completedAt),
    ...[...reviews.values()].map(({ at }) => at),
    ...[...(elsewhere?.values() ?? [])].flat().map(({ at }) => at),
  ];
  return found.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null;
}

/** Who was found not safe by then in another case of the same people, in words by party. */
async function unsafeElsewhere(
  { ownerId }: Scope,
  { caseId, parties, day }: { caseId: string; parties: readonly Pick<Party, "partyId" | "label">[]; day: string },
): Promise<Map<string, string>> {
  const found = (await foundElsewhereIn(ownerId, [caseId], day)).get(caseId);
  const unsafe = parties.filter(({ partyId }) => found?.has(partyId));
  const wasFound = (partyId: string) => found?.get(partyId)?.some(({ isConcern }) => !isConcern);
  // Whoever reads it later may not see that case.
  return new Map(
    unsafe.map(({ partyId, label }) => [
      partyId,
      `${wasFound(partyId) ? `${label} had been found not safe to mediate in another case` : `A safety review in another case had raised a concern about ${label}`}, and they had not been screened in this one by somebody who had looked at that.`,
    ]),
  );
}

type Held = Awaited<ReturnType<typeof heldUntil>>;

/** Of each of these the last screening counts. */
const unsafeIn = (held: Held, parties: readonly Pick<Party, "partyId" | "label">[]): string[] =>
  parties
    .filter((party) => held.find(({ partyId }) => partyId === party.partyId)?.suitable === "no")
    .map(({ label }) => GAP_THEN.not_safe(label, ""));

/**
 * What of their screenings was missing when these parties met, in words. What was found since says nothing of it: only
 * the days on which screenings were held count, whenever they were written down.
 */
export async function screeningGapsAt(
  scope: Scope,
  { caseId, parties, at, isScreeningAsked = true }: Met & { isScreeningAsked?: boolean },
): Promise<string[]> {
  const { ownerId } = scope;
  await takeSafetyTurn(ownerId, caseId);
  const timeZone = await practiceTimeZone(ownerId);
  const day = dayIn(timeZone, at);
  const [held, concerns, past] = await Promise.all([
    heldUntil(scope, { caseId, at }, timeZone),
    concernsBy(scope, caseId, at),
    pastOf(scope, caseId),
  ]);
  const ended = mediationEnd(past, { at, day });
  const left = leftBy(past, { at, day });
  // Whoever joined after that day was not in the case: that is said of them.
  const inCase = parties.filter((party) => hadCome(party, { at, day }));
  const elsewhere = await unsafeElsewhere(scope, { caseId, parties, day });
  const latestOf = (id: string) => held.find(({ partyId }) => partyId === id);
  const all = held.some(({ suitable }) => suitable === "no") ? (await findCaseDoc(scope, caseId)).parties : [];
  return parties.flatMap((party) => {
    const { partyId, label } = party;
    const missing = isScreeningAsked ? gapOf : dangerOf;
    const found = missing(latestOf(partyId), {
      day,
      timeZone,
      ended,
      left: left.get(partyId),
      newcomers: newcomersTo(party, inCase, timeZone),
      beside: unsafeOnSideOf(party, all, latestOf),
      concern: concerns.get(partyId),
    });
    const anew = elsewhere.get(partyId);
    if (anew !== undefined && found?.gap !== "not_safe") return [anew];
    return found ? [GAP_THEN[found.gap](label, found.joined)] : [];
  });
}
