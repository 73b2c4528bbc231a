// When somebody was found not safe to mediate, by the days on which they were screened, however they stand now.
import type { Away } from "@app/shared/death";
import { byDayHeld, dayHeld } from "@app/shared/screening-days";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { ScreeningModel, STANDING } from "./screenings.model.ts";

/** Of each party of a case: from the day on which a screening said so until the one that said otherwise. */
export async function unsafeDays({ ownerId }: Pick<Scope, "ownerId">, caseId: string): Promise<Map<string, Away[]>> {
  const timeZone = await practiceTimeZone(ownerId);
  const screenings = await ScreeningModel.find(
    { ownerId, caseId, ...STANDING },
    { partyId: 1, suitable: 1, heldOn: 1, completedAt: 1 },
  ).lean();
  const days = new Map<string, Away[]>();
  for (const screening of screenings.toSorted(byDayHeld(timeZone)).toReversed()) {
    const { partyId, suitable } = screening;
    const known = days.get(partyId) ?? [];
    const open = known.at(-1)?.to === "" ? known.at(-1) : undefined;
    const on = dayHeld(screening, timeZone);
    if (suitable === "no" && !open) days.set(partyId, [...known, { from: on, to: "" }]);
    else if (suitable !== "no" && open) open.to = on;
  }
  return days;
}
