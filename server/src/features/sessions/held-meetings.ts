// What a session was rests on its meeting: once it is over, nobody makes another meeting of it behind the session.
import type { MeetingStatus } from "@app/shared/meeting-states";
import { HELD_SESSION_STATUSES, heldWords, type SessionStatus } from "@app/shared/session-states";
import mongoose from "mongoose";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineMarkGate, defineMeetingGate, type Standing } from "../meetings/meeting-gates.service.ts";
import { noteHeld } from "../meetings/over-meetings.service.ts";
import { defineSessionFollower } from "./session-followers.service.ts";
import { SessionModel } from "./sessions.model.ts";

/** What would say that it was not held. */
const TAKEN_OFF: Partial<Record<MeetingStatus, string>> = {
  cancelled: "it cannot be cancelled any more",
  rescheduled: "it cannot be rescheduled any more",
  no_show: "it cannot be marked as “No-show” any more",
};

defineMeetingGate(async (scope, before, after) => {
  const what = changedIn(before, after);
  if (what === "") return;
  const held = await heldAt(scope, before._id);
  if (held) throw wrongState(heldWords(held, what));
});

// A session may be over before the day of its meeting has come.
defineSessionFollower(async (scope, before, { meetingId, status }) => {
  if (meetingId !== null && isHeld(status) && !isHeld(before.status)) await noteHeld(scope, meetingId);
});

const HELD: readonly SessionStatus[] = HELD_SESSION_STATUSES;
const isHeld = (status: SessionStatus): boolean => HELD.includes(status);

/** Whoever is not recorded as there was not. */
defineMarkGate(async (scope, { id, partyId, attendance }) => {
  const held = await heldAt(scope, id);
  if (!held) return;
  const recorded = held.attendance.find((one) => one.partyId === partyId)?.state ?? "no_show";
  // Of one that was stopped before it began the calendar may say that they came, or that they did not.
  if (recorded === "not_held") return;
  if (recorded !== attendance)
    throw wrongState(heldWords(held, "who came to it cannot be marked otherwise in the calendar"));
});

const heldAt = ({ ownerId }: Scope, meetingId: string) =>
  SessionModel.findOne(
    { ownerId, meetingId, status: mongoose.trusted({ $in: HELD_SESSION_STATUSES }) },
    { number: 1, status: 1, attendance: 1 },
  ).lean();

/** What of this change a session does not bear, in words; empty where it may be made. */
function changedIn(before: Standing, after: Standing): string {
  if (before.type !== after.type) return "its type cannot change any more";
  if (areOthers(before.partyIds, after.partyIds)) return "who was asked to it cannot change any more";
  if (areOthers(before.mediatorIds, after.mediatorIds)) return "its mediators cannot change any more";
  return before.status === after.status ? "" : (TAKEN_OFF[after.status] ?? "");
}

const areOthers = (before: readonly string[], after: readonly string[]): boolean =>
  String(before.toSorted()) !== String(after.toSorted());
