import { takesParties } from "@app/shared/meeting-states";
import type { Meeting } from "@app/shared/meetings";
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { toMeetings } from "./meeting-mapping.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

const MEETINGS_OF_CASE_MAX = 200;

/** Those that are recorded as held, and those that have begun and of which nobody has said yet what came of them. */
export const begunMeetings = (ownerId: string, caseId: string): Promise<MeetingDoc[]> =>
  MeetingModel.find({
    ownerId,
    caseId,
    $or: [
      { status: "completed" },
      { status: mongoose.trusted({ $in: ["booked", "confirmed"] }), startsAt: mongoose.trusted({ $lte: now() }) },
    ],
  })
    .sort({ startsAt: 1, _id: 1 })
    .lean();

type Hours = Pick<MeetingDoc, "startsAt" | "endsAt">;

/** When each of these meetings is, or was. */
export async function hoursOf(ownerId: string, ids: readonly string[]): Promise<Map<string, Hours>> {
  const meant = { ownerId, _id: mongoose.trusted({ $in: [...ids] }) };
  const found = await MeetingModel.find(meant, { startsAt: 1, endsAt: 1 }).lean();
  return new Map(found.map(({ _id, startsAt, endsAt }) => [_id, { startsAt, endsAt }]));
}

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
