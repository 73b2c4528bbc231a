// Who mediates in a case, or did on a day: who says something there, who has to be able to read it, and who agrees. Free of zod.
import { countSides, everSigned, type Sided } from "./case-states.ts";
import { dayIn } from "./days.ts";
import { hadLeft, type Leaver } from "./death.ts";
import type { Visibility } from "./visibility.ts";

type Mediating = Sided & Leaver & { agreementSignedOn: string; leftAt: string | Date | null };

/** When something is said in a session: of one of an earlier day on that day, of one of today now. */
export function saidIn({ startedAt }: { startedAt: Date | null }, timeZone: string, now: Date): string | null {
  const on = dayIn(timeZone, startedAt ?? now);
  return on === dayIn(timeZone, now) ? null : on;
}

/** Whoever was only added, while others have signed, mediates not yet; by this day, or by now where it is null. */
export function begunAmong<Party extends Mediating>(
  parties: readonly Party[],
  on: string | null = null,
): readonly Party[] {
  const signed = parties.filter((party) => everSigned(party) && (on === null || party.agreementSignedOn <= on));
  return countSides(signed) > 1 ? signed : parties;
}

/** Who mediated on this day, or does now where it is null. */
export function mediatingOn<Party extends Mediating>(parties: readonly Party[], on: string | null): readonly Party[] {
  return begunAmong(parties, on).filter((party) => (on === null ? party.leftAt === null : !hadLeft(party, on)));
}

/** What is agreed is agreed with somebody: of each side that mediated on this day at least one may read it. */
export function isForEverySide(
  { scope, partyIds }: Visibility,
  parties: readonly Mediating[],
  on: string | null,
): boolean {
  const mediating = mediatingOn(parties, on);
  const mayRead = ({ partyId }: Mediating) => scope === "shared" || (scope === "party" && partyIds.includes(partyId));
  const sides = countSides(mediating);
  return sides > 1 && countSides(mediating.filter(mayRead)) === sides;
}
