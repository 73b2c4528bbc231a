// Whether the screenings of a case allow its parties to meet.
import { can } from "@app/shared/access";
import { PARTY_STATUS_NAMES, type PartyStatus } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { dayHeld, isBefore } from "@app/shared/screening-days";
import type { Measure } from "@app/shared/screenings";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineCaseSettler } from "../cases/case-changes.service.ts";
import { type CaseDoc, type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { leftBy } from "../cases/case-steps.service.ts";
import { pastOf } from "../cases/cases.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { foundElsewhereIn } from "./found-elsewhere.service.ts";
import { endSince, gapsOf, type Meeting } from "./gaps-now.ts";
import { isUnsafeIn, unanswered } from "./open-concerns.service.ts";
import { takeSafetyTurn } from "./safety-turns.service.ts";
import { latestConcerns, latestUnsafe } from "./safety-reviews.service.ts";
import { ASSESSED, followScreening, isMovedByScreening, statusAfter } from "./screening-effects.ts";
import { isUnjudged } from "./screenings.model.ts";
import { latestScreenings, measuresOfFlags, RISK_MONTHS, wasRiskAssessedBy } from "./screenings.service.ts";

/** The same words whatever the finding is, so that they tell nothing of it. */
export const SCREENING_SAYS_NOT_YET =
  "This has to wait for the safety screening. Ask a colleague who may read screenings.";

/** The same for whoever may read screenings. */
export const NOBODY_WHILE_UNSAFE =
  "Somebody in this case is not safe to mediate, so nobody is invited. A new screening that allows mediation changes that: speak with them alone by a way that is safe for them, by phone or at an individual meeting that is booked without an invitation, and screen them there.";

type Screened = Pick<Party, "partyId" | "label" | "status">;

/** What stands in the way of these parties' meeting, in words for this person; empty where nothing does. */
export async function screeningBlockers(scope: Scope, meeting: Meeting): Promise<string[]> {
  const problems = await problemsOf(scope, meeting);
  return problems.length === 0 || can(scope, "screening.read") ? problems : [SCREENING_SAYS_NOT_YET];
}

async function problemsOf(scope: Scope, meeting: Meeting): Promise<string[]> {
  const gaps = await gapsOf(scope, meeting);
  return gaps.map(({ why }) => why);
}

/** Whose screening, that allowed it, does not let them meet the others any more. */
export async function screenedAgain(scope: Scope, meeting: Meeting): Promise<{ partyId: string; why: string }[]> {
  const gaps = await gapsOf(scope, meeting);
  const open = gaps.filter(({ gap }) => gap !== "none" && gap !== "not_safe");
  return open.map(({ partyId, why }) => ({ partyId, why }));
}

/** Whether the latest screening of somebody who did not withdraw says that it is not safe, or one in another case that stands. */
export async function isSomebodyUnsafe(
  scope: Scope,
  { _id, parties }: Pick<CaseDoc, "_id"> & { parties: readonly Screened[] },
): Promise<boolean> {
  const latest = await latestScreenings(scope, _id);
  const elsewhere = (await foundElsewhereIn(scope.ownerId, [_id])).get(_id);
  return isUnsafeIn({ latest, elsewhere }, parties);
}

/**
 * Who is not safe to mediate as it was last found, and when that was: by a screening, or by a safety review that no
 * screening has answered since.
 */
export async function foundUnsafe(scope: Scope, caseId: string): Promise<Map<string, { on: string; at: Date }>> {
  const [latest, reviews, timeZone] = await Promise.all([
    latestScreenings(scope, caseId),
    latestUnsafe(scope, caseId),
    practiceTimeZone(scope.ownerId),
  ]);
  const screened = [...latest].flatMap(([partyId, screening]) =>
    screening.suitable === "no"
      ? [[partyId, { on: dayHeld(screening, timeZone), at: screening.completedAt }] as const]
      : [],
  );
  const open = unanswered(reviews, latest, timeZone);
  const reviewed = [...reviews].flatMap(([partyId, { on, at }]) =>
    open.has(partyId) ? [[partyId, { on: on || dayIn(timeZone, at), at }] as const] : [],
  );
  return new Map([...screened, ...reviewed]);
}

/** What a session that goes on all the same says to whoever may read why. */
const NO_LONGER_SAFE =
  "A screening or safety review says that this is not safe. Nothing can be shared with the parties in a session until a new screening allows mediation. End one that still runs.";

/**
 * In the transaction in which parties are told of something in a session that is under way: PRECONDITION_FAILED where
 * one of them was found not safe, or a review has raised a concern that no later screening has answered.
 */
export async function assertStillSafe(scope: Scope, { id, parties }: Pick<Case, "id" | "parties">): Promise<void> {
  await takeSafetyTurn(scope.ownerId, id);
  const [latest, concerns, timeZone] = await Promise.all([
    latestScreenings(scope, id),
    latestConcerns(scope, id),
    practiceTimeZone(scope.ownerId),
  ]);
  const elsewhere = (await foundElsewhereIn(scope.ownerId, [id])).get(id);
  if (isUnsafeIn({ latest, elsewhere }, parties) || unanswered(concerns, latest, timeZone).size > 0)
    throw wrongState(can(scope, "screening.read") ? NO_LONGER_SAFE : SCREENING_SAYS_NOT_YET);
}

const screenAgain = ({ label }: PartyDoc): string =>
  `${label} was found not suitable after they were last screened. Screen them again first.`;

/**
 * Throws where this party may not be moved there by hand, because their screening says otherwise. How old it was counts on the
 * day of that step, which may be long over; what it says counts as it was found last.
 */
export async function assertScreeningAllows(
  scope: Scope,
  { _id }: Pick<CaseDoc, "_id">,
  party: PartyDoc,
  { to, on }: { to: PartyStatus; on?: string },
): Promise<void> {
  const isSaidOfThem = to === "suitable" || to === "suitable_with_measures";
  if (party.status !== "not_suitable" && !isSaidOfThem && to !== "agreement_signed") return;
  await takeSafetyTurn(scope.ownerId, _id);
  const latest = (await latestScreenings(scope, _id)).get(party.partyId);
  if (party.status === "not_suitable" && latest?.suitable !== "no" && !isSaidOfThem) return;
  const blockers = await screeningBlockers(scope, { caseId: _id, parties: [on ? { ...party, on } : party] });
  if (blockers.length > 0) throw wrongState(blockers.join(" "));
  if (latest && isSaidOfThem && isBeforeDecision(latest, party))
    throw wrongState(can(scope, "screening.read") ? screenAgain(party) : SCREENING_SAYS_NOT_YET);
  if (!latest || !isSaidOfThem || ASSESSED[latest.suitable] === to) return;
  const found = `The latest screening of ${party.label} says: ${PARTY_STATUS_NAMES[ASSESSED[latest.suitable]]}.`;
  throw wrongState(can(scope, "screening.read") ? found : SCREENING_SAYS_NOT_YET);
}

/** Whoever was found not suitable after they were screened, such as by what was seen since, is screened again before they are suitable. */
function isBeforeDecision(
  { suitable, completedAt }: { suitable: string; completedAt: Date },
  party: PartyDoc,
): boolean {
  const decided = party.steps.findLast(({ to }) => to === "not_suitable");
  return suitable !== "no" && decided !== undefined && completedAt < decided.at;
}

function refuse(blockers: readonly string[]): void {
  if (blockers.length > 0) throw wrongState(blockers.join(" "));
}

/** Why several parties do not meet as they were screened; one party alone always may come. */
export const togetherBlockers = async (scope: Scope, meeting: Meeting): Promise<string[]> =>
  meeting.parties.length < 2 ? [] : screeningBlockers(scope, meeting);

/** In the transaction in which it begins: PRECONDITION_FAILED where their screenings do not allow it. */
export async function assertMayMeet(scope: Scope, meeting: Meeting): Promise<void> {
  if (meeting.parties.length < 2) return;
  // Of a screening and a meeting at the same moment the second looks again.
  await takeSafetyTurn(scope.ownerId, meeting.caseId);
  refuse(await togetherBlockers(scope, meeting));
}

/**
 * The same of one side alone: mediation with one of two does not go on while the other may not be met. To see somebody by
 * themselves there is the individual meeting, which is none.
 */
export async function assertMayMediateAlone(scope: Scope, theCase: Pick<Case, "id" | "parties">): Promise<void> {
  await takeSafetyTurn(scope.ownerId, theCase.id);
  refuse(await aloneBlockers(scope, theCase));
}

async function aloneBlockers(scope: Scope, { id, parties }: Pick<Case, "id" | "parties">): Promise<string[]> {
  if (!(await isSomebodyUnsafe(scope, { _id: id, parties }))) return [];
  return [
    can(scope, "screening.read")
      ? "Somebody in this case is not safe to mediate, so no session is held. Book an individual meeting instead."
      : SCREENING_SAYS_NOT_YET,
  ];
}

/** The same where each side comes to shuttle mediation at another time: everybody who is in it is as safe as if they met. */
export async function assertMayMediateApart(...asked: Parameters<typeof apartBlockers>): Promise<void> {
  const [{ ownerId }, { id }] = asked;
  await takeSafetyTurn(ownerId, id);
  refuse(await apartBlockers(...asked));
}

export async function apartBlockers(
  scope: Scope,
  theCase: Pick<Case, "id" | "parties">,
  inMediation: readonly Party[],
): Promise<string[]> {
  const alone = await aloneBlockers(scope, theCase);
  return alone.length > 0 ? alone : togetherBlockers(scope, { caseId: theCase.id, parties: [...inMediation] });
}

/** BAD_REQUEST where somebody's risk is said to be assessed at a MIAM, and no screening of them asked about it in the months until that day. */
export async function assertRiskAssessed(
  scope: Scope,
  of: { caseId: string; partyId: string; attendedOn: string },
): Promise<void> {
  if (await wasRiskAssessedBy(scope, of)) return;
  throw badField(
    "riskAssessment",
    can(scope, "screening.read")
      ? `No screening of this person that asked about every risk, and that a mediator held or confirmed, is recorded in the ${RISK_MONTHS} months up to the day of this meeting. Record or confirm it first, or say that it was not done.`
      : SCREENING_SAYS_NOT_YET,
  );
}

/** What is to be kept to for the safety of these parties, who meet. */
export async function measuresFor(scope: Scope, caseId: string, partyIds: readonly string[]): Promise<Measure[]> {
  const latest = await latestScreenings(scope, caseId);
  const ofCase = await measuresOfFlags(scope, { caseId, partyIds });
  return [...new Set([...ofCase, ...partyIds.flatMap((partyId) => latest.get(partyId)?.measures ?? [])])];
}

/** A party who has come as far that a screening counts follows the one that was made before. */
export async function followLatestScreening(scope: Scope, draft: CaseDoc, partyId: string): Promise<void> {
  await takeSafetyTurn(scope.ownerId, draft._id);
  const screening = (await latestScreenings(scope, draft._id)).get(partyId);
  if (!screening || isUnjudged(screening) || isBeforeDecision(screening, partyIn(draft, partyId))) return;
  const since = [endSince(await pastOf(scope, draft._id)), leftBy(draft).get(partyId)];
  const timeZone = await practiceTimeZone(scope.ownerId);
  if (screening.suitable !== "no" && since.some((one) => one && isBefore(screening, one, timeZone))) return;
  followScreening(draft, partyId, { suitable: screening.suitable, on: dayHeld(screening, timeZone) });
}

// Whoever comes by any way to where a screening counts, such as by a step that is taken back, does not stand as before
// what was found since.
defineCaseSettler(async (scope, before, draft) => {
  const wasOf = ({ partyId }: PartyDoc) => before.parties.find((party) => party.partyId === partyId);
  const moved = draft.parties.filter(
    (party) =>
      (draft.status !== before.status || party.status !== wasOf(party)?.status) && isMovedByScreening(party, draft),
  );
  if (moved.length === 0) return;
  await takeSafetyTurn(scope.ownerId, draft._id);
  const latest = await latestScreenings(scope, draft._id);
  const timeZone = await practiceTimeZone(scope.ownerId);
  for (const party of moved) {
    const screening = latest.get(party.partyId);
    const was = wasOf(party);
    if (!screening || isUnjudged(screening) || !isCounted(screening, party, was)) continue;
    const { suitable } = screening;
    if (statusAfter(party, suitable, draft) === party.status) continue;
    // Whoever was out until now was out all the time.
    if (was?.leftAt) Object.assign(party, { leftAt: was.leftAt, absences: was.absences });
    followScreening(draft, party.partyId, { suitable, on: dayHeld(screening, timeZone) });
  }
});

/** One that does not allow mediation always counts, another where it is newer than the state that a party comes back to. */
const isCounted = (
  { suitable, completedAt }: { suitable: string; completedAt: Date },
  { status, statusSince }: PartyDoc,
  was: PartyDoc | undefined,
): boolean => suitable === "no" || (status !== was?.status && completedAt > statusSince);
