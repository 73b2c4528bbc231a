import type { PartyStatus } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { type Attempt, isMade } from "@app/shared/ladders";
import { earliestOf, wayDayOf, wayDaysOf } from "@app/shared/way-days";

/** The first day that can be entered of this step; nothing where none is known. */
export function earliestDay(
  theCase: Case,
  party: Party,
  attempts: readonly Attempt[],
  to: PartyStatus | "",
): string | undefined {
  const what = to === "" ? null : wayDayOf(to);
  // Of whoever was away and came back the days of before are not all known here: the server looks.
  if (!what || party.absences.length > 0) return undefined;
  const invited = attempts.filter((one) => isMade(one) && !one.isAnswered).map(({ on }) => on);
  return earliestOf(what, wayDaysOf({ theCase, party, invited, leftOn: party.lastStep?.on ?? "" }))?.on;
}
