// Somebody was invited on a day that is over, and it is recorded only now: it is recorded as it was. What keeps anybody from
// being invited today does not undo it; what was missing on that day is kept with it, and why they were invited all the same.
import { ENDED_STATUSES, firstMeetingWord } from "@app/shared/case-states";
import { tookPartAt } from "@app/shared/case-sessions";
import { agreesSince, firstSide } from "@app/shared/contact-agreements";
import { addDays } from "@app/shared/days";
import { instantOf } from "@app/shared/wall-time";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { stoodAt } from "../cases/case-steps.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { meetingBlockers } from "../conflicts/conflict-gates.service.ts";
import { practiceRegion, practiceTimeZone } from "../practices/practices.service.ts";
import { OF_NOBODY_KNOWN, unjudgedIn } from "../safeguarding/opened-entries.service.ts";
import { asPlain, type Missing } from "../screenings/missing-then.service.ts";
import { screeningGapsAt, unsafeAt } from "../screenings/past-screenings.service.ts";

interface Then {
  day: string;
  /** The end of that day. */
  at: Date;
}

/** What was missing when this party was invited on that day; empty where nothing was. */
export async function missingOn(scope: Scope, theCase: CaseDoc, party: PartyDoc, day: string): Promise<Missing[]> {
  const next = instantOf(await practiceTimeZone(scope.ownerId), { day: addDays(day, 1), time: "00:00" });
  const then = { day, at: new Date(next.getTime() - 1) };
  const stood = stoodAt(theCase, then.at);
  const plain = stood !== null && ENDED_STATUSES.includes(stood) ? ["The case was over."] : [];
  const first = firstSide(theCase.domain, theCase.parties);
  if (first.includes(party)) return plain.map(asPlain);
  const came = await cameThen(scope, theCase, then);
  const clientIds = [...first, party].map(({ clientId }) => clientId);
  const unchecked = await meetingBlockers(scope, { caseId: theCase._id, clientIds });
  return [
    ...[...plain, ...(unchecked.length > 0 ? ["The conflict check was not decided."] : [])].map(asPlain),
    ...(await toldBy(scope, theCase, first, { ...then, came })).map(asPlain),
    ...(await safetyThen(scope, theCase, first, { ...then, came })).map((text) => ({ text, isSafety: true })),
  ];
}

/** Who was in the case on that day, wherever they stand now. */
async function cameThen(scope: Scope, { _id }: CaseDoc, then: Then): Promise<ReadonlySet<string>> {
  const { parties } = await getCase(scope, _id);
  return new Set(parties.filter((party) => tookPartAt(party, then)).map(({ partyId }) => partyId));
}

type Standing = Then & { came: ReadonlySet<string> };

/** What whoever came first had not done or said by then. */
async function toldBy(
  scope: Scope,
  { domain, parties }: CaseDoc,
  first: readonly PartyDoc[],
  { day, came }: Standing,
): Promise<string[]> {
  const there = first.filter(({ partyId }) => came.has(partyId));
  const isOf = (on: string) => on !== "" && on <= day;
  const hasOther = parties.some((one) => !first.includes(one) && isOf(one.respondedOn));
  const [gone] = first;
  if (gone && there.length === 0 && !hasOther) return [`${gone.label} took no part any more.`];
  const meeting = firstMeetingWord({ domain, region: await practiceRegion(scope.ownerId) });
  return there.flatMap(({ label, miamOn, respondedOn, contactAgreement: said }) => [
    ...(isOf(miamOn) || (domain !== "family" && isOf(respondedOn)) ? [] : [notHeard(domain, label, meeting)]),
    ...(isOf(agreesSince(said) ?? "") ? [] : [unagreed(label, said !== null && !said.isAgreed && isOf(said.on))]),
  ]);
}

/** That somebody said no is more than that nothing is known. */
const unagreed = (label: string, hasSaidNo: boolean): string =>
  hasSaidNo
    ? `${label} had not agreed that the others are contacted: they had said no.`
    : `It is not recorded that ${label} had agreed that the others are contacted.`;

const notHeard = (domain: CaseDoc["domain"], label: string, meeting: string): string =>
  domain === "family" ? `The ${meeting} of ${label} had not taken place.` : `${label} had not been spoken to.`;

async function safetyThen(
  scope: Scope,
  { _id: caseId, parties }: CaseDoc,
  first: readonly PartyDoc[],
  { at, came }: Standing,
): Promise<string[]> {
  const there = first.filter(({ partyId }) => came.has(partyId));
  const gaps = await screeningGapsAt(scope, { caseId, parties: there, at });
  const unsafe = await unsafeAt(scope, { caseId, parties, at });
  const unjudged = (await unjudgedIn(scope.ownerId, [caseId], at)).get(caseId) ?? new Set<string>();
  const isTold = (one: PartyDoc) => unjudged.has(one.partyId) || (unjudged.has(OF_NOBODY_KNOWN) && first.includes(one));
  const notLooked = parties
    .filter(isTold)
    .map(({ label }) => `A mediator of this case, or the owner, has not looked at the screening of ${label}.`);
  return [...new Set([...gaps, ...unsafe, ...notLooked])];
}
