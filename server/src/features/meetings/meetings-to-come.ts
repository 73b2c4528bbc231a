import { HOLDING_STATUSES } from "@app/shared/meeting-states";
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { MeetingModel } from "./meetings.model.ts";

const MEETINGS_MAX = 50;

const toCome = () => ({
  status: mongoose.trusted({ $in: [...HOLDING_STATUSES] }),
  startsAt: mongoose.trusted({ $gt: now() }),
});

/** The meetings of a case that are still to come, the next first. */
export const meetingsToCome = (ownerId: string, caseId: string) =>
  MeetingModel.find({ ownerId, caseId, ...toCome() })
    .sort({ startsAt: 1 })
    .limit(MEETINGS_MAX)
    .lean();

const OF_MEDIATOR_MAX = 200;

/** Those that this mediator holds, the next first. */
export const meetingsToComeWith = (ownerId: string, mediatorId: string) =>
  MeetingModel.find({ ownerId, mediatorIds: mediatorId, ...toCome() })
    .sort({ startsAt: 1 })
    .limit(OF_MEDIATOR_MAX)
    .lean();

/** In which cases this mediator has meetings with children that are still to come. */
export const casesToCome = async (ownerId: string, mediatorId: string): Promise<string[]> => {
  const found = await MeetingModel.distinct("caseId", { ownerId, mediatorIds: mediatorId, type: "cim", ...toCome() });
  return found.filter((caseId) => caseId !== null);
};
