import type { z } from "zod";
import type { Meeting, rescheduleMeetingSchema } from "@app/shared/meetings";
import { stale } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { type Keep, KEPT_BY_NOBODY } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { type ByLink, NOTHING_AROUND, tell } from "./booking.service.ts";
import { slotOf, withRoom, withSlots } from "./calendar-locks.service.ts";
import { tellMeetingFollowers } from "./meeting-followers.service.ts";
import { bookingMoved } from "./meeting-bookings.ts";
import { oneMeeting } from "./meeting-mapping.ts";
import { tellParties } from "./meeting-notices.ts";
import { roomsFor } from "./meeting-rooms.ts";
import { safetyOf } from "./meeting-safety.ts";
import { movedOn } from "./meeting-uids.service.ts";
import { MeetingModel } from "./meetings.model.ts";
import { assertLegalStep, caseOf, requireMeeting, save } from "./meetings.service.ts";
import { tellVisitor } from "./visitor-notices.ts";

type Move = z.output<typeof rescheduleMeetingSchema>;

/** Moves a meeting: the old one stays as "rescheduled", the new one carries on its invitations. */
export const rescheduleMeeting = (scope: Scope, input: Move, keep: Keep = KEPT_BY_NOBODY): Promise<Meeting> =>
  moveMeeting(scope, input, { keep });

/** The same for somebody outside, around whose meeting time is left. */
export async function moveMeeting(
  scope: Scope,
  { id, version, startsAt, endsAt, reason, allowsOverlap, againstMeasures }: Move,
  { keep, around = NOTHING_AROUND, exceptHoldIds = [], isAskedAnew = false, mediatorIds }: ByLink,
): Promise<Meeting> {
  const doc = await requireMeeting(scope, id);
  if (doc.version !== version) throw stale("meeting");
  const isStillProposed = doc.status === "proposed";
  if (!isStillProposed) assertLegalStep(doc.status, "rescheduled");
  const theCase = await caseOf(doc, scope);
  const rooms = await roomsFor(scope, doc);
  // Nobody was told anything of the new time yet.
  const { createdAt: _created, updatedAt: _updated, changedAt: _changed, ...kept } = doc;
  const _id = newId();
  const next = {
    ...kept,
    mediatorIds: mediatorIds ?? doc.mediatorIds,
    ...bookingMoved(doc, { ownerId: doc.ownerId, _id }),
    _id,
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    status: isStillProposed || isAskedAnew ? ("proposed" as const) : ("booked" as const),
    isHolding: !allowsOverlap,
    rescheduledFromId: id,
    uids: movedOn(doc.uids, doc.partyIds),
    remindedAt: null,
    writtenAt: null,
    untold: undefined,
    past: [],
    rooms,
    others: doc.others.map((other) => ({ ...other, attendance: null })),
    attendance: [],
    replies: [],
    claims: [],
    reason: "",
    version: 0,
  };
  const moved = await withSlots(
    scope,
    [withRoom(slotOf(next), around)],
    { exceptIds: [id], exceptHoldIds, allowsOverlap },
    async () => {
      await keep(next._id);
      const given = againstMeasures || null;
      const why = await safetyOf(scope, await caseOf(doc, scope), { before: doc, meeting: next, given });
      await save(scope, doc, { status: "rescheduled", isHolding: false, reason });
      const [stored] = await MeetingModel.insertMany([{ ...next, ...why }]);
      if (!stored) throw new Error("the meeting that was just stored is missing");
      const meeting = stored.toObject();
      await tell(scope, meeting, theCase, "is the new time of a meeting that was moved");
      if (doc.isInvitationSent) await tellParties(scope, meeting, theCase, "invitation");
      await tellVisitor(scope, meeting, "invitation", doc);
      await tellMeetingFollowers(scope, { before: doc, instead: meeting });
      return meeting;
    },
  );
  return oneMeeting(scope, moved);
}
