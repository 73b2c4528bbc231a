import { CaseModel } from "./cases.model.ts";

/** Nobody said yet what the agreements of these cases say of confidences, nor let anything out of them. */
export async function noAgreementsYet(): Promise<void> {
  const set = { $set: { confidences: null, agreements: [], disclosures: [] } };
  await CaseModel.collection.updateMany({ agreements: { $exists: false } }, set);
}
