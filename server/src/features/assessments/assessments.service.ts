import type { z } from "zod";
import type {
  Assessment,
  AssessmentDetails,
  correctAssessmentSchema,
  RecordAssessment,
  recordElsewhereSchema,
  strikeAssessmentSchema,
} from "@app/shared/assessments";
import type { Case } from "@app/shared/cases";
import { firstMeetingName } from "@app/shared/case-states";
import { isGrownUp } from "@app/shared/child-inclusive";
import { hasWord } from "@app/shared/has-word";
import { answersFor } from "@app/shared/team-access";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { badField, forbidden, missingWith, notFound, stale, wrongState } from "../../core/errors.ts";
import { mapInSlices } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { partyIn } from "../cases/case-parties.service.ts";
import { assertAlive } from "../cases/case-days.service.ts";
import { findCaseDoc, getCase, requireParty } from "../cases/cases.service.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { meetingBlockers } from "../conflicts/conflict-gates.service.ts";
import { isConflicted } from "../conflicts/conflicts.service.ts";
import { assertStillInOrder } from "../ladders/way-days.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { assertRiskAssessed } from "../screenings/screening-gates.service.ts";
import { restsOnStruck } from "../screenings/struck-grounds.service.ts";
import { type AssessmentDoc, AssessmentModel, contentOf, sealContent, toAssessment } from "./assessments.model.ts";
import { assertMayHaveAttended } from "./attendance-gates.service.ts";
import { assertOtherDay, assertPast } from "./assessment-days.ts";
import { assertPerson, bareAssessment, followAttendance } from "./attendance.service.ts";
import { assertOwnHours, conductorName } from "./conductors.ts";
import { assertNoCertificate, corrected, save, strike, tell, tellFollowers } from "./record-changes.service.ts";

definePartyTrace("a MIAM is recorded", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await AssessmentModel.exists({ ownerId, caseId, partyId })),
);

const ONLY_THEY_STRIKE =
  "The owner of the practice, a mediator of this case or whoever held this meeting strikes its record.";
const ASSESSMENTS_OF_CASE_MAX = 200;

export async function listAssessments(scope: Scope, caseId: string): Promise<{ items: Assessment[] }> {
  await getCase(scope, caseId);
  return { items: await assessmentsOfCase(scope, caseId) };
}

/** Those of a case, the latest first; for callers who asked whether it may be seen. */
export async function assessmentsOfCase(scope: Scope, caseId: string): Promise<Assessment[]> {
  const docs = await AssessmentModel.find({ ownerId: scope.ownerId, caseId })
    .sort({ attendedOn: -1, createdAt: -1 })
    .limit(ASSESSMENTS_OF_CASE_MAX)
    .lean();
  const isWithoutGround = await restsOnStruck(scope, caseId);
  return mapInSlices(docs, (doc) => toAssessment(scope, doc, isWithoutGround));
}

export async function getAssessment(scope: Scope, id: string): Promise<Assessment> {
  const { doc } = await findDoc(scope, id);
  return toAssessment(scope, doc, await restsOnStruck(scope, doc.caseId));
}

async function findDoc(scope: Scope, id: string): Promise<{ doc: AssessmentDoc; theCase: Case }> {
  const doc = await AssessmentModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Record of a meeting");
  return { doc, theCase: await missingWith("Record of a meeting", getCase(scope, doc.caseId)) };
}

type Attended = Pick<RecordAssessment, "caseId" | "partyId" | "attendedOn">;

/** The party who attended such a meeting; throws where this case, person or day can have none. */
async function whoAttended(scope: Scope, { caseId, partyId, attendedOn }: Attended) {
  const theCase = await getCase(scope, caseId);
  const party = requireParty(theCase, partyId);
  const { clientId, label } = party;
  assertHasMiams(theCase);
  await assertPerson(scope, clientId);
  await assertChecked(scope, theCase, partyId);
  await assertPast(scope, theCase, attendedOn);
  await assertAlive(scope, party, "attendedOn", attendedOn);
  return { theCase, clientId, label };
}

