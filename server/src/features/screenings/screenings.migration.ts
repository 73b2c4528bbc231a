import mongoose from "mongoose";
import { z } from "zod";
import { decrypt } from "../../core/crypto.ts";
import { placeOf, seal } from "./screenings.model.ts";

const oldScreeningSchema = z.object({ _id: z.string(), ownerId: z.string(), contentEnc: z.string() });
const oldContentSchema = z.looseObject({ isAlone: z.boolean().nullable().optional() });

/** That somebody was alone, or was not, becomes who was with them: of whoever was there all that is known is that they were. */
export async function companyOfScreenings(): Promise<void> {
  const screenings = mongoose.connection.collection<{ _id: string }>("screenings");
  for await (const stored of screenings.find({}, { batchSize: 100 })) {
    const { _id, ownerId, contentEnc } = oldScreeningSchema.parse(stored);
    const { isAlone, ...content } = oldContentSchema.parse(JSON.parse(decrypt(contentEnc, placeOf(ownerId, _id))));
    if (isAlone === undefined) continue;
    const company = isAlone === null ? null : isAlone ? "nobody" : "other";
    const $set = { contentEnc: seal(ownerId, _id, { ...content, company }) };
    await screenings.updateOne({ _id, contentEnc }, { $set });
  }
}
