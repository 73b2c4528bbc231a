// It is recorded as it was that people met: with what was missing for it then, and why they met all the same.
import { dayIn } from "@app/shared/days";
import { MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import { wasThere } from "@app/shared/session-states";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive } from "../cases/case-days.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { asPlain, assertSaidWhy, type Missing } from "../screenings/missing-then.service.ts";
import { childUnmet } from "./child-inclusive.service.ts";
import { missingWhenHeld } from "./meeting-gates.service.ts";
import { type MeetingDoc, sealUnmet, unmetOf } from "./meetings.model.ts";

/**
 * In the transaction that records that it was held, or who came: what is to be kept of what was missing. BAD_REQUEST asks why
 * it was held all the same where nobody said so of that yet.
 */
export async function unmetIn(scope: Scope, held: MeetingDoc, reason: string): Promise<Partial<MeetingDoc>> {
  await assertCameAlive(scope, held);
  if (held.type === "cim") {
    const missing = held.status === "completed" ? await childUnmet(scope, held, reason) : [];
    return missing.length > 0 ? { ...sealUnmet(held, missing.map(asPlain), reason), unmetSaid: saidNow(scope) } : {};
  }
  const known = unmetOf(held);
  const missing = await missingWhenHeld(scope, held);
  const isKnown = ({ text }: Missing) => known.missing.some((one) => one.text === text);
  const added = missing.filter((one) => !isKnown(one));
  if (missing.length === 0 && known.missing.length === 0) return {};
  assertSaidWhy(scope, added, reason, wordsOf);
  if (added.length > 0) await tell(scope, held, added);
  const kept = missing.some(isKnown) ? known.reason : "";
  const because = [kept, added.length > 0 ? reason : ""].filter(Boolean).join("; ");
  // What was said first stands from then: somebody may have been found not safe since.
  const unmetSaid = kept === "" ? saidNow(scope) : held.unmetSaid;
  return { ...sealUnmet(held, missing, because), ...(unmetSaid ? { unmetSaid } : {}) };
}

/** BAD_REQUEST where somebody is said to have come who had died by then. */
async function assertCameAlive(scope: Scope, { caseId, startsAt, attendance }: MeetingDoc): Promise<void> {
  if (caseId === null) return;
  const { parties } = await getCase(scope, caseId);
  const day = dayIn(await practiceTimeZone(scope.ownerId), startsAt);
  for (const { partyId, attendance: state } of attendance) {
    const party = parties.find((one) => one.partyId === partyId);
    if (party && wasThere({ state })) await assertAlive(scope, party, "attendance", day);
  }
}

const saidNow = ({ userId: byId, userName: byName }: Scope) => ({ at: now(), byId, byName });

const wordsOf = (what: string): string =>
  `At that time this was missing: ${what} Say why they met all the same; it is kept with the meeting.`;

/** Why stays with the meeting: the history is read by others too. */
async function tell(scope: Scope, held: MeetingDoc, missing: readonly Missing[]): Promise<void> {
  const { type, startsAt, caseId, clientIds } = held;
  const { longDay } = await practiceDates(scope.ownerId);
  await recordEvent(scope, {
    kind: "meeting",
    text: `${MEETING_TYPE_NAMES[type]} on ${longDay(startsAt)}: recorded as held though something was missing; why is kept with it`,
    caseId,
    clientIds,
    visibility: PRACTICE_ONLY,
    needs: missing.some(({ isSafety }) => isSafety) ? "screening.read" : null,
  });
}
