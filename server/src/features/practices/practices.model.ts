import mongoose, { type InferSchemaType, Schema } from "mongoose";

// Keyed by the owner's user id: one document is one practice.
const practiceSchema = new Schema(
  {
    _id: { type: String, required: true },
    practice_name: { type: String, required: true },
    time_zone: { type: String, required: true },
    currency: { type: String, required: true },
    // May be empty, which mongoose's `required` would refuse.
    case_number_prefix: { type: String, default: "" },
    is_two_factor_required: { type: Boolean, required: true, default: false },
    // From the day of the meeting; only a practice that chose otherwise has another word here.
    certificates_count_from: { type: String, required: true, default: "attendance" },
    // Calendar days on which the practice is closed.
    holidays: { type: [String], required: true, default: [] },
    version: { type: Number, required: true, default: 0 },
  },
  { collection: "settings", versionKey: false },
);
// Set here, because in the options it would loosen the type of every field.
practiceSchema.set("timestamps", { createdAt: "created_at", updatedAt: "updated_at" });

export const PracticeModel = mongoose.model("Practice", practiceSchema);
export type PracticeDoc = InferSchemaType<typeof practiceSchema>;

const guardSchema = new Schema(
  { _id: { type: String, required: true } },
  { collection: "installation", versionKey: false },
);

/** Its one document exists as soon as the installation has a practice: whoever inserts it was first. */
export const FirstPracticeModel = mongoose.model("FirstPractice", guardSchema);
export const FIRST_PRACTICE_ID = "first_practice";
