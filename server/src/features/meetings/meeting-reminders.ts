import mongoose from "mongoose";
import { DAY_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { systemScope } from "../../core/system-scope.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { tellParties } from "./meeting-notices.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

const AHEAD_MS = DAY_MS;
const BATCH = 200;

defineRepeatedJob({ name: "remind of meetings", everyMs: MINUTE_MS, run: remindOfMeetings });

/** Reminds everybody who comes within a day: once, in whichever process, also where it was down when it was due. */
export async function remindOfMeetings(log: Logger): Promise<void> {
  const due = await MeetingModel.find({
    remindedAt: null,
    startsAt: mongoose.trusted({ $gt: now(), $lte: new Date(now().getTime() + AHEAD_MS) }),
    status: mongoose.trusted({ $in: ["booked", "confirmed"] }),
  })
    .setOptions({ anyOwner: true })
    .limit(BATCH)
    .lean<MeetingDoc[]>();
  for (const meeting of due) await remind(meeting);
  if (due.length > 0) log.info({ count: due.length }, "reminded of meetings");
}

async function remind(meeting: MeetingDoc): Promise<void> {
  const scope = systemScope(meeting.ownerId);
  const [theCase = null] = meeting.caseId ? await findVisibleCases(scope, [meeting.caseId]) : [];
  await inTransaction(async () => {
    const { modifiedCount } = await MeetingModel.updateOne(
      { _id: meeting._id, ownerId: meeting.ownerId, remindedAt: null },
      { $set: { remindedAt: now() } },
    );
    // Booked an hour ahead, nobody needs to be reminded of it.
    const isJustBooked = meeting.startsAt.getTime() - meeting.createdAt.getTime() < AHEAD_MS / 2;
    if (modifiedCount === 1 && meeting.isInvitationSent && !isJustBooked)
      await tellParties(scope, meeting, theCase, "reminder");
  });
}
