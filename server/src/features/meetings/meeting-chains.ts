import mongoose from "mongoose";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

/**
 * The meeting with all that it was moved from and to. Its name in the party's calendar stays the same, and all but the
 * last have the status "rescheduled".
 */
export async function chainOf(ownerId: string, id: string, partyId: string): Promise<MeetingDoc[]> {
  const meeting = await MeetingModel.findOne({ ownerId, _id: id }).lean();
  const uid = meeting?.uids.find((one) => one.partyId === partyId)?.uid;
  return uid ? MeetingModel.find({ ownerId, uids: mongoose.trusted({ $elemMatch: { uid } }) }).lean() : [];
}
