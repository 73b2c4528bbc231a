// A series notes with each of its meetings what the parties are to be told, and its mails are written after it is
// stored: written in its transaction, all of them would keep everybody else from its days.
import { isHolding } from "@app/shared/meeting-states";
import mongoose from "mongoose";
import { SECOND_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { standsFor } from "../users/users.service.ts";
import { tellParties } from "./meeting-notices.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

const stillToTell = () => ({ "untold.by": mongoose.trusted({ $exists: true }) });

/** Writes what waits, meeting by meeting: each once, in whichever process, also where one stopped in the middle. */
export const tellOfSeries = defineDueItems<MeetingDoc>({
  name: "tell of series",
  everyMs: 3 * SECOND_MS,
  takenOverAfterMs: 5 * SECOND_MS,
  owners: () => MeetingModel.distinct("ownerId", stillToTell()).setOptions({ anyOwner: true }),
  next: (ownerId, besides, max) =>
    MeetingModel.find({ ...stillToTell(), ownerId, _id: mongoose.trusted({ $nin: besides }) })
      .sort({ startsAt: 1 })
      .limit(max)
      .lean<MeetingDoc[]>(),
  work: tellOne,
  tell: askToTellThem,
});

/** Whether nobody was told of this meeting yet, so that they hear of it only as it is when they are. */
export const isStillToInvite = ({ untold }: Pick<MeetingDoc, "untold">): boolean => untold?.purpose === "invitation";

/** In the transaction of what they are to be told. */
export async function tellLater({ ownerId, userId }: Scope, { _id }: MeetingDoc, purpose: "cancellation") {
  const untold = { purpose, by: userId };
  await MeetingModel.updateOne({ ownerId, _id }, { $set: { untold } }, { timestamps: false });
}

function tellOne({ _id, ownerId }: MeetingDoc): Promise<void> {
  return inTransaction(async () => {
    const meeting = await MeetingModel.findOneAndUpdate(
      { _id, ownerId, ...stillToTell() },
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
}

/** Whoever booked it can do what the product cannot. */
async function askToTellThem({ ownerId, startsAt, createdBy }: MeetingDoc): Promise<void> {
  const { longDay } = await practiceDates(ownerId);
  const title = `Nobody was told of an appointment on ${longDay(startsAt)}: look into your calendar, and tell them yourself`;
  const task = { title, dueOn: null, assigneeId: createdBy, caseId: null, clientId: null };
  await createTasks(systemScope(ownerId), [task]);
}
