import mongoose from "mongoose";
import { SessionModel } from "./sessions.model.ts";

/** Those of these meetings in which a session was held. */
export async function meetingsWithSession(ownerId: string, ids: string[]): Promise<Set<string>> {
  const docs = await SessionModel.find({ ownerId, meetingId: mongoose.trusted({ $in: ids }) }, { meetingId: 1 }).lean();
  return new Set(docs.map(({ meetingId }) => meetingId ?? ""));
}
