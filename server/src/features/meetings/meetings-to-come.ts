import { HOLDING_STATUSES } from "@app/shared/meeting-states";
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { MeetingModel } from "./meetings.model.ts";

const MEETINGS_MAX = 50;

/** The meetings of a case that are still to come, the next first. */
export const meetingsToCome = (ownerId: string, caseId: string) =>
  MeetingModel.find({
    ownerId,
    caseId,
    status: mongoose.trusted({ $in: [...HOLDING_STATUSES] }),
    startsAt: mongoose.trusted({ $gt: now() }),
  })
    .sort({ startsAt: 1 })
    .limit(MEETINGS_MAX)
    .lean();