/** Records that a party attended, with all that is asked of such a meeting; the party's way in the case follows. */
export async function recordAssessment(scope: Scope, input: RecordAssessment): Promise<Assessment> {
  const { caseId, partyId, ...details } = input;
  const { theCase, clientId, label } = await whoAttended(scope, input);
  await assertMayHaveAttended(scope, { caseId, partyId, field: "attendedOn", on: details.attendedOn });
  assertOthers(theCase, partyId, details.withPartyIds);
  assertChildren(theCase, details);
  await assertOfAge(scope, clientId, details);
  const { attendedOn } = details;
  const bare = bareAssessment(scope.ownerId, { caseId, partyId, clientId, attendedOn, origin: "recorded" });
  const stored = await filled(scope, bare, details);
  return storing(async () => {
    await AssessmentModel.create([stored]);
    await tell(scope, stored, `${await meetingName(scope, theCase)} of ${label} recorded`);
    await followAttendance(scope, { caseId, partyId });
    return toAssessment(scope, stored);
  });
}

/** Fills in what is missing; what is there is changed with a reason, and only while no certificate stands on it. */
export async function correctAssessment(
  scope: Scope,
  { id, version, reason, ...details }: z.output<typeof correctAssessmentSchema>,
): Promise<Assessment> {
  const { doc, theCase } = await findDoc(scope, id);
  if (doc.version !== version) throw stale("record");
  assertHeld(doc);
  if (doc.origin === "elsewhere")
    throw wrongState("This meeting was held elsewhere. Where its record is wrong, strike it and record it anew.");
  const isOtherDay = details.attendedOn !== doc.attendedOn;
  const isCorrection = doc.isComplete || isOtherDay;
  if (isCorrection) assertNoCertificate(doc);
  if (isCorrection && !reason) throw badField("reason", "Say why the record is corrected.");
  await assertPast(scope, theCase, details.attendedOn);
  if (isOtherDay) await assertOtherDay(scope, doc, details.attendedOn);
  await assertAlive(scope, requireParty(theCase, doc.partyId), "attendedOn", details.attendedOn);
  assertOthers(theCase, doc.partyId, details.withPartyIds);
  assertChildren(theCase, details);
  await assertOfAge(scope, doc.clientId, details);
  const held = await heldOf(scope, { ...doc, attendedOn: details.attendedOn });
  if (isOtherDay) await assertStillInOrder(scope, { ...held, before: doc.attendedOn });
  const { label } = requireParty(theCase, doc.partyId);
  const { _id, ownerId: _owner, ...set } = await filled(scope, doc, details, isCorrection ? reason : "");
  return storing(async () => {
    const saved = await save(doc, set);
    const what = `${await meetingName(scope, theCase)} of ${label}`;
    await tell(scope, saved, isCorrection ? `${what}: record corrected` : `${what} recorded`);
    await followAttendance(scope, doc);
    if (isCorrection) await tellFollowers(scope, saved);
    return toAssessment(scope, saved);
  });
}

/** Recorded in error: it counts for nothing any more, and stays to be read. */
export async function strikeAssessment(
  scope: Scope,
  { id, version, reason }: z.output<typeof strikeAssessmentSchema>,
): Promise<Assessment> {
  const { doc, theCase } = await findDoc(scope, id);
  if (doc.version !== version) throw stale("record");
  if (!answersFor(scope, theCase.mediators) && doc.mediatorId !== scope.userId) throw forbidden(ONLY_THEY_STRIKE);
  assertHeld(doc);
  const { label } = requireParty(theCase, doc.partyId);
  return storing(async () => {
    const saved = await strike(scope, doc, { label, reason });
    await followAttendance(scope, doc);
    return toAssessment(scope, saved);
  });
}

/** Records that a party attended with another service, and what was seen of it; the party's way in the case follows. */
export async function recordElsewhere(
  scope: Scope,
  input: z.output<typeof recordElsewhereSchema>,
): Promise<Assessment> {
  const { caseId, partyId, ...known } = input;
  const { theCase, clientId, label } = await whoAttended(scope, input);
  const bare = bareAssessment(scope.ownerId, { caseId, partyId, clientId, ...known, origin: "elsewhere" });
  const stored = { ...bare, isComplete: true };
  return storing(async () => {
    await AssessmentModel.create([stored]);
    await tell(scope, stored, `${await meetingName(scope, theCase)} of ${label} that was held elsewhere recorded`);
    await followAttendance(scope, { caseId, partyId });
    await tellFollowers(scope, stored);
    return toAssessment(scope, stored);
  });
}

function assertHasMiams({ domain }: Case): void {
  if (domain !== "family")
    throw wrongState("Such a meeting is recorded in family cases. This case is of another kind.");
}

