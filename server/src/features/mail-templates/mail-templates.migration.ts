import mongoose from "mongoose";
import type { Logger } from "../../core/logger.ts";
import { INVITATIONS } from "./invitation-templates.ts";

/** Letters of invitation that no practice has changed say by when to answer, as those of new practices do. */
export async function repliesOfInvitations(log: Logger): Promise<void> {
  const templates = mongoose.connection.collection("mail_templates");
  let changed = 0;
  for (const { starterKey, body } of Object.values(INVITATIONS).flat()) {
    const { modifiedCount } = await templates.updateMany({ starterKey, version: 0 }, { $set: { body } });
    changed += modifiedCount;
  }
  log.info({ changed }, "letters of invitation say by when to answer");
}
