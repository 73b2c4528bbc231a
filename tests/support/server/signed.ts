// Cases whose parties have signed the agreement to mediate.
import { AssessmentModel } from "@app/server/features/assessments/assessments.model";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { newId } from "@app/server/core/ids";
import type { PartyStatus } from "@app/shared/case-states";
import type { Case, CreateCase } from "@app/shared/cases";
import type { Confidences } from "@app/shared/confidences";
import { aCase, type TestPractice } from "./people.ts";

export const SIGNED_ON = "2026-01-05";

/** Whoever signed in this case did so on this day, before what is to be held there. */
export const signedBefore = ({ ownerId }: Pick<TestPractice, "ownerId">, caseId: string, on = SIGNED_ON) =>
  CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { "parties.$[].agreementSignedOn": on } });

/** The same of all that a death cannot come before: they had come to their first meeting, consented and signed by this day. */
export async function metBefore(
  practice: Pick<TestPractice, "ownerId">,
  caseId: string,
  on = SIGNED_ON,
): Promise<void> {
  const { ownerId } = practice;
  const days = { "parties.$[].miamOn": on, "parties.$[].consentedOn": on };
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: days });
  await AssessmentModel.updateMany({ caseId, ownerId }, { $set: { attendedOn: on } });
  await signedBefore(practice, caseId, on);
}

/** Puts each party of a case where it is said, as if all steps before had been taken. */
export async function standingAt(practice: TestPractice, caseId: string, statuses: PartyStatus[]): Promise<Case> {
  const set = Object.fromEntries(statuses.map((status, index) => [`parties.${index}.status`, status]));
  await CaseModel.updateOne({ _id: caseId, ownerId: practice.ownerId }, { $set: set });
  return practice.api.cases.get.query({ id: caseId });
}

export const sign = (
  practice: TestPractice,
  { id, version, parties }: Case,
  { index = 0, confidences }: { index?: number; confidences: Confidences | null },
): Promise<Case> =>
  practice.api.casework.moveParty.mutate({
    id,
    version,
    partyId: parties[index]?.partyId ?? "",
    to: "agreement_signed",
    on: SIGNED_ON,
    reason: "",
    confidences,
  });

/** A case of two parties: the first has signed this, and the second too unless it is said otherwise. */
export async function aSignedCase(
  practice: TestPractice,
  confidences: Confidences,
  { domain = "family", isSecondSigned = true }: { domain?: CreateCase["domain"]; isSecondSigned?: boolean } = {},
) {
  const built = await aCase(practice, { domain });
  const ready = await standingAt(practice, built.theCase.id, ["suitable", "suitable"]);
  const first = await sign(practice, ready, { confidences });
  const theCase = isSecondSigned ? await sign(practice, first, { index: 1, confidences: null }) : first;
  return { ...built, theCase };
}

/** A court orders that something of this case is told to it. */
export async function orderOfCourt(practice: Pick<TestPractice, "api">, caseId: string): Promise<Case> {
  const { version } = await practice.api.cases.get.query({ id: caseId });
  return practice.api.casework.recordDisclosure.mutate({
    id: caseId,
    version,
    disclosureId: newId(),
    what: "That they came, to the Family Court",
    fileIds: [],
    to: [],
    hasReport: true,
    ground: { kind: "order", on: SIGNED_ON, reference: "Family Court, ZC26P01" },
  });
}
