// What is spam stands apart: in no column, no count and no report, until somebody says that it is none.
import mongoose from "mongoose";
import type { setSpamSchema, spamSetSchema } from "@app/shared/leads";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import type { Scope } from "../../core/trpc.ts";
import { askToAnswer } from "./lead-arrivals.ts";
import { markWithLead } from "./lead-spam-marks.service.ts";
import { endAnswerTask } from "./leads.service.ts";
import { LeadModel } from "./leads.model.ts";

/** Of what became a client nothing is spam. */
export async function setSpam(
  scope: Scope,
  { ids, isSpam }: z.output<typeof setSpamSchema>,
): Promise<z.infer<typeof spamSetSchema>> {
  const { ownerId, userName } = scope;
  return inTransaction(async () => {
    const docs = await LeadModel.find({
      ownerId,
      _id: mongoose.trusted({ $in: ids }),
      isSpam: isSpam ? mongoose.trusted({ $ne: true }) : true,
      status: mongoose.trusted({ $ne: "converted" as const }),
    }).lean();
    for (const doc of docs) {
      await LeadModel.updateOne(
        { ownerId, _id: doc._id },
        { $set: { isSpam, updatedByName: userName }, $inc: { version: 1 } },
      );
      await markWithLead(scope, { leadId: doc._id, isSpam });
      if (isSpam) await endAnswerTask(scope, doc._id);
      else if (doc.isOpen && doc.firstRespondedAt === null) await askToAnswer(doc);
    }
    return { changed: docs.length };
  });
}
