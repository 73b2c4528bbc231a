// What a session was rests on its meeting: once it is over, nobody makes another meeting of it behind the session.
import type { MeetingStatus } from "@app/shared/meeting-states";
import { HELD_SESSION_STATUSES, heldWords } from "@app/shared/session-states";
import mongoose from "mongoose";
import { wrongState } from "../../core/errors.ts";
import { defineMeetingGate, type Standing } from "../meetings/meeting-gates.service.ts";
import { SessionModel } from "./sessions.model.ts";

/** What would say that it was not held. */
const TAKEN_OFF: Partial<Record<MeetingStatus, string>> = {
  cancelled: "it cannot be cancelled any more",
  rescheduled: "it cannot be rescheduled any more",
  no_show: "it cannot be marked as “No-show” any more",
};

defineMeetingGate(async ({ ownerId }, before, after) => {
  const what = changedIn(before, after);
  if (what === "") return;
  const status = mongoose.trusted({ $in: HELD_SESSION_STATUSES });
  const held = await SessionModel.findOne({ ownerId, meetingId: before._id, status }, { number: 1, status: 1 }).lean();
  if (held) throw wrongState(heldWords(held, what));
});

/** What of this change a session does not bear, in words; empty where it may be made. */
function changedIn(before: Standing, after: Standing): string {
  if (before.type !== after.type) return "its type cannot change any more";
  if (areOthers(before.partyIds, after.partyIds)) return "who was asked to it cannot change any more";
  if (areOthers(before.mediatorIds, after.mediatorIds)) return "its mediators cannot change any more";
  return before.status === after.status ? "" : (TAKEN_OFF[after.status] ?? "");
}

const areOthers = (before: readonly string[], after: readonly string[]): boolean =>
  String(before.toSorted()) !== String(after.toSorted());
