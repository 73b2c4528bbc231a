// Who asks, and what about, as far as somebody who is invited may be told.
import type { CaseDomain } from "@app/shared/case-transitions";
import { isTakingPart } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { isRestricted } from "@app/shared/clients";
import type { Client } from "@app/shared/clients";
import { firstSide, namedTo } from "@app/shared/contact-agreements";
import { isInvitable } from "@app/shared/invitable";
import type { MergeValues } from "@app/shared/merge-fields";

const FAMILY_MATTERS: Record<Case["issueScope"], string> = {
  all_issues: "arrangements in your family",
  property_finance: "money and property",
  child_only: "arrangements for children",
  other: "a matter in your family",
};
const MATTERS: Record<Exclude<CaseDomain, "family">, string> = {
  workplace: "a matter at your work",
  civil: "a matter that could be settled by talking",
  community: "a matter where you live",
  other: "a matter that could be settled by talking",
};

const NOTHING_TOLD: MergeValues = {
  "invitation.request": "We were asked to write to you.",
  "invitation.matter": "a matter that concerns you",
};

/** Whoever has to be reached discreetly reads nothing that would tell others what it is about. */
export function invitationValuesOf(theCase: Case, party: Party, { safeContact }: Client, day: string): MergeValues {
  if (!isInvitable(party, theCase, day)) return {};
  if (isRestricted(safeContact)) return NOTHING_TOLD;
  const { domain, issueScope } = theCase;
  return {
    "invitation.request": requestTo(theCase, party),
    "invitation.matter": domain === "family" ? FAMILY_MATTERS[issueScope] : MATTERS[domain],
  };
}

function requestTo({ domain, parties }: Case, party: Party): string {
  const first = firstSide(domain, parties);
  if (first.length === 0 || first.includes(party)) return "We were asked to write to you.";
  // Without their word nobody asked us, whoever came first.
  if (!first.some((one) => isTakingPart(one) && one.contactAgreement?.isAgreed))
    return "We were asked to write to you.";
  const names = namedTo(domain, parties).map(({ name }) => name);
  if (names.length === 0) return "Somebody who is not named here asked that we write to you.";
  return `${names.join(" and ")} asked that we write to you.`;
}
