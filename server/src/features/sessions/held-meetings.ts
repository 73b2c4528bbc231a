// What a session was rests on its meeting: once it is over, nobody makes another meeting of it behind the session.
import { MEETING_STATUS_NAMES, type MeetingStatus } from "@app/shared/meeting-states";
import { HELD_SESSION_STATUSES, heldWords } from "@app/shared/session-states";
import mongoose from "mongoose";
import { wrongState } from "../../core/errors.ts";
import { defineMeetingGate, type Standing } from "../meetings/meeting-gates.service.ts";
import { SessionModel } from "./sessions.model.ts";

const TAKEN_OFF: readonly MeetingStatus[] = ["cancelled", "rescheduled"];

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
  if (before.status === after.status || !TAKEN_OFF.includes(after.status)) return "";
  return `it cannot be ${MEETING_STATUS_NAMES[after.status].toLowerCase()} any more`;
}

const areOthers = (before: readonly string[], after: readonly string[]): boolean =>
  String(before.toSorted()) !== String(after.toSorted());
