import mongoose from "mongoose";
import { type AssessmentDoc, AssessmentModel } from "./assessments.model.ts";

type HeldBy = Pick<AssessmentDoc, "_id" | "caseId" | "partyId" | "mediatorId" | "attendedOn" | "meetingId">;

/** What these are recorded to have held on these days in other cases than this. */
export const heldElsewhereBy = (
  ownerId: string,
  { caseId, mediatorIds, days }: { caseId: string; mediatorIds: readonly string[]; days: readonly string[] },
): Promise<HeldBy[]> =>
  AssessmentModel.find(
    {
      ownerId,
      caseId: mongoose.trusted({ $ne: caseId }),
      mediatorId: mongoose.trusted({ $in: [...mediatorIds] }),
      attendedOn: mongoose.trusted({ $in: [...days] }),
      status: "held",
      isComplete: true,
    },
    { caseId: 1, partyId: 1, mediatorId: 1, attendedOn: 1, meetingId: 1 },
  ).lean();
