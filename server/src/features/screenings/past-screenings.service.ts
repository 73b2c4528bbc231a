import type { Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { byDayHeld, dayHeld } from "@app/shared/screening-days";
import type { Measure } from "@app/shared/screenings";
import type { Scope } from "../../core/trpc.ts";
import { leftBy, mediationEndedAt } from "../cases/case-steps.service.ts";
import { pastOf } from "../cases/cases.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { concernsBy } from "./safety-reviews.service.ts";
import { gapOf, GAP_THEN } from "./screening-gaps.ts";
import { takeSafetyTurn } from "./safety-turns.service.ts";
import { ScreeningModel, STANDING } from "./screenings.model.ts";

interface Met {
  caseId: string;
  parties: readonly Pick<Party, "partyId" | "label">[];
  at: Date;
}

/** The screenings of a case that had been held when they met, the last one first. */
async function heldUntil({ ownerId }: Scope, { caseId, at }: Pick<Met, "caseId" | "at">, timeZone: string) {
  const fields = { partyId: 1, suitable: 1, measures: 1, heldOn: 1, completedAt: 1 };
  const docs = await ScreeningModel.find({ ownerId, caseId, ...STANDING }, fields).lean();
  const day = dayIn(timeZone, at);
  return docs.filter((doc) => dayHeld(doc, timeZone) <= day).toSorted(byDayHeld(timeZone));
}

/** What had been agreed for their safety by the day on which these parties met. */
export async function measuresAt(scope: Scope, { parties, ...met }: Met): Promise<Measure[]> {
  await takeSafetyTurn(scope.ownerId, met.caseId);
  const held = await heldUntil(scope, met, await practiceTimeZone(scope.ownerId));
  const latestOf = (id: string) => held.find(({ partyId }) => partyId === id);
  return [...new Set(parties.flatMap(({ partyId }) => latestOf(partyId)?.measures ?? []))];
}

/**
 * What of their screenings was missing when these parties met, in words. What was found since says nothing of it: only
 * the days on which screenings were held count, whenever they were written down.
 */
export async function screeningGapsAt(scope: Scope, { caseId, parties, at }: Met): Promise<string[]> {
  const { ownerId } = scope;
  await takeSafetyTurn(ownerId, caseId);
  const timeZone = await practiceTimeZone(ownerId);
  const day = dayIn(timeZone, at);
  const [held, concerns, past] = await Promise.all([
    heldUntil(scope, { caseId, at }, timeZone),
    concernsBy(scope, caseId, at),
    pastOf(scope, caseId),
  ]);
  const endedAt = mediationEndedAt(past, at);
  const left = leftBy(past, at);
  return parties.flatMap(({ partyId, label }) => {
    const screening = held.find((each) => each.partyId === partyId);
    const gap = gapOf(screening, {
      day,
      timeZone,
      endedAt,
      leftAt: left.get(partyId),
      concernAt: concerns.get(partyId),
    });
    return gap ? [GAP_THEN[gap](label)] : [];
  });
}
