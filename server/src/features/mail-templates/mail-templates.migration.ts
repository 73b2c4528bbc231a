import mongoose from "mongoose";
import { mediatorTypeSchema, regionSchema } from "@app/shared/users";
import type { Logger } from "../../core/logger.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { invitationsOf } from "./invitation-templates.ts";
import { TemplateModel } from "./mail-templates.model.ts";

/** Letters of invitation that no practice has changed say what those of new practices in its region do. */
export async function wordsOfInvitations(log: Logger): Promise<void> {
  const templates = mongoose.connection.collection(TemplateModel.collection.name);
  const owners = await TemplateModel.distinct("ownerId").setOptions({ anyOwner: true });
  let changed = 0;
  for (const ownerId of owners) {
    const owner = await findIdentityUser(ownerId);
    if (!owner) continue;
    const region = regionSchema.parse(owner.region);
    for (const { starterKey, body } of mediatorTypeSchema.options.flatMap((kind) => invitationsOf(kind, region))) {
      const { modifiedCount } = await templates.updateMany({ ownerId, starterKey, version: 0 }, { $set: { body } });
      changed += modifiedCount;
    }
  }
  log.info({ changed }, "letters of invitation say what new ones say");
}
