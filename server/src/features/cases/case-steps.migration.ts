import { CaseModel } from "./cases.model.ts";

/** Steps that were taken before are not known one by one, so none of them can be taken back. */
export async function noStepsYet(): Promise<void> {
  const set = { $set: { ending: null, steps: [], "parties.$[].steps": [] } };
  await CaseModel.collection.updateMany({ steps: { $exists: false } }, set);
}
