import { takesParties } from "@app/shared/meeting-states";
import type { Meeting } from "@app/shared/meetings";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { toMeetings } from "./meeting-mapping.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

const MEETINGS_OF_CASE_MAX = 200;

/** Those that are recorded as held. */
export const completedMeetings = (ownerId: string, caseId: string): Promise<MeetingDoc[]> =>
  MeetingModel.find({ ownerId, caseId, status: "completed" }).lean();

/** The meetings of a case at which somebody is met, whoever is asked to them, that take or took place, the last one first. */
export async function meetingsOfCase(scope: Scope, caseId: string): Promise<Meeting[]> {
  await getCase(scope, caseId);
  const docs = await MeetingModel.find({
    ownerId: scope.ownerId,
    caseId,
    status: mongoose.trusted({ $nin: ["proposed", "rescheduled", "cancelled", "expired", "no_show"] }),
  })
    .sort({ startsAt: -1, _id: -1 })
    .limit(MEETINGS_OF_CASE_MAX)
    .lean();
  return toMeetings(
    scope,
    docs.filter(({ type }) => type === "cim" || takesParties(type)),
  );
}
