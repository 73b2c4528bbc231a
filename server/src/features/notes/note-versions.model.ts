import mongoose from "mongoose";
import type { NoteVersion } from "@app/shared/notes";
import { type RichText, richTextSchema } from "@app/shared/rich-text";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

export interface NoteVersionDoc {
  _id: string;
  ownerId: string;
  noteId: string;
  version: number;
  body: RichText;
  savedAt: Date;
  /** None from before this was kept. */
  savedBy?: string;
  savedByName: string;
}

const required = { type: String, required: true };

const noteVersionMongooseSchema = new mongoose.Schema<NoteVersionDoc>(
  {
    _id: { type: String, default: newId },
    noteId: required,
    version: { type: Number, required: true },
    body: { type: mongoose.Schema.Types.Mixed, required: true },
    savedAt: { type: Date, required: true },
    savedBy: String,
    savedByName: required,
  },
  { collection: "note_versions", versionKey: false, minimize: false },
);
noteVersionMongooseSchema.plugin(owned);
noteVersionMongooseSchema.index({ ownerId: 1, noteId: 1, version: -1 }, { unique: true });

export const NoteVersionModel = mongoose.model("NoteVersion", noteVersionMongooseSchema);

export const toNoteVersion = ({ version, body, savedAt, savedByName }: NoteVersionDoc): NoteVersion => ({
  version,
  body: richTextSchema.parse(body),
  savedAt: savedAt.toISOString(),
  savedByName,
});
