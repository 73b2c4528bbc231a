import mongoose from "mongoose";
import type { Logger } from "../../core/logger.ts";
import { inTransaction } from "../../core/database.ts";
import { narrowLines } from "../history/history.service.ts";
import { NoteModel } from "./notes.model.ts";

/** Caucus notes that a party could read, from before that was refused: the practice's from now on, with what tells of them. */
export async function caucusNotesOfPractice(log: Logger): Promise<void> {
  const shown = {
    kind: "caucus" as const,
    "visibility.scope": mongoose.trusted({ $in: ["party", "shared"] as const }),
  };
  const docs = await NoteModel.find(shown, { ownerId: 1, visibility: 1 }).setOptions({ anyOwner: true }).lean();
  for (const { _id, ownerId, visibility } of docs) {
    const narrow = { scope: "staff" as const, partyIds: [], aboutPartyIds: visibility.aboutPartyIds };
    await inTransaction(async () => {
      await NoteModel.updateOne({ _id, ownerId, ...shown }, { $set: { visibility: narrow }, $inc: { version: 1 } });
      await narrowLines(ownerId, _id, narrow);
    });
  }
  log.info({ notes: docs.length }, "caucus notes are the practice's");
}

/** How long the text of each note is that the search reads. */
export async function sizesOfNotes(): Promise<void> {
  await NoteModel.collection.updateMany({ searchBytes: { $exists: false } }, [
    { $set: { searchBytes: { $strLenBytes: { $ifNull: ["$searchText", ""] } } } },
  ]);
}
