// Who of the practice reads what of the answers. No party ever reads another's: a form is filled in in the confidence of
// whoever fills it in.
import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { type FormContent, readersOf } from "@app/shared/form-content";
import type { Sensitivity } from "@app/shared/form-limits";
import { forParty, MEDIATOR_ONLY, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { isNotFound, notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { visibleCaseIds } from "../cases/case-places.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertClientsVisible, visibleClientIds } from "../clients/clients.service.ts";
import { mayRead, staffReader } from "../visibility/visibility.service.ts";
import mongoose from "mongoose";
import type { SubmissionDoc } from "./submissions.model.ts";

type Placed = Pick<SubmissionDoc, "clientId" | "caseId" | "partyId"> & Partial<Pick<SubmissionDoc, "isEnquiry">>;

/** For the person themselves and the practice; what only mediators read is kept from the rest of the practice too. */
export function visibilityOf({ partyId }: Placed, sensitivity: Sensitivity): Visibility {
  if (sensitivity === "mediator") return { ...MEDIATOR_ONLY, aboutPartyIds: partyId ? [partyId] : [] };
  return partyId ? forParty(partyId) : PRACTICE_ONLY;
}

/** Throws NOT_FOUND where this person does not see whom it is of. */
export async function assertSees(scope: Scope, { clientId, caseId, isEnquiry }: Placed): Promise<Case | null> {
  if (isEnquiry && !isOwner(scope)) throw notFound("Form");
  try {
    if (clientId) await assertClientsVisible(scope, [clientId]);
    if (caseId) return await getCase(scope, caseId);
  } catch (error) {
    throw isNotFound(error) ? notFound("Form") : error;
  }
  // Nobody's yet: whoever sees some cases only is not told of it.
  if (!clientId && scope.isAssignedOnly) throw notFound("Form");
  return null;
}

const isOwner = ({ ownerId, userId }: Scope): boolean => ownerId === userId;

/** The same as part of a filter. */
export async function seenBy(scope: Scope): Promise<Record<string, unknown>> {
  if (isOwner(scope)) return {};
  const besidesEnquiries = { isEnquiry: false };
  if (!scope.isAssignedOnly) return besidesEnquiries;
  const [clientIds, caseIds] = await Promise.all([visibleClientIds(scope), visibleCaseIds(scope)]);
  return {
    ...besidesEnquiries,
    clientId: mongoose.trusted({ $in: clientIds }),
    caseId: mongoose.trusted({ $in: [null, ...(caseIds ?? [])] }),
  };
}

/** Whether this person reads the answer to a question of this form. */
export const readsAnswers = (scope: Scope, theCase: Case | null, placed: Placed) => {
  const reader = staffReader(scope, theCase);
  return (form: Pick<FormContent, "readers">, field: { sensitivity: Sensitivity | null }): boolean => {
    const readers = readersOf(form, field);
    return readers === "screening" ? can(scope, "screening.read") : mayRead(reader, visibilityOf(placed, readers));
  };
};
