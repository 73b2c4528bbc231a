// A series notes with each of its meetings what the parties are to be told, and its mails are written after it is
// stored: written in its transaction, all of them would keep everybody else from its days.
import { isHolding } from "@app/shared/meeting-states";
import mongoose from "mongoose";
import { SECOND_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { openQueue } from "../../core/set-aside.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { standsFor } from "../users/users.service.ts";
import { tellParties } from "./meeting-notices.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

const BATCH = 50;

defineRepeatedJob({
  name: "tell of series",
  everyMs: 3 * SECOND_MS,
  takenOverAfterMs: 5 * SECOND_MS,
  run: tellOfSeries,
});

/** Whether nobody was told of this meeting yet, so that they hear of it only as it is when they are. */
export const isStillToInvite = ({ untold }: Pick<MeetingDoc, "untold">): boolean => untold?.purpose === "invitation";

/** In the transaction of what they are to be told. */
export async function tellLater({ ownerId, userId }: Scope, { _id }: MeetingDoc, purpose: "cancellation") {
  const untold = { purpose, by: userId };
  await MeetingModel.updateOne({ ownerId, _id }, { $set: { untold } }, { timestamps: false });
}

/** Writes what waits, meeting by meeting: each once, in whichever process, also where one stopped in the middle. */
export async function tellOfSeries(log: Logger): Promise<void> {
  const queue = await openQueue("tell of series");
  for (;;) {
    const waiting = await MeetingModel.find({
      "untold.by": mongoose.trusted({ $exists: true }),
      _id: mongoose.trusted({ $nin: queue.held }),
    })
      .setOptions({ anyOwner: true })
      .sort({ startsAt: 1 })
      .limit(BATCH)
      .lean<MeetingDoc[]>();
    await queue.each(waiting, { log, keyOf: ({ _id }) => _id, work: tellOne, tell: askToTellThem });
    if (waiting.length < BATCH) return;
  }
}

const tellOne = ({ _id, ownerId }: MeetingDoc): Promise<void> =>
  inTransaction(async () => {
    const meeting = await MeetingModel.findOneAndUpdate(
      { _id, ownerId, "untold.by": mongoose.trusted({ $exists: true }) },
      { $unset: { untold: "" } },
      { returnDocument: "before", lean: true, timestamps: false },
    );
    const { untold } = meeting ?? {};
    if (!meeting?.caseId || !untold) return;
    // What was cancelled or moved meanwhile is told, if at all, by whatever did that.
    if (untold.purpose === "invitation" && !isHolding(meeting.status)) return;
    const [theCase] = await findVisibleCases(systemScope(ownerId), [meeting.caseId]);
    const userName = await standsFor(ownerId, untold.by);
    const scope = { ...systemScope(ownerId), userId: untold.by, userName };
    await tellParties(scope, meeting, theCase ?? null, untold.purpose);
  });

/** Whoever booked it can do what the product cannot. */
async function askToTellThem({ ownerId, startsAt, createdBy }: MeetingDoc): Promise<void> {
  const { longDay } = await practiceDates(ownerId);
  const title = `Nobody was told of an appointment on ${longDay(startsAt)}: look into your calendar, and tell them yourself`;
  const task = { title, dueOn: null, assigneeId: createdBy, caseId: null, clientId: null };
  await createTasks(systemScope(ownerId), [task]);
}
