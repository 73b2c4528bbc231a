// What somebody was asked to do in a case, found again by what it is about.
import mongoose from "mongoose";
import { type TaskDoc, TaskModel } from "./tasks.model.ts";

interface Asked {
  ownerId: string;
  caseId: string;
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

/** Nobody is to do any of these any more. */
export async function callOff(asked: Asked): Promise<void> {
  await TaskModel.updateMany(askedAs(asked, ["open", "doing"]), {
    $set: { status: "cancelled", isOpen: false },
    $inc: { version: 1 },
  });
}
