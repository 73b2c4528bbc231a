// What an end that says something of somebody rests on: it is recorded of them first.
import { labelsOf } from "@app/shared/agreement-gates";
import { can } from "@app/shared/access";
import {
  ENDING_NAMES,
  type Ending,
  isOfDecision,
  isResolved,
  LEFT_PARTY_STATUSES,
  type PartyStatus,
  partyStatusName,
  sidesTakingPart,
} from "@app/shared/case-states";
import { CONFLICT_DECISION_NAMES } from "@app/shared/conflicts";
import { firstSide } from "@app/shared/contact-agreements";
import { hadDied } from "@app/shared/death";
import { hasLeft, isInvitation } from "@app/shared/ladders";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { isConflicted } from "../conflicts/conflicts.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { foundElsewhereIn } from "../screenings/found-elsewhere.service.ts";
import { foundUnsafe } from "../screenings/screening-gates.service.ts";
import { attemptsTo } from "./invitations.service.ts";

type OfCase = Pick<CaseDoc, "_id" | "domain" | "parties">;

/** An end that is somebody's own is recorded of them too: certificates, and whom the practice writes to, go by that. */
const BY_SOMEBODY: Partial<Record<Ending, readonly PartyStatus[]>> = {
  died: ["died"],
  withdrew: ["withdrawn", "refused"],
  refused: ["refused", "withdrawn"],
  not_safe: ["not_suitable"],
  no_answer: ["no_response", "miam_missed", "invited", "to_invite"],
};
/** Of whom only an answer is awaited it is not recorded yet that there is none. */
const AWAITED: readonly PartyStatus[] = ["to_invite", "invited"];

/**
 * On which days this end is recorded of somebody who did not come back since, also where they died or left otherwise after
 * it; an empty one where it is by no step of theirs. Whoever refused or withdrew by the day of the end gave an answer.
 */
export function daysOf({ status, steps }: CaseDoc["parties"][number], ending: Ending, by: string): string[] {
  const states = BY_SOMEBODY[ending] ?? [];
  const isOut = (to: PartyStatus) => LEFT_PARTY_STATUSES.includes(to) || states.includes(to);
  if (!isOut(status)) return [];
  const isAnswer = ({ to, on = "" }: (typeof steps)[number]) => ending === "no_answer" && isOfDecision(to) && on <= by;
  const since = steps.slice(steps.findLastIndex((step) => !isOut(step.to) || isAnswer(step)) + 1);
  const recorded = states.filter((state) => !AWAITED.includes(state));
  const days = since.flatMap(({ to, on = "" }) => (recorded.includes(to) ? [on] : []));
  return days.length === 0 && recorded.includes(status) ? [""] : days;
}

/** What somebody else tells of a person is not what they want (a certificate does not say it either). */
const OF_OWN_WILL: readonly Ending[] = ["refused", "withdrew"];

const isOnlyTold = ({ steps }: OfCase["parties"][number]): boolean =>
  steps.findLast(({ to }) => isOfDecision(to))?.isOwnDecision === false;

export async function whatItMisses(
  scope: Scope,
  { ending, endedOn }: { ending: Ending; endedOn: string },
  theCase: OfCase,
): Promise<string | null> {
  const { _id, domain, parties } = theCase;
  const dead = isResolved(ending) && deadWithout(parties);
  if (dead)
    return `${dead.label} is recorded as died. Choose “${ENDING_NAMES.died}”; if they had settled it before, write so in the reason.`;
  if (ending === "conflict_of_interest" && !(await isConflicted(scope, _id)))
    return `The conflict check of this case is not decided as “${CONFLICT_DECISION_NAMES.conflicted}”. Decide it so first, or choose another reason.`;
  const states = BY_SOMEBODY[ending];
  const meant = parties.filter((party) => states?.includes(party.status) || daysOf(party, ending, endedOn).length > 0);
  if (ending === "no_answer" && meant.length > 0) return whyNoAnswer(scope, theCase, meant);
  if (OF_OWN_WILL.includes(ending) && meant.length > 0 && meant.every(isOnlyTold))
    return `${labelsOf(meant)} did not say so themselves: others told it of them. Ask them, and record what they say, or choose “${ENDING_NAMES.other}” and write in the reason what was told.`;
  if (!states || meant.length > 0) return null;
  if (ending === "not_safe" && (await mayBeUnsafe(scope, _id))) return null;
  const place = { domain, region: await practiceRegion(scope.ownerId) };
  const names = states.map((status) => `“${partyStatusName(place, status)}”`).join(" or ");
  return `Nobody in this case is recorded as ${names}. Record that of the person first, or choose another reason.`;
}

/**
 * Whoever asked for mediation themselves, or answered, may go quiet uninvited; of whom nobody asked, or every invitation came
 * back, nobody knows an answer.
 */
async function whyNoAnswer(
  scope: Scope,
  { _id: caseId, domain, parties }: OfCase,
  meant: OfCase["parties"],
): Promise<string | null> {
  const first = firstSide(domain, parties);
  for (const party of meant) {
    const made = (await attemptsTo(scope, { caseId, partyId: party.partyId })).filter(isInvitation);
    const isAsked = party.status !== "to_invite" || first.length === 0 || first.includes(party);
    if (made.length === 0 ? isAsked : made.some(hasLeft)) return null;
  }
  return `No invitation has reached ${labelsOf(meant)}: none was made, each came back, or has not left. Choose “${ENDING_NAMES.other}”, and write so in the reason.`;
}

/** Who died, where no two sides are left without them: a couple of whom one is dead is not reconciled. */
export const deadWithout = (parties: OfCase["parties"], by: string | null = null) =>
  sidesTakingPart(parties) < 2
    ? parties.find((party) => party.status === "died" && (by === null || hadDied(party, by)))
    : undefined;

/**
 * In this case or in another one of the same people: nobody is invited then, so nobody may be found unsafe here. What was
 * found of somebody nobody learns from a refusal who may not read it.
 */
const mayBeUnsafe = async (scope: Scope, caseId: string): Promise<boolean> =>
  !can(scope, "screening.read") || (await isFoundUnsafe(scope, caseId));

/** Here or elsewhere, for whoever may read it. */
export const isFoundUnsafe = async (scope: Scope, caseId: string): Promise<boolean> =>
  can(scope, "screening.read") &&
  ((await foundUnsafe(scope, caseId)).size > 0 ||
    ((await foundElsewhereIn(scope.ownerId, [caseId])).get(caseId)?.size ?? 0) > 0);
