import type { InProgress } from "@app/shared/submissions";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getPublished } from "../forms/form-versions.service.ts";
import { seenBy } from "./answer-readers.ts";
import { SubmissionModel } from "./submissions.model.ts";

/** How many people are filling in which version: numbers alone, because what they say is still their own. */
export async function countInProgress(scope: Scope, id: string): Promise<InProgress> {
  const { ownerId, userId } = scope;
  const { kind } = await getPublished(ownerId, id);
  // Forms for enquiries are the owner's alone.
  if (kind === "lead" && ownerId !== userId) throw notFound("Form");
  const found = await SubmissionModel.aggregate<{ _id: number; count: number }>([
    { $match: { $and: [await seenBy(scope)], ownerId, formId: id, status: "in_progress" } },
    { $group: { _id: "$formNumber", count: { $sum: 1 } } },
    { $sort: { _id: -1 } },
  ]);
  return { versions: found.map(({ _id: number, count }) => ({ number, count })) };
}
