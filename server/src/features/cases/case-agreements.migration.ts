import { isSentBack } from "@app/shared/case-transitions";
import mongoose from "mongoose";
import { CaseModel } from "./cases.model.ts";

/** Nobody said yet what the agreements of these cases say of confidences, nor let anything out of them. */
export async function noAgreementsYet(): Promise<void> {
  const set = { $set: { confidences: null, agreements: [], disclosures: [] } };
  await CaseModel.collection.updateMany({ agreements: { $exists: false } }, set);
}

/** What was recorded before it said which files may go, and to whom, lets out none. */
export async function disclosuresOfNothing(): Promise<void> {
  const fields = { fileIds: [], hasReport: false, to: [] };
  const set = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`disclosures.$[old].${name}`, value]));
  // By the field that is set last: the embedded database looks at the filter again before it sets each of them.
  await CaseModel.collection.updateMany(
    { disclosures: { $elemMatch: { to: { $exists: false } } } },
    { $set: set },
    { arrayFilters: [{ "old.to": { $exists: false } }] },
  );
}

/** From before a new agreement was signed by each party. */
export async function signaturesOfAgreements(): Promise<void> {
  await CaseModel.collection.updateMany({ newAgreement: { $exists: false } }, { $set: { newAgreement: null } });
  await CaseModel.collection.updateMany(
    { agreements: { $elemMatch: { signatures: { $exists: false } } } },
    { $set: { "agreements.$[old].signatures": [] } },
    { arrayFilters: [{ "old.signatures": { $exists: false } }] },
  );
}

/** From before anybody was asked whether the others may be contacted. */
export async function nobodyAskedOfContact(): Promise<void> {
  await CaseModel.collection.updateMany(
    { parties: { $elemMatch: { contactAgreement: { $exists: false } } } },
    { $set: { "parties.$[old].contactAgreement": null } },
    { arrayFilters: [{ "old.contactAgreement": { $exists: false } }] },
  );
}

/** Cases that came back to mediation before that was asked anew keep what was agreed in the round before, though nobody signed since. */
export async function confidencesOfEarlierRounds(): Promise<void> {
  const agreed = { confidences: mongoose.trusted({ $ne: null }), "rounds.0": mongoose.trusted({ $exists: true }) };
  const docs = CaseModel.find(agreed).setOptions({ anyOwner: true }).lean().cursor();
  for await (const { _id, ownerId, version, steps, parties, agreements, confidences, newAgreement } of docs) {
    const index = steps.findLastIndex(isSentBack);
    const back = steps[index];
    if (!back || back.agreedBefore) continue;
    const signed = parties.flatMap((party) => party.steps.filter(({ to }) => to === "agreement_signed"));
    if ([...signed, ...agreements].some(({ at }) => at > back.at)) continue;
    const set = {
      confidences: null,
      newAgreement: null,
      [`steps.${index}.agreedBefore`]: { confidences, newAgreement },
    };
    await CaseModel.updateOne({ _id, ownerId, version }, { $set: set }, { timestamps: false });
  }
}
