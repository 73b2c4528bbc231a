import mongoose from "mongoose";
import { owned } from "../../core/owned.ts";

export interface LeadSettingsDoc {
  /** The practice's. */
  _id: string;
  ownerId: string;
  isReplyOn: boolean;
}

const leadSettingsSchema = new mongoose.Schema<LeadSettingsDoc>(
  { _id: { type: String, required: true }, isReplyOn: { type: Boolean, required: true } },
  { collection: "lead_settings", versionKey: false },
);
leadSettingsSchema.plugin(owned);

export const LeadSettingsModel = mongoose.model("LeadSettings", leadSettingsSchema);
