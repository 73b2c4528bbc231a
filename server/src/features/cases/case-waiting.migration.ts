import mongoose from "mongoose";
import { ENDED_STATUSES } from "@app/shared/case-states";
import { inTransaction } from "../../core/database.ts";
import { count, derive } from "./case-changes.service.ts";
import { CaseModel } from "./cases.model.ts";

/** Whom open cases wait for, from before all but one side leaving made them wait for the practice. */
export async function whomCasesWaitFor(): Promise<void> {
  const open = { status: mongoose.trusted({ $nin: [...ENDED_STATUSES] }) };
  const docs = CaseModel.find(open).setOptions({ anyOwner: true }).lean().cursor();
  for await (const before of docs) {
    const after = derive(before);
    const { ownerId, _id, version } = before;
    const { waitingFor, waitingSince } = after;
    if (waitingFor === before.waitingFor) continue;
    await inTransaction(async () => {
      const change = { $set: { waitingFor, waitingSince } };
      const { matchedCount } = await CaseModel.updateOne({ ownerId, _id, version }, change, { timestamps: false });
      if (matchedCount > 0) await count(ownerId, [before], [after]);
    });
  }
}
