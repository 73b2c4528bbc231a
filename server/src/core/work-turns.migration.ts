import mongoose from "mongoose";

/** Work that is found by what it is about, and not by a job for each. */
const NAMES = ["send mailing", "import data", "read mail signs", "check-mailbox"];

export async function noJobForEach(): Promise<void> {
  await mongoose.connection.collection("jobs").deleteMany({ name: { $in: NAMES } });
}
