// A session was recorded in the wrong case and struck: what was written in it is no word of the parties of this case.
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { narrowLines } from "../history/history.service.ts";
import { NoteModel } from "./notes.model.ts";

/**
 * In the transaction that strikes a session: from now on its notes, and what was released of them, are read by the practice
 * alone, with what is told of them. Those that fewer of it read stay with these.
 */
export async function withdrawNotesOfSession(ownerId: string, sessionId: string): Promise<void> {
  const written = await NoteModel.distinct("_id", { ownerId, sessionId });
  const all = {
    ownerId,
    $or: [{ sessionId }, { releasedFromId: mongoose.trusted({ $in: written }) }],
  };
  const shown = { ...all, "visibility.scope": mongoose.trusted({ $in: ["party", "shared"] as const }) };
  for (const { _id, visibility } of await NoteModel.find(shown, { visibility: 1 }).lean()) {
    const narrow = { scope: "staff" as const, partyIds: [], aboutPartyIds: visibility.aboutPartyIds };
    await NoteModel.updateOne({ ownerId, _id }, { $set: { visibility: narrow } });
    await narrowLines(ownerId, _id, narrow);
  }
  await NoteModel.updateMany(all, { $set: { struckAt: now() }, $inc: { version: 1 } });
}
