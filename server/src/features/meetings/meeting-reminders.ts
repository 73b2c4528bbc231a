import { dayIn } from "@app/shared/days";
import mongoose from "mongoose";
import { DAY_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { openQueue } from "../../core/set-aside.ts";
import { systemScope } from "../../core/system-scope.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { remindParties } from "./meeting-notices.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

const AHEAD_MS = DAY_MS;
const BATCH = 200;

defineRepeatedJob({ name: "remind of meetings", everyMs: MINUTE_MS, run: remindOfMeetings });

/** Reminds everybody who comes within a day: once, in whichever process, also where it was down when it was due. */
export async function remindOfMeetings(log: Logger): Promise<void> {
  const queue = await openQueue("remind of meetings");
  const due = await MeetingModel.find({
    _id: mongoose.trusted({ $nin: queue.held }),
    remindedAt: null,
    startsAt: mongoose.trusted({ $gt: now(), $lte: new Date(now().getTime() + AHEAD_MS) }),
    status: mongoose.trusted({ $in: ["booked", "confirmed"] }),
  })
    .setOptions({ anyOwner: true })
    .limit(BATCH)
    .lean<MeetingDoc[]>();
  await queue.each(due, { log, keyOf: ({ _id }) => _id, work: remind, tell: askToRemind });
  if (due.length > 0) log.info({ count: due.length }, "reminded of meetings");
}

async function remind(meeting: MeetingDoc): Promise<void> {
  const scope = systemScope(meeting.ownerId);
  await inTransaction(async () => {
    // Who takes part is asked in the moment in which they are reminded.
    const [theCase] = meeting.caseId ? await findVisibleCases(scope, [meeting.caseId]) : [];
    const { modifiedCount } = await MeetingModel.updateOne(
      { _id: meeting._id, ownerId: meeting.ownerId, remindedAt: null },
      { $set: { remindedAt: now() } },
    );
    // Booked an hour ahead, nobody needs to be reminded of it.
    const isJustBooked = meeting.startsAt.getTime() - meeting.createdAt.getTime() < AHEAD_MS / 2;
    if (modifiedCount === 1 && meeting.isInvitationSent && !isJustBooked && theCase)
      await remindParties(scope, meeting, theCase);
  });
}

/** Whoever booked it can do what the product cannot. */
async function askToRemind({ ownerId, startsAt, timeZone, createdBy }: MeetingDoc): Promise<void> {
  const { longDay } = await practiceDates(ownerId);
  const title = `Nobody was reminded of an appointment on ${longDay(startsAt)}: look into your calendar, and remind them yourself`;
  const task = { title, dueOn: dayIn(timeZone, startsAt), assigneeId: createdBy, caseId: null, clientId: null };
  await createTasks(systemScope(ownerId), [task]);
}
