import { CaseModel } from "@app/server/features/cases/cases.model";
import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import mongoose from "mongoose";
import { anAssessment, authoriseStored } from "./assessments.ts";
import type { TestPractice } from "./people.ts";

const CASE_STEPS: CaseStatus[] = ["enquiry", "intake", "awaiting_second_party", "assessing", "ready", "in_mediation"];
const PARTY_STEPS: [PartyStatus, PartyStatus][] = [
  ["to_invite", "responded"],
  ["responded", "intake_done"],
  ["intake_done", "miam_booked"],
  ["miam_booked", "miam_attended"],
  ["suitable", "agreement_signed"],
];
const END_BEFORE = { ending: null, outcome: null, concludedOn: "" };

const step = (from: string, to: string, at: Date, rest: object) => ({ from, to, at, since: at, reason: "", ...rest });

/**
 * Stores that mediation has begun in this case, whose parties were screened and signed an agreement that keeps
 * confidences, with all the steps on the way; only the MIAMs are recorded by the calls that the page makes. False where
 * another process keeps the case: then nothing is stored.
 */
export async function mediated({ api, ownerId }: Pick<TestPractice, "api" | "ownerId">, theCase: Case, on: string) {
  if (mongoose.connection.readyState !== mongoose.ConnectionStates.connected) return false;
  const { id: caseId, domain, parties } = theCase;
  const update = (set: object) => CaseModel.updateOne({ _id: caseId, ownerId }, { $set: set });
  const days = { respondedOn: on, intakeDoneOn: on };
  const each = (set: object) =>
    Object.fromEntries(Object.entries(set).map(([name, value]) => [`parties.$[].${name}`, value]));
  const { matchedCount } = await update(each({ ...days, status: "miam_booked" }));
  if (matchedCount === 0) return false;

  await authoriseStored(ownerId);
  if (domain === "family")
    for (const { partyId } of parties)
      await api.assessments.record.mutate(anAssessment({ caseId, partyId, mediatorId: ownerId }, { attendedOn: on }));

  const now = new Date();
  const signed = { statusSince: now, agreementSignedOn: on, consentedOn: on, miamOn: on, assessedOn: on };
  const ofParty = { on, isOwnDecision: null, dayBefore: "" };
  const steps = PARTY_STEPS.map(([from, to]) => step(from, to, now, ofParty));
  const before = parties.map(({ partyId }) => ({ partyId, status: "agreement_signed", statusSince: now }));
  const agreement = { from: null, to: "kept", on, reason: "", partyId: parties[0]?.partyId, signatures: [], at: now };
  await update({
    ...each({ ...signed, status: "active", steps }),
    status: "in_mediation",
    statusSince: now,
    steps: CASE_STEPS.slice(1).map((to, index) =>
      step(CASE_STEPS[index] ?? "", to, now, {
        endBefore: END_BEFORE,
        partiesBefore: to === "in_mediation" ? before : [],
      }),
    ),
    waitingFor: "nobody",
    waitingSince: now,
    confidences: "kept",
    agreements: [agreement],
  });
  return true;
}
