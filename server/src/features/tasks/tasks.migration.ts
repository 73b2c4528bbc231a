import mongoose from "mongoose";
import { TaskModel } from "./tasks.model.ts";

/** Tasks that followed from a screening, from before a task could say which permission it needs. */
export async function tasksThatNeedMore(): Promise<void> {
  await TaskModel.updateMany(
    { title: mongoose.trusted({ $regex: "^Safety: decide what follows from the screening of P\\d" }), needs: null },
    { $set: { needs: "screening.read" } },
  ).setOptions({ anyOwner: true });
}
