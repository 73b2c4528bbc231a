// Who of the practice reads what of the answers. No party ever reads another's: a form is filled in in the confidence of
// whoever fills it in.
import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { FormContent } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import type { FormKind } from "@app/shared/form-kinds";
import type { Sensitivity } from "@app/shared/form-limits";
import { readersAmong, readersOfFlag } from "@app/shared/form-readers";
import { forParty, MEDIATOR_ONLY, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { isNotFound, notFound } from "../../core/errors.ts";
import type { Needs } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { visibleCaseIds } from "../cases/case-places.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertClientsVisible, visibleClientIds } from "../clients/clients.service.ts";
import { formNames, screeningFormIds } from "../forms/form-names.service.ts";
import { mayRead, staffReader } from "../visibility/visibility.service.ts";
import mongoose from "mongoose";
import type { SubmissionDoc } from "./submissions.model.ts";

type Placed = Pick<SubmissionDoc, "clientId" | "caseId" | "partyId"> &
  Partial<Pick<SubmissionDoc, "isEnquiry" | "formId">>;

/** Whoever may not read screenings does not learn that somebody was asked, or answered, before one. */
export const SCREENING_NEEDS = "screening.read" as const;
/** Which permission is needed to be told of what somebody does with such a form. */
export const needsOfKind = (kind: FormKind | undefined): Needs => (kind === "screening" ? SCREENING_NEEDS : null);
export const mayReadKind = (scope: Scope, kind: FormKind): boolean =>
  needsOfKind(kind) === null || can(scope, SCREENING_NEEDS);

/** Whoever may read no answer to it learns no more of what it asks. */
export const mayReadForm = (scope: Scope, kind: FormKind): boolean =>
  mayReadKind(scope, kind) && (kind !== "lead" || isOwner(scope));

export const needsOfForm = async (ownerId: string, formId: string): Promise<Needs> =>
  needsOfKind((await formNames(ownerId, [formId])).get(formId)?.kind);

/** For the person themselves and the practice; what only mediators read is kept from the rest of the practice too. */
export function visibilityOf({ partyId }: Placed, sensitivity: Sensitivity): Visibility {
  if (sensitivity === "mediator") return { ...MEDIATOR_ONLY, aboutPartyIds: partyId ? [partyId] : [] };
  return partyId ? forParty(partyId) : PRACTICE_ONLY;
}

/** Throws NOT_FOUND where this person does not see whom it is of. */
export async function assertSees(scope: Scope, { clientId, caseId, isEnquiry, formId }: Placed): Promise<Case | null> {
  if (isEnquiry && !clientId && !isOwner(scope)) throw notFound("Form");
  if (formId !== undefined && !can(scope, SCREENING_NEEDS) && (await needsOfForm(scope.ownerId, formId)) !== null)
    throw notFound("Form");
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

/** The same as part of a filter, of answers and of links alike. */
export async function seenBy(scope: Scope): Promise<Record<string, unknown>> {
  const { ownerId, isAssignedOnly } = scope;
  const hidden = can(scope, SCREENING_NEEDS) ? [] : await screeningFormIds(ownerId);
  const besidesScreenings = hidden.length > 0 ? { formId: mongoose.trusted({ $nin: hidden }) } : {};
  if (!isAssignedOnly) return besidesScreenings;
  const [clientIds, caseIds] = await Promise.all([visibleClientIds(scope), visibleCaseIds(scope)]);
  return {
    ...besidesScreenings,
    clientId: mongoose.trusted({ $in: clientIds }),
    caseId: mongoose.trusted({ $in: [null, ...(caseIds ?? [])] }),
  };
}

/** The owner alone is shown enquiries, as leads are, until they became a client's. */
export const besidesEnquiries = (scope: Scope): Record<string, unknown> =>
  isOwner(scope) ? {} : { $or: [{ isEnquiry: false }, { clientId: mongoose.trusted({ $ne: null }) }] };

/** Whether this person reads the answer to a question of this form. */
export const readsAnswers = (scope: Scope, theCase: Case | null, placed: Placed) => {
  const mayReadAll = readsAll(scope, theCase, placed);
  return (form: FormContent, field: Exclude<Field, { type: "statement" }>): boolean =>
    mayReadAll(readersAmong(form, field));
};

/** Whether this person reads the answers to this question of anybody: of a case that they mediate, where mediators read them. */
export const knowsQuestions = (scope: Scope) => {
  const mayReadAll = readsAll(
    scope,
    { mediators: [{ userId: scope.userId, isLead: true }] },
    { clientId: null, caseId: null, partyId: null },
  );
  return (form: FormContent, field: Exclude<Field, { type: "statement" }>): boolean =>
    mayReadAll(readersAmong(form, field));
};

/** Whether this person is told what this question of the form marks. */
export const readsFlags = (scope: Scope, theCase: Case | null, placed: Placed) => {
  const mayReadAll = readsAll(scope, theCase, placed);
  return (form: FormContent, fieldId: string): boolean => mayReadAll(readersOfFlag(form, fieldId));
};

function readsAll(scope: Scope, theCase: Parameters<typeof staffReader>[1], placed: Placed) {
  const reader = staffReader(scope, theCase);
  const mayReadOne = (readers: Sensitivity): boolean =>
    readers === "screening" ? can(scope, "screening.read") : mayRead(reader, visibilityOf(placed, readers));
  return (readers: readonly Sensitivity[]): boolean => readers.every(mayReadOne);
}
