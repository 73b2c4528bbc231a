// What somebody was asked to do for one client in one case, found again by the words in which they were asked.
import mongoose from "mongoose";
import { type TaskDoc, TaskModel } from "./tasks.model.ts";

interface Asked {
  ownerId: string;
  caseId: string;
  clientId: string;
  /** A task is meant whose title has any of these in it. */
  words: readonly string[];
}

async function askedAs({ ownerId, caseId, clientId, words }: Asked, status: TaskDoc["status"][]): Promise<string[]> {
  const found = await TaskModel.find(
    { ownerId, caseId, clientId, status: mongoose.trusted({ $in: status }) },
    { title: 1 },
  ).lean();
  return found.filter(({ title }) => words.some((some) => title.includes(some))).map(({ _id }) => _id);
}

/** Whether somebody says that they did it. */
export const wasDone = async (asked: Asked): Promise<boolean> => (await askedAs(asked, ["done"])).length > 0;

/** Nobody is to do it any more. */
export async function callOff(asked: Asked): Promise<void> {
  const ids = await askedAs(asked, ["open", "doing"]);
  await TaskModel.updateMany(
    { ownerId: asked.ownerId, _id: mongoose.trusted({ $in: ids }) },
    { $set: { status: "cancelled", isOpen: false }, $inc: { version: 1 } },
  );
}
