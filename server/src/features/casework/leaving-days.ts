// On which day somebody left: not before a session at which they were.
import { LEFT_PARTY_STATUSES, type PartyStatus } from "@app/shared/case-states";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { PartyDoc } from "../cases/case-parties.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { heldSessions } from "../sessions/session-facts.service.ts";

/** BAD_REQUEST where this party is said to have left before a session at which they are recorded as present. */
export async function assertGoneSince(
  scope: Scope,
  caseId: string,
  { partyId, label }: PartyDoc,
  { to, on }: { to: PartyStatus; on: string },
): Promise<void> {
  if (!LEFT_PARTY_STATUSES.includes(to) || on === "") return;
  const [last] = (await heldSessions(scope, caseId)).filter(({ partyIds }) => partyIds.includes(partyId));
  if (!last || last.heldOn <= on) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    "on",
    `${label} was at session ${last.number} of ${calendarDay(last.heldOn)}. Enter that day or a later one, or correct first who came to it.`,
  );
}
