// What still stands in the way of asking somebody to take part.
import { ENDED_STATUSES, isTakingPart, partyStatusName } from "@app/shared/case-states";
import { firstSide, gapsBefore, type InvitationGap } from "@app/shared/contact-agreements";
import { can } from "@app/shared/access";
import { isInvitable } from "@app/shared/invitable";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { lastStepOf } from "../cases/case-steps.service.ts";
import { lastRoundOver } from "../cases/reopened.service.ts";
import { meetingBlockers } from "../conflicts/conflict-gates.service.ts";
import { practiceRegion, practiceToday } from "../practices/practices.service.ts";
import { OF_NOBODY_KNOWN, unjudgedIn } from "../safeguarding/opened-entries.service.ts";
import { concernedIn } from "../screenings/open-concerns.service.ts";
import {
  NOBODY_WHILE_UNSAFE,
  SCREENING_SAYS_NOT_YET,
  screeningBlockers,
} from "../screenings/screening-gates.service.ts";
import { type Beside, unsafeBeside } from "./unsafe-besides.ts";

/**
 * What comes before this party is invited: the conflict check, because asking them is acting in the case, and what whoever
 * came first still has to do, be asked or say; not that somebody is not safe.
 */
export async function gapsApart(scope: Scope, theCase: CaseDoc, party: PartyDoc): Promise<InvitationGap[]> {
  const { _id: caseId, domain, parties } = theCase;
  const first = firstSide(domain, parties);
  if (first.includes(party)) return [];
  const clientIds = [...first, party].map(({ clientId }) => clientId);
  const unchecked = (await meetingBlockers(scope, { caseId, clientIds })).map((text): InvitationGap => ({
    kind: "conflict",
    partyId: party.partyId,
    text,
  }));
  const place = { domain, region: await practiceRegion(scope.ownerId), over: await lastRoundOver(scope, theCase) };
  const gaps = [...unchecked, ...gapsBefore(place, parties, party)];
  const concerned = (await concernedIn(scope.ownerId, [{ caseId, parties }])).get(caseId);
  const screened = parties.filter((one) => (first.includes(one) && isTakingPart(one)) || concerned?.has(one.partyId));
  const blockers = await screeningBlockers(scope, { caseId, parties: screened });
  const unjudged = await unjudgedOf(scope, theCase, first);
  return [...gaps, ...[...new Set([...blockers, ...unjudged])].map((text) => screeningGap(theCase, party, text))];
}

function screeningGap({ domain, parties }: CaseDoc, party: PartyDoc, text: string): InvitationGap {
  const [first = party] = firstSide(domain, parties);
  return { kind: "screening", partyId: first.partyId, text };
}

/** The same with what of the safety of the others keeps them from being invited. */
export async function invitationGaps(scope: Scope, theCase: CaseDoc, party: PartyDoc): Promise<InvitationGap[]> {
  if (firstSide(theCase.domain, theCase.parties).includes(party)) return [];
  const gaps = await gapsApart(scope, theCase, party);
  const beside = await unsafeBeside(scope, theCase, party);
  if (beside.what === "nothing") return gaps;
  const words = screeningGap(theCase, party, besideWords(scope, beside));
  // Where nobody is invited at all, whose screening is missing besides does not matter.
  return [...(beside.what === "nobody" ? gaps.filter(({ kind }) => kind !== "screening") : gaps), words];
}

/** What of the safety of the others keeps somebody from being invited, in words for this person. */
export function besideWords(scope: Scope, beside: Beside): string {
  if (!can(scope, "screening.read")) return SCREENING_SAYS_NOT_YET;
  if (beside.what !== "reason") return NOBODY_WHILE_UNSAFE;
  const found = beside.missing.map(({ text }) => text).join(" ");
  return `${found} The others may be invited without them: record an invitation by letter, call or text message first, and say why.`;
}

/**
 * What somebody told of, in a screening or by themselves, is judged before the one whom they may have told of is written
 * to. Whoever may not read the safeguarding record is not told that there is any entry.
 */
async function unjudgedOf(
  scope: Scope,
  { _id, parties }: Pick<CaseDoc, "_id" | "parties">,
  first: readonly PartyDoc[],
): Promise<string[]> {
  const unjudged = (await unjudgedIn(scope.ownerId, [_id])).get(_id);
  if (!unjudged) return [];
  const known = parties.filter(({ partyId }) => unjudged.has(partyId));
  const isOfNobody = unjudged.has(OF_NOBODY_KNOWN);
  if (can(scope, "safeguarding.read"))
    return [
      ...known.map(({ label }) => `Complete the safeguarding entry about ${label}, or say in it why none is needed.`),
      ...(isOfNobody ? ["Complete the safeguarding entry of this case, or say in it why none is needed."] : []),
    ];
  const looked = isOfNobody ? [...new Set([...known, ...first])] : known;
  return can(scope, "screening.read") && looked.length > 0
    ? looked.map(({ label }) => `A mediator of this case, or the owner, looks at the screening of ${label} first.`)
    : [SCREENING_SAYS_NOT_YET];
}

export const whyOver = ({ status }: Pick<CaseDoc, "status">): string[] =>
  ENDED_STATUSES.includes(status) ? ["This case is over. Reopen it before you invite anybody."] : [];

/** Why this party is asked nothing any more, whoever agrees to it; empty where they may still be. */
export async function whyAnswered(
  { ownerId }: Scope,
  theCase: Pick<CaseDoc, "domain" | "parties" | "rounds">,
  party: PartyDoc,
): Promise<string[]> {
  const today = await practiceToday(ownerId);
  if (isInvitable({ ...party, lastStep: lastStepOf(party) }, theCase, today)) return [];
  const place = { domain: theCase.domain, region: await practiceRegion(ownerId) };
  return [`${party.label} has answered already: ${partyStatusName(place, party.status)}.`];
}

/** The same in one line for a mail that waits, which is read by people who may not read screenings. */
export async function whyNotInvited(scope: Scope, theCase: CaseDoc, party: PartyDoc): Promise<string | null> {
  if ((await unsafeBeside(scope, theCase, party)).what !== "nothing") return SCREENING_SAYS_NOT_YET;
  const [reason] = [...whyOver(theCase), ...(await whyAnswered(scope, theCase, party))];
  if (reason !== undefined) return reason;
  const [gap] = await invitationGaps(scope, theCase, party);
  if (!gap) return null;
  return gap.kind === "screening" ? SCREENING_SAYS_NOT_YET : gap.text;
}

/** Why nobody writes an invitation of this party, also of one who answered before, in words for this person. */
export async function whyUnwritten(scope: Scope, theCase: CaseDoc, party: PartyDoc): Promise<string[]> {
  const beside = await unsafeBeside(scope, theCase, party);
  const unsafe = beside.what === "nothing" ? [] : [besideWords(scope, beside)];
  const gaps = await invitationGaps(scope, theCase, party);
  return [...whyOver(theCase), ...unsafe, ...gaps.map(({ text }) => text)];
}
