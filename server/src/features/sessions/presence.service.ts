// Who took part in a case on a day: they had come by then, had not left, and were not found not safe.
import { type Away, awayOf, hadLeft, type Leaver } from "@app/shared/death";
import { cameOn, type Joined } from "@app/shared/newcomers";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { unsafeDays } from "../screenings/unsafe-days.service.ts";

type Placed = Leaver & Joined & { partyId: string };

/** These parties of a case with all days on which they took no part, those by a screening among them. */
export async function withAbsences<Party extends Leaver & { partyId: string }>(
  scope: Pick<Scope, "ownerId">,
  caseId: string,
  parties: readonly Party[],
): Promise<(Party & { daysAway: readonly Away[] })[]> {
  const unsafe = await unsafeDays(scope, caseId);
  return parties.map((party) => ({ ...party, daysAway: [...awayOf(party), ...(unsafe.get(party.partyId) ?? [])] }));
}

export type TakesPart = (party: { partyId: string }, day: string) => boolean;

/** Whether one of these took part in their case on a day (yyyy-mm-dd). */
export async function presenceOf<Party extends Placed>(
  scope: Pick<Scope, "ownerId">,
  caseId: string,
  parties: readonly Party[],
): Promise<TakesPart> {
  const [placed, timeZone] = await Promise.all([withAbsences(scope, caseId, parties), practiceTimeZone(scope.ownerId)]);
  return ({ partyId }, day) => {
    const party = placed.find((one) => one.partyId === partyId);
    return party !== undefined && cameOn(party, timeZone) <= day && !hadLeft(party, day);
  };
}
