import mongoose from "mongoose";
import type { CreateTemplate } from "@app/shared/mail-templates";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

export interface TemplateDoc extends CreateTemplate {
  _id: string;
  ownerId: string;
  /** Which of those that every practice begins with; null for one of its own. */
  starterKey: string | null;
  deletedAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const required = { type: String, required: true };

const templateMongooseSchema = new mongoose.Schema<TemplateDoc>(
  {
    _id: { type: String, default: newId },
    name: required,
    subject: required,
    body: { type: mongoose.Schema.Types.Mixed, required: true },
    starterKey: { type: String, default: null },
    deletedAt: { type: Date, default: null },
    version: { type: Number, default: 0 },
  },
  { timestamps: true, collection: "mail_templates", versionKey: false },
);
templateMongooseSchema.plugin(owned);
templateMongooseSchema.index({ ownerId: 1, deletedAt: 1, name: 1 });
// Two people may open the list of a new practice at once: each starter is made once.
templateMongooseSchema.index(
  { ownerId: 1, starterKey: 1 },
  { unique: true, partialFilterExpression: { starterKey: { $type: "string" } } },
);

export const TemplateModel = mongoose.model("MailTemplate", templateMongooseSchema);
