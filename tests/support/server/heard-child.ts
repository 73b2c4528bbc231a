// A family whose child may be heard, and the ways to book a meeting with them.
import { newId } from "@app/server/core/ids";
import type { Case } from "@app/shared/cases";
import { type Inclusion, NOT_INCLUDED } from "@app/shared/child-inclusive";
import type { CreateMeeting } from "@app/shared/meetings";
import mongoose from "mongoose";
import { registerForChildren } from "./assessments.ts";
import { aCase, aMeetingInput, ledBy, type TestPerson, type TestPractice } from "./people.ts";

export const GIVEN = { state: "given" as const, on: "2026-01-02" };
export const CONSENT = { ...GIVEN, how: "in_writing" as const };

export const fieldsOf = ({ children: _children, ...theCase }: Case) => {
  const { domain, issueScope, matter, format, mediators, staffIds, referral, flags, startedOn, nextReviewOn } = theCase;
  return { domain, issueScope, matter, format, mediators, staffIds, referral, flags, startedOn, nextReviewOn };
};

export async function setChild(
  { api }: Pick<TestPerson, "api">,
  caseId: string,
  cim: Inclusion,
  child: { dateOfBirth?: string } = {},
): Promise<Case> {
  const theCase = await api.cases.get.query({ id: caseId });
  const [known] = theCase.children;
  const childId = known?.childId ?? newId();
  const children = [{ childId, firstName: "Leo", dateOfBirth: "2014-03-03", livesWith: "", ...child, cim }];
  return api.casework.update.mutate({ ...fieldsOf(theCase), id: caseId, version: theCase.version, children });
}

/** A case that its owner mediates, who is registered for children, both of whose parties are parents, with every consent there. */
export async function aFamily(practice: TestPractice, overrides: Parameters<typeof aCase>[1] = {}) {
  await registerForChildren(practice);
  const made = await aCase(practice, { ...ledBy(practice.ownerId), ...overrides });
  const { theCase, p1, p2 } = made;
  await begun(theCase);
  const cim: Inclusion = {
    ...NOT_INCLUDED,
    isOffered: true,
    responsibility: [p1, p2].map(({ partyId }) => ({ partyId, isHeld: true })),
    parents: [p1, p2].map(({ partyId }) => ({ partyId, ...CONSENT })),
    child: GIVEN,
    voice: { offeredOn: "2026-01-01", outcome: "wants_to" },
  };
  await setChild(practice, theCase.id, cim);
  return { ...made, cim };
}

/** As if both had come to their first meetings and signed, and mediated since. */
async function begun({ id }: Case): Promise<void> {
  const days = { "parties.$[].miamOn": "2026-01-02", "parties.$[].agreementSignedOn": "2026-01-02" };
  const standing = { "parties.$[].consentedOn": "2026-01-02", "parties.$[].leftAt": null, ...days };
  await mongoose.connection
    .collection<{ _id: string }>("cases")
    .updateOne({ _id: id }, { $set: { status: "in_mediation", "parties.$[].status": "active", ...standing } });
}

let day = 0;
export const aTime = () => new Date(Date.UTC(2030, 0, 5 + (day += 1), 9)).toISOString();

export const bookChild = (
  practice: TestPractice,
  caseId: string,
  overrides: Partial<CreateMeeting> = {},
  { api }: Pick<TestPerson, "api"> = practice,
) =>
  api.meetings.create.mutate(aMeetingInput(practice.ownerId, { type: "cim", caseId, startsAt: aTime(), ...overrides }));
