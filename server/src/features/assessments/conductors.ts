// Who held a MIAM, and who may say so.
import { hasMiams } from "@app/shared/case-states";
import type { AssessmentDetails } from "@app/shared/assessments";
import { mayConduct } from "@app/shared/conducting";
import { hasWord } from "@app/shared/has-word";
import { answersFor } from "@app/shared/team-access";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { colleaguesOn } from "../practices/colleagues-then.service.ts";
import { assertMayHaveConducted, heldMeanwhile } from "./attendance-gates.service.ts";
import type { AssessmentDoc } from "./assessments.model.ts";

/** Only an authorised mediator conducts a MIAM (FPR 3.9(1)); one who is recorded as such already stays so. */
export async function conductorName(
  scope: Scope,
  doc: AssessmentDoc,
  { mediatorId, attendedOn }: Pick<AssessmentDoc, "mediatorId" | "attendedOn">,
): Promise<string> {
  if (doc.isComplete && doc.mediatorId === mediatorId && attendedOn <= doc.attendedOn) return doc.mediatorName;
  if (doc.mediatorId !== mediatorId) await assertMayName(scope, doc, mediatorId);
  const { caseId, partyId, meetingId } = doc;
  await assertMayHaveConducted(scope, { caseId, partyId, meetingId, on: attendedOn, mediatorId });
  const mediator = (await colleaguesOn(scope.ownerId, attendedOn)).find(({ userId }) => userId === mediatorId);
  // These records are of family cases alone.
  const place = { domain: "family", region: await practiceRegion(scope.ownerId) };
  if (mediator && mayConduct(place, mediator)) return mediator.name;
  throw badField(
    "mediatorId",
    hasMiams(place)
      ? "Choose an accredited mediator who worked in the practice on this day, and whose FMC registration number (URN) the owner has confirmed."
      : "Choose a mediator who worked in the practice on this day.",
  );
}

/**
 * Whoever held it signs for it, so that it is said as who mediates a case is: by the owner or a mediator of the case,
 * unless they are one of its mediators, or it has none yet.
 */
async function assertMayName(scope: Scope, { caseId }: AssessmentDoc, mediatorId: string): Promise<void> {
  const { mediators } = await findCaseDoc(scope, caseId);
  const isNamed = mediators.length === 0 || mediators.some(({ userId }) => userId === mediatorId);
  if (isNamed || answersFor(scope, mediators)) return;
  throw badField(
    "mediatorId",
    "This mediator is none of the case. Ask the owner of the practice or a mediator of the case to record it, or to name them first.",
  );
}

/** BAD_REQUEST where whoever held it held something in another case at that hour, and nobody says why. */
export async function assertOwnHours(
  scope: Scope,
  { caseId, partyId, meetingId }: AssessmentDoc,
  { attendedOn, mediatorId, hoursReason }: Pick<AssessmentDetails, "attendedOn" | "mediatorId" | "hoursReason">,
): Promise<void> {
  if (hasWord(hoursReason)) return;
  const meanwhile = await heldMeanwhile(scope, { caseId, partyId, meetingId, on: attendedOn, mediatorId });
  if (meanwhile.length > 0)
    throw badField("hoursReason", `${meanwhile.join(" ")} Say why, or correct who held this meeting and when.`);
}
