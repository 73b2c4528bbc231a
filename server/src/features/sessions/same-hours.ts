// One person is in one session of a case at a time: the same hours are not begun, or written up, twice without a word, and none
// is as long as a day.
import { labelsOf } from "@app/shared/agreement-gates";
import type { Case, Party } from "@app/shared/cases";
import { wasThere } from "@app/shared/session-states";
import mongoose from "mongoose";
import { HOUR_MS, now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeTurnOf } from "../../core/turns.ts";
import { heldElsewhere, type Holding } from "./mediator-hours.ts";
import { type Gap, type SessionDoc, SessionModel } from "./sessions.model.ts";

type Awaiting = Pick<SessionDoc, "partyIds" | "attendance">;

/** Who of these is in that session: whoever is awaited and was not marked as absent. */
function sharedBy(parties: readonly Party[], { partyIds, attendance }: Awaiting): Party[] {
  const absent = attendance.filter((mark) => !wasThere(mark)).map(({ partyId }) => partyId);
  return parties.filter(({ partyId }) => partyIds.includes(partyId) && !absent.includes(partyId));
}

const FIELDS = { number: 1, status: 1, meetingId: 1, startedAt: 1, endedAt: 1, partyIds: 1, attendance: 1 } as const;

/**
 * In the transaction in which it begins or goes on: PRECONDITION_FAILED while one of these is in another one. That of the
 * same meeting is no other: a meeting has one, and whoever begins it as well is given that.
 */
export async function assertInNoOther(
  { ownerId }: Scope,
  { id: caseId }: Pick<Case, "id">,
  { parties, sessionId, meetingId }: { parties: readonly Party[]; sessionId: string | null; meetingId: string | null },
): Promise<void> {
  await takeTurnOf(ownerId, `sessions of ${caseId}`);
  const running = await SessionModel.find({ ownerId, caseId, status: "in_progress" }, FIELDS).lean();
  const isOther = (one: (typeof running)[number]) =>
    one._id !== sessionId && (meetingId === null || one.meetingId !== meetingId);
  for (const other of running.filter(isOther)) {
    const shared = sharedBy(parties, other);
    if (shared.length > 0)
      throw wrongState(
        `Session ${other.number} is under way with ${labelsOf(shared)}. End it first, or cancel it if it was started by mistake.`,
      );
  }
}

type Held = Awaiting & Pick<SessionDoc, "_id" | "number"> & { startedAt: Date; endedAt: Date | null };

/** Who of this session was in another one at that time: whichever of two was recorded later, or is locked last, says why. */
export async function sameHours(
  { ownerId }: Scope,
  held: Held,
  { id: caseId, parties }: Pick<Case, "id" | "parties">,
): Promise<Gap[]> {
  const { startedAt, endedAt } = held;
  const met = sharedBy(parties, held);
  const begunBefore = mongoose.trusted({ $ne: null, $lt: endedAt ?? now() });
  const others = await SessionModel.find(
    { ownerId, caseId, startedAt: begunBefore, status: mongoose.trusted({ $ne: "struck" }) },
    FIELDS,
  )
    .sort({ number: 1 })
    .lean();
  return others
    .filter(({ _id, number, status }) => _id !== held._id && (number < held.number || status === "locked"))
    .filter((other) => (other.endedAt ?? now()) > startedAt)
    .flatMap((other) => {
      const shared = sharedBy(met, other);
      if (shared.length === 0) return [];
      const were = shared.length > 1 ? "were" : "was";
      const text = `No hours of its own: ${labelsOf(shared)} ${were} in session ${other.number} at that time.`;
      return [{ text, isSafety: false }];
    });
}

const USUAL_MAX_HOURS = 10;

/** Whoever forgets “End” until the next day corrects the time, or says that it was as long. */
const overlong = ({ startedAt, endedAt }: { startedAt: Date; endedAt: Date | null }): Gap[] =>
  endedAt !== null && endedAt.getTime() - startedAt.getTime() > USUAL_MAX_HOURS * HOUR_MS
    ? [{ text: `No usual length: it is recorded as longer than ${USUAL_MAX_HOURS} hours.`, isSafety: false }]
    : [];

/** What is to be explained of the hours of a session that is locked. */
export const gapsOfHours = async (
  scope: Scope,
  held: Held & Holding,
  theCase: Pick<Case, "id" | "parties">,
): Promise<Gap[]> => [
  ...overlong(held),
  ...(await sameHours(scope, held, theCase)),
  ...(await heldElsewhere(scope, held)),
];
