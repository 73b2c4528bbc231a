// Who came first follows from the kind of a case and from whom it is between: a change of these frees nobody whom they keep
// from being contacted.
import { isContactBarred, isContactForbidden, isKeptUnasked } from "@app/shared/contact-agreements";
import { badField } from "../../core/errors.ts";
import { defineCaseSettler } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";

const STILL_KEPT =
  "By this somebody could be contacted to whom whoever came first does not agree, or for whom they are not safe. Change that in their own record first.";

type Ordered = Pick<CaseDoc, "domain" | "parties">;

const orderOf = ({ parties }: Ordered): string =>
  JSON.stringify(parties.map(({ partyId, role, side }) => [partyId, role, side]));

defineCaseSettler(async (_scope, before, draft) => {
  const isOfKind = before.domain !== draft.domain;
  if (!isOfKind && orderOf(before) === orderOf(draft)) return;
  if (!isContactForbidden(before.domain, before.parties)) return;
  const kept = new Set(before.parties.filter((one) => isKeptUnasked(before, one)).map(({ partyId }) => partyId));
  const isFreed = draft.parties.some((one) => kept.has(one.partyId) && !isKeptUnasked(draft, one));
  const wasBarred = isContactBarred(before.domain, before.parties);
  if (isFreed || (wasBarred && !isContactBarred(draft.domain, draft.parties)))
    throw badField(isOfKind ? "domain" : "role", STILL_KEPT);
});
