import type { Logger } from "../../core/logger.ts";
import { systemScope } from "../../core/system-scope.ts";
import { miamDays } from "../cases/miam-days.service.ts";
import { AssessmentModel } from "./assessments.model.ts";
import { bareAssessment, followAttendance } from "./attendance.service.ts";

/** Those who were not asked for by name; what a record says of its company stays what it said. */
export async function companyOfMiams(): Promise<void> {
  await AssessmentModel.collection.updateMany({ withPartyIds: { $exists: false } }, { $set: { withPartyIds: [] } });
}

/** Nothing was recorded of MIAMs that other services held. */
export async function noneElsewhere(): Promise<void> {
  const nothing = { service: "", accreditationNumber: "", evidence: "" };
  await AssessmentModel.collection.updateMany({ evidence: { $exists: false } }, { $set: nothing });
}

/** How it is known that another service held one was not asked: nothing is said of it until somebody looks and says so. */
export async function evidenceNotAsked(): Promise<void> {
  await AssessmentModel.collection.updateMany({ evidenceKind: { $exists: false } }, { $set: { evidenceKind: "" } });
}

/** What another service held moves nobody who has not come to the practice, nor does what somebody only told. */
export async function countedElsewhere(log: Logger): Promise<void> {
  const records = AssessmentModel.find({ origin: "elsewhere", status: "held" }, { ownerId: 1, caseId: 1, partyId: 1 })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  let looked = 0;
  for await (const { ownerId, caseId, partyId } of records) {
    try {
      await followAttendance(systemScope(ownerId), { caseId, partyId });
      looked += 1;
    } catch (error) {
      // Of one case that cannot change nobody's start is kept waiting: its gates ask the records anew.
      log.warn({ err: error, caseId }, "a MIAM held elsewhere was not looked at again");
    }
  }
  log.info({ looked }, "MIAMs held elsewhere looked at again");
}

/** The days that were noted at the parties become records. Nothing but the day is known of them, and nothing is made up. */
export async function recordsOfMiamDays(log: Logger): Promise<void> {
  let made = 0;
  for await (const { ownerId, caseId, partyId, clientId, miamOn: attendedOn } of miamDays()) {
    const isThere = await AssessmentModel.exists({ ownerId, caseId, partyId, attendedOn });
    if (isThere) continue;
    await AssessmentModel.create([
      bareAssessment(ownerId, { caseId, partyId, clientId, attendedOn, origin: "before_details" }),
    ]);
    made += 1;
  }
  log.info({ made }, "records of MIAM days made");
}