/** Of somebody who joined: nothing is recorded of a MIAM before they were looked at. One that was held before stays a fact. */
async function assertChecked(scope: Scope, { id, parties }: Case, partyId: string): Promise<void> {
  const party = parties.find((one) => one.partyId === partyId);
  if (!party?.joinedAt || (await isConflicted(scope, id))) return;
  const blockers = await meetingBlockers(scope, { caseId: id, clientIds: [party.clientId] });
  if (blockers.length > 0) throw wrongState(blockers.join(" "));
}

async function storing(store: () => Promise<Assessment>): Promise<Assessment> {
  try {
    return await inTransaction(store);
  } catch (error) {
    if (isDuplicateKey(error))
      throw badField(
        "attendedOn",
        "A meeting of this day is recorded already. Open that record to complete or correct it.",
      );
    throw error;
  }
}

/** The record with these details in it. */
async function filled(
  scope: Scope,
  doc: AssessmentDoc,
  details: AssessmentDetails,
  reason = "",
): Promise<AssessmentDoc> {
  const { attendedOn, place, where, minutes, mediatorId, company, withPartyIds, ...said } = details;
  const before = contentOf(doc);
  // What was said before anybody checked it stays as it was said.
  if (said.riskAssessment === "done" && (before.riskAssessment !== "done" || attendedOn !== doc.attendedOn))
    await assertRiskAssessed(scope, { caseId: doc.caseId, partyId: doc.partyId, attendedOn });
  const mediatorName = await conductorName(scope, doc, { mediatorId, attendedOn });
  await assertOwnHours(scope, doc, details);
  const { corrections } = reason ? corrected(scope, doc, before, reason) : before;
  return {
    ...doc,
    attendedOn,
    place,
    where,
    minutes,
    company,
    withPartyIds,
    mediatorId,
    mediatorName,
    isComplete: true,
    contentEnc: sealContent(scope.ownerId, doc._id, { ...said, corrections }),
  };
}

async function meetingName({ ownerId }: Scope, { domain }: Pick<Case, "domain">): Promise<string> {
  return firstMeetingName({ domain, region: await practiceRegion(ownerId) });
}

/** BAD_REQUEST where it is said that there are no children, and the case names some. */
function assertChildren({ children }: Case, { childInclusive, attendedOn }: AssessmentDetails): void {
  if (childInclusive === "no_children" && children.some(({ dateOfBirth }) => !isGrownUp(dateOfBirth, attendedOn)))
    throw badField(
      "childInclusive",
      "This case names children. Choose another answer, or correct the children of the case first.",
    );
}

/** BAD_REQUEST where nobody says why somebody who was under 18 attended. */
async function assertOfAge(
  scope: Scope,
  clientId: string,
  { attendedOn, underAgeReason }: AssessmentDetails,
): Promise<void> {
  const { dateOfBirth } = await getClient(scope, clientId);
  if (dateOfBirth !== "" && !isGrownUp(dateOfBirth, attendedOn) && !hasWord(underAgeReason))
    throw badField(
      "underAgeReason",
      "They were under 18 on this day. Say who acts for them, such as a litigation friend, or why it was held without.",
    );
}

async function heldOf(
  scope: Scope,
  { caseId, partyId, attendedOn: on }: Pick<AssessmentDoc, "caseId" | "partyId" | "attendedOn">,
) {
  const theCase = await findCaseDoc(scope, caseId);
  return { theCase, party: partyIn(theCase, partyId), what: "miam_held" as const, field: "attendedOn", on };
}

function assertOthers({ parties }: Case, partyId: string, withPartyIds: readonly string[]): void {
  const others = parties.filter((party) => party.partyId !== partyId);
  if (!withPartyIds.every((id) => others.some((other) => other.partyId === id)))
    throw badField("withPartyIds", "Choose other participants of this case.");
}

function assertHeld({ status }: AssessmentDoc): void {
  if (status === "struck")
    throw wrongState("This record is struck. Record the meeting anew if it took place after all.");
}

/** In the transaction that issues a certificate: from now on the record stands as it was certified. */
export async function standOn(ownerId: string, id: string, version: number, certificateId: string): Promise<void> {
  const { modifiedCount } = await AssessmentModel.updateOne(
    { ownerId, _id: id, version, status: "held" },
    { $addToSet: { certificateIds: certificateId }, $inc: { version: 1 } },
  );
  if (modifiedCount === 0) throw stale("record");
}

/** In the transaction that declares a certificate void. */
export async function standNoMore(ownerId: string, id: string, certificateId: string): Promise<void> {
  await AssessmentModel.updateOne(
    { ownerId, _id: id },
    { $pull: { certificateIds: certificateId }, $inc: { version: 1 } },
  );
}
