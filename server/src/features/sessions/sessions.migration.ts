import type { Logger } from "../../core/logger.ts";
import { inTransaction } from "../../core/database.ts";
import { withdrawNotesOfSession } from "../notes/struck-notes.service.ts";
import { SessionModel } from "./sessions.model.ts";

/** Proposals in confidence that a party could read, from before that was refused: the practice's from now on. */
export async function caucusProposalsOfPractice(log: Logger): Promise<void> {
  const scope = { $in: ["party", "shared"] };
  const isInConfidence = { $exists: true };
  const { modifiedCount } = await SessionModel.collection.updateMany(
    { proposals: { $elemMatch: { "visibility.scope": scope, "visibility.aboutPartyIds.0": isInConfidence } } },
    {
      $set: { "proposals.$[shown].visibility.scope": "staff", "proposals.$[shown].visibility.partyIds": [] },
      $inc: { version: 1 },
    },
    { arrayFilters: [{ "shown.visibility.scope": scope, "shown.visibility.aboutPartyIds.0": isInConfidence }] },
  );
  log.info({ sessions: modifiedCount }, "proposals in confidence are the practice's");
}

/** Notes of sessions that were struck while their parties went on to read them. */
export async function notesOfStruckSessions(log: Logger): Promise<void> {
  const struck = await SessionModel.find({ status: "struck" }, { ownerId: 1 }).setOptions({ anyOwner: true }).lean();
  for (const { _id, ownerId } of struck) await inTransaction(() => withdrawNotesOfSession(ownerId, _id));
  log.info({ sessions: struck.length }, "notes of struck sessions are the practice's");
}
