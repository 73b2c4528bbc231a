// Who came first follows from the kind of a case and from whom it is between: a change of these frees nobody who is not to be
// contacted yet.
import { isContactBarred, isContactForbidden, isKeptUnasked, isUnasked } from "@app/shared/contact-agreements";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineCaseSettler } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { isConflicted } from "../conflicts/conflicts.service.ts";
import { unjudgedIn } from "../safeguarding/opened-entries.service.ts";
import { unsafeCases } from "../screenings/open-concerns.service.ts";

const STILL_KEPT =
  "By this somebody could be contacted who is not to be contacted yet: whoever came first has not agreed to it, or it has to wait for their safety or for the conflict check. Look at that first.";

type Ordered = Pick<CaseDoc, "domain" | "parties">;

const orderOf = ({ parties }: Ordered): string =>
  JSON.stringify(parties.map(({ partyId, role, side }) => [partyId, role, side]));

defineCaseSettler(async (scope, before, draft) => {
  const isOfKind = before.domain !== draft.domain;
  if (!isOfKind && orderOf(before) === orderOf(draft)) return;
  const isOpen = await isSomethingOpen(scope, before);
  const keptIn = (theCase: CaseDoc) =>
    theCase.parties
      .filter((one) => isKeptUnasked(theCase, one) || (isOpen && isUnasked(theCase, one)))
      .map(({ partyId }) => partyId);
  // Of whoever has said nothing yet it is no wish that anybody waits.
  if (!isOpen && !isContactForbidden(before.domain, before.parties)) return;
  const kept = new Set(keptIn(draft));
  const isFreed = keptIn(before).some(
    (partyId) => !kept.has(partyId) && draft.parties.some((one) => one.partyId === partyId),
  );
  const wasBarred = isContactBarred(before.domain, before.parties);
  if (isFreed || (wasBarred && !isContactBarred(draft.domain, draft.parties)))
    throw badField(isOfKind ? "domain" : "role", STILL_KEPT);
});

/** Whether somebody is not safe, or nobody has judged yet what was told, or the practice may not act in this case. */
async function isSomethingOpen(scope: Scope, { _id: caseId, parties }: CaseDoc): Promise<boolean> {
  const { ownerId } = scope;
  if ((await unjudgedIn(ownerId, [caseId])).has(caseId)) return true;
  if ((await unsafeCases(ownerId, [{ caseId, parties }])).has(caseId)) return true;
  return isConflicted(scope, caseId);
}
