import { CaseModel } from "./cases.model.ts";

/** Nobody said yet what the agreements of these cases say of confidences, nor let anything out of them. */
export async function noAgreementsYet(): Promise<void> {
  const set = { $set: { confidences: null, agreements: [], disclosures: [] } };
  await CaseModel.collection.updateMany({ agreements: { $exists: false } }, set);
}

/** What was recorded before it said which files may go, and to whom, lets out none. */
export async function disclosuresOfNothing(): Promise<void> {
  await CaseModel.collection.updateMany(
    { disclosures: { $elemMatch: { fileIds: { $exists: false } } } },
    { $set: { "disclosures.$[old].fileIds": [], "disclosures.$[old].to": [], "disclosures.$[old].hasReport": false } },
    { arrayFilters: [{ "old.fileIds": { $exists: false } }] },
  );
}
