// Who has a text open at the moment, and who of them writes.
import mongoose from "mongoose";
import type { z } from "zod";
import { ATTENDING_MS, type Attendants, type attendTextSchema } from "@app/shared/document-templates";
import { now } from "../../core/clock.ts";
import { owned } from "../../core/owned.ts";
import type { Scope } from "../../core/trpc.ts";

interface AttendantDoc {
  /** The text and the person. */
  _id: string;
  ownerId: string;
  textId: string;
  userId: string;
  name: string;
  isWriting: boolean;
  at: Date;
}

const required = { type: String, required: true };
const attendantMongooseSchema = new mongoose.Schema<AttendantDoc>(
  {
    _id: required,
    textId: required,
    userId: required,
    name: required,
    isWriting: Boolean,
    at: { type: Date, required: true },
  },
  { collection: "document_attendants", versionKey: false },
);
attendantMongooseSchema.plugin(owned);
attendantMongooseSchema.index({ ownerId: 1, textId: 1, at: 1 });
attendantMongooseSchema.index({ at: 1 }, { expireAfterSeconds: 3600 });
const AttendantModel = mongoose.model("DocumentAttendant", attendantMongooseSchema);

const SHOWN_MAX = 20;

/** Notes that this person has the text open, and says who else has. */
export async function attend(
  { ownerId, userId, userName }: Scope,
  { id, isWriting }: z.output<typeof attendTextSchema>,
): Promise<Attendants> {
  const at = now();
  await AttendantModel.updateOne(
    { ownerId, _id: `${id}:${userId}` },
    { $set: { textId: id, userId, name: userName, isWriting, at } },
    { upsert: true },
  );
  const since = new Date(at.getTime() - ATTENDING_MS.lasts);
  const docs = await AttendantModel.find({
    ownerId,
    textId: id,
    userId: mongoose.trusted({ $ne: userId }),
    at: mongoose.trusted({ $gt: since }),
  })
    .sort({ name: 1, _id: 1 })
    .limit(SHOWN_MAX)
    .lean();
  return { others: docs.map((doc) => ({ userId: doc.userId, name: doc.name, isWriting: doc.isWriting })) };
}
