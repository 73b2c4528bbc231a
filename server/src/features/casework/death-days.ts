// On which day somebody died: not before what they did themselves, as far as it is recorded.
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { PartyDoc } from "../cases/case-parties.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { deedsOf } from "./party-deeds.ts";

/** BAD_REQUEST where they are recorded as having come to a first meeting, consented or signed after this day. */
export async function assertDiedAfter(scope: Scope, caseId: string, party: PartyDoc, on: string): Promise<void> {
  const after = (await deedsOf(scope, caseId, party)).filter((deed) => on !== "" && deed.on > on);
  const [last] = after.toSorted((one, other) => other.on.localeCompare(one.on));
  if (!last) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    "on",
    `It is recorded that ${party.label} ${last.did} on ${calendarDay(last.on)}. Enter that day or a later one, or correct what is recorded of that day first.`,
  );
}
