import type { countNewAnswersSchema, newAnswersSchema } from "@app/shared/submissions";
import type { z } from "zod";
import type { Scope } from "../../core/trpc.ts";
import { besidesEnquiries, seenBy } from "./answer-readers.ts";
import { SubmissionModel } from "./submissions.model.ts";

/** How many answers wait for somebody to look at them, form by form; what looks like spam is counted apart. */
export async function countNewAnswers(
  scope: Scope,
  { formIds }: z.output<typeof countNewAnswersSchema>,
): Promise<z.infer<typeof newAnswersSchema>> {
  const { ownerId } = scope;
  // Enquiries are worked on as leads; of them only what looks like spam waits here.
  const waiting = { status: "submitted", $or: [{ isSuspect: true }, { isSuspect: false, isEnquiry: false }] };
  const asked = { formId: { $in: formIds }, ...waiting };
  const items = await SubmissionModel.aggregate<{ formId: string; count: number; suspect: number }>([
    { $match: { $and: [await seenBy(scope), besidesEnquiries(scope), asked], ownerId } },
    { $group: { _id: "$formId", all: { $sum: 1 }, suspect: { $sum: { $cond: ["$isSuspect", 1, 0] } } } },
    { $project: { _id: 0, formId: "$_id", count: { $subtract: ["$all", "$suspect"] }, suspect: 1 } },
    { $sort: { formId: 1 } },
  ]);
  return { items };
}
