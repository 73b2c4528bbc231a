import { OLD_CERTIFICATE_SENTENCES, OLD_MIAM_RULES } from "@app/shared/miam-rules-2014-04-22";
import mongoose from "mongoose";
import type { Logger } from "../../core/logger.ts";
import { miamDays } from "../cases/miam-days.service.ts";
import { CertificateModel } from "./certificates.model.ts";

/**
 * What was issued under the old rules says what it said: number, reason and days stay, its sentence is written out, and
 * the day of the meeting is the one that it printed.
 */
export async function certificatesOfOldRules(log: Logger): Promise<void> {
  const days = new Map<string, string>();
  for await (const { caseId, partyId, miamOn } of miamDays()) days.set(`${caseId} ${partyId}`, miamOn);
  const docs = CertificateModel.find({ rules: mongoose.trusted({ $exists: false }) })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  let kept = 0;
  for await (const { _id, ownerId, caseId, partyId, reason, issuedOn } of docs) {
    const sentences = reason ? [OLD_CERTIFICATE_SENTENCES[reason]] : [];
    const attendedOn = days.get(`${caseId} ${partyId}`) ?? "";
    const old = { rules: OLD_MIAM_RULES, statements: [], sentences, attendedOn, countedFrom: issuedOn };
    const unknown = { conductedByName: "", serviceName: "", personName: "" };
    await CertificateModel.updateOne({ _id, ownerId }, { $set: { ...old, ...unknown } });
    kept += 1;
  }
  log.info({ kept }, "certificates of the old rules kept");
}
