// What somebody was asked to do in a case, found again by what it is about.
import mongoose from "mongoose";
import { type TaskDoc, TaskModel } from "./tasks.model.ts";

interface Asked {
  ownerId: string;
  caseId: string | null;
  abouts: readonly string[];
}

const askedAs = ({ ownerId, caseId, abouts }: Asked, status: TaskDoc["status"][]) => ({
  ownerId,
  caseId,
  about: mongoose.trusted({ $in: [...abouts] }),
  status: mongoose.trusted({ $in: status }),
});

/** Whether somebody says that they did one of these. */
export const wasDone = async (asked: Asked): Promise<boolean> =>
  (await TaskModel.exists(askedAs(asked, ["done"]))) !== null;

const TITLES_MAX = 20;

/** What is still to be done of these, in the words of the tasks. */
export async function openTitles(asked: Asked): Promise<string[]> {
  const found = await TaskModel.find(askedAs(asked, ["open", "doing"]), { title: 1 })
    .sort({ _id: 1 })
    .limit(TITLES_MAX)
    .lean();
  return found.map(({ title }) => title);
}

const NOT_TO_DO = { $set: { status: "cancelled", isOpen: false }, $inc: { version: 1 } } as const;

/** Nobody is to do any of these any more. */
export async function callOff(asked: Asked): Promise<void> {
  await TaskModel.updateMany(askedAs(asked, ["open", "doing"]), NOT_TO_DO);
}

/** The same of tasks that are known themselves. */
export async function callOffTasks({ ownerId, ids }: { ownerId: string; ids: readonly string[] }): Promise<void> {
  const open = { _id: mongoose.trusted({ $in: [...ids] }), isOpen: true };
  await TaskModel.updateMany({ ownerId, ...open }, NOT_TO_DO);
}
