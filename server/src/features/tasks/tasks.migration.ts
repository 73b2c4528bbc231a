import mongoose from "mongoose";
import { PARTY_LEAK } from "@app/shared/party-leak";
import { TaskModel } from "./tasks.model.ts";

/** Tasks that followed from a screening, from before a task could say which permission it needs. */
export async function tasksThatNeedMore(): Promise<void> {
  await TaskModel.updateMany(
    { title: mongoose.trusted({ $regex: "^Safety: decide what follows from the screening of P\\d" }), needs: null },
    { $set: { needs: "screening.read" } },
  ).setOptions({ anyOwner: true });
}

/** Tasks for somebody's safety, from before they stood before all others. */
export async function tasksForSafety(): Promise<void> {
  await TaskModel.collection.updateMany({ title: { $regex: "^Safety: " } }, { $set: { isSafety: true } });
  await TaskModel.collection.updateMany({ isSafety: { $exists: false } }, { $set: { isSafety: false } });
}

/** Tasks of mails that did not leave, from when the reason began with a code. */
export async function tasksWithoutCode(): Promise<void> {
  await TaskModel.collection.updateMany({ title: { $regex: PARTY_LEAK } }, [
    { $set: { title: { $replaceOne: { input: "$title", find: PARTY_LEAK, replacement: "" } } } },
  ]);
}

/** Tasks that say why a mail did not leave, from before a task could be for its assignee alone. */
export async function tasksOfOne(): Promise<void> {
  await TaskModel.collection.updateMany(
    { title: { $regex: "^(A message did not leave: |Tell .+ what a message says that did not leave: )" } },
    { $set: { isPersonal: true } },
  );
}
