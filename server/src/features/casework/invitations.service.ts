// The attempts to reach the parties of a case, with what became of those that went by mail.
import { isUnreached, inOrder, untriedOf } from "@app/shared/ladder-steps";
import { type Attempt, hasLeft, type invitationsSchema } from "@app/shared/ladders";
import { isInvitable } from "@app/shared/invitable";
import { isRestricted } from "@app/shared/clients";
import { forbiddenChannels, rungsWithin, waysToReach } from "@app/shared/safe-channels";
import type { z } from "zod";
import type { Scope } from "../../core/trpc.ts";
import { lastStepOf } from "../cases/case-steps.service.ts";
import { safetyOf } from "../clients/client-addresses.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import type { IsSince } from "../cases/reopened.service.ts";
import { listAttempts, type StoredAttempt } from "../ladders/attempts.service.ts";
import { invitationGaps } from "../ladders/invitation-gates.service.ts";
import { rungsOf } from "../ladders/ladders.service.ts";
import {
  agreedAndMissed,
  firstMeetings,
  markedAsThere,
  repliedAndMissed,
  toldAndMissed,
} from "../meetings/first-meetings.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { statesOfMails } from "../outbox/outbox-use.service.ts";

/** The attempts to reach each party of a case, and the ladder that they go by. */
export async function invitationsOf(scope: Scope, id: string): Promise<z.infer<typeof invitationsSchema>> {
  const theCase = await findCaseDoc(scope, id);
  const today = await practiceToday(scope.ownerId);
  const missing = await Promise.all(
    theCase.parties
      .filter((party) => isInvitable({ ...party, lastStep: lastStepOf(party) }, theCase, today))
      .map(async (party) => ({ partyId: party.partyId, gaps: await invitationGaps(scope, theCase, party) })),
  );
  const ways = await Promise.all(theCase.parties.map((party) => waysOf(scope, party)));
  const rungs = [...(await rungsOf(scope.ownerId, theCase.domain))];
  return { rungs, attempts: await attemptsOf(scope, id), missing, ways };
}

async function waysOf(
  { ownerId }: Scope,
  { partyId, clientId }: { partyId: string; clientId: string },
): Promise<z.infer<typeof invitationsSchema>["ways"][number]> {
  const { now: safe } = await safetyOf(ownerId, clientId);
  const forbidden = forbiddenChannels(safe);
  const words = isRestricted(safe) || !safe.mayLeaveVoicemail ? waysToReach(safe, { withEmail: true }) : "";
  return { partyId, forbidden, mayLeaveVoicemail: safe.mayLeaveVoicemail, words };
}

/** The attempts to reach one party, the oldest first. */
export const attemptsTo = async (scope: Scope, of: { caseId: string; partyId: string }): Promise<Attempt[]> =>
  (await attemptsOf(scope, of.caseId)).filter(({ partyId }) => partyId === of.partyId);

/** How somebody was tried who did not answer. */
export interface Silence {
  /** What can have reached them since they last answered, the oldest first. */
  attempts: Attempt[];
  /** The steps of the ladder that are not among these; empty where it has come to its end, or nobody had to ask again. */
  untried: ReturnType<typeof untriedOf>;
  /**
   * Whether they ever answered, and whether they agreed to a first meeting to which they did not come, or were told of one
   * and neither answered nor came.
   */
  before: "nothing" | "answered" | "missed" | "offered";
}

/**
 * Those parties of a case who were invited at least once since they last answered, or did not come to the meeting to
 * which they had agreed or of which they were told, and whose last day to answer is over for every invitation that
 * reached them: of these a certificate may say that they did not answer, or did not come. What came about in an earlier
 * round is left out.
 */
export async function silentParties(scope: Scope, caseId: string, isSince: IsSince): Promise<Map<string, Silence>> {
  const theCase = await findCaseDoc(scope, caseId);
  const { parties, domain } = theCase;
  const ladder = await rungsOf(scope.ownerId, domain);
  // What is only to be looked at is not passed over for good.
  const rungsFor = new Map(
    await Promise.all(
      parties.map(async ({ partyId, clientId }) => {
        const { recorded } = await safetyOf(scope.ownerId, clientId);
        return [partyId, rungsWithin(ladder, recorded)] as const;
      }),
    ),
  );
  const all = (await attemptsOf(scope, caseId)).filter(isSince);
  const [made, unreached] = [all.filter(hasLeft), all.filter((one) => isUnreached(one) && !one.isTakenBack)];
  const today = await practiceToday(scope.ownerId);
  const meetings = await firstMeetings(scope, caseId, isSince);
  const [accepted, declined] = [repliedAndMissed(meetings, "accepted"), repliedAndMissed(meetings, "declined")];
  const [agreed, notAgreed] = [agreedAndMissed(meetings, true), agreedAndMissed(meetings, false)];
  const there = markedAsThere(meetings);
  const offered = await toldAndMissed(scope, theCase, meetings);
  return new Map(
    parties.flatMap(({ partyId, respondedOn, steps }) => {
      const missed = there.has(partyId) ? [] : steps.filter(isMissed(isSince));
      const isKnown = accepted.has(partyId) || agreed.has(partyId);
      const isDenied = declined.has(partyId) || notAgreed.has(partyId);
      const hasAgreedTo = (step: Step) => !isDenied && wasAgreedByHand(steps, step);
      const hasMissed = missed.some((step) => isKnown || hasAgreedTo(step));
      const hasAnswered = respondedOn !== "" && answeredIn(steps, { respondedOn, isSince });
      const isMeant = (one: Attempt) => one.partyId === partyId && !one.isAnswered && one.on > respondedOn;
      const attempts = made.filter(isMeant);
      const isAwaited = attempts.some(({ replyBy }) => replyBy >= today);
      const told = offered.get(partyId);
      // Of whoever answered later, the appointment was no attempt to reach them.
      const offer = hasAnswered && told && told.on < respondedOn ? undefined : told;
      if (isAwaited || (attempts.length === 0 && !hasMissed && !offer)) return [];
      const rungs = rungsFor.get(partyId) ?? ladder;
      const tried = [...attempts, ...unreached.filter(isMeant), ...(offer ? [offer] : [])];
      const untried = hasMissed ? [] : untriedOf(rungs, inOrder(tried));
      const isOffered = offer !== undefined;
      return [[partyId, { attempts, untried, before: beforeOf({ hasMissed, hasAnswered, isOffered }) }]];
    }),
  );
}

type Step = { from: string; to: string; on?: string; at: Date; hasAgreed?: boolean | null };

const isMissed =
  (isSince: IsSince) =>
  ({ to, on = "", at }: Step): boolean =>
    to === "miam_missed" && isSince({ on, at });

/**
 * That a meeting was put into the calendar says nothing of them, though it moves them by itself, by a step without a day:
 * whoever agreed to one said yes to its invitation, or somebody recorded that they had agreed to it. In steps from before that
 * was asked, that they have one booked says it.
 */
function wasAgreedByHand(steps: readonly Step[], missed: Step): boolean {
  if (missed.from !== "miam_booked") return false;
  const booked = steps.slice(0, steps.indexOf(missed)).findLast(({ to }) => to === "miam_booked");
  return booked !== undefined && (booked.on ?? "") !== "" && booked.hasAgreed !== null && booked.hasAgreed !== false;
}

/** Whether they answered in this round: a party who did before and nothing since answered the last one. */
const answeredIn = (
  steps: readonly Step[],
  { respondedOn, isSince }: { respondedOn: string; isSince: IsSince },
): boolean => {
  const step = steps.findLast(({ to }) => to === "responded");
  return isSince({ on: respondedOn, at: step?.at ?? new Date(0) });
};

interface Before {
  hasMissed: boolean;
  hasAnswered: boolean;
  isOffered: boolean;
}

function beforeOf({ hasMissed, hasAnswered, isOffered }: Before): Silence["before"] {
  if (hasMissed) return "missed";
  if (hasAnswered) return "answered";
  return isOffered ? "offered" : "nothing";
}

async function attemptsOf(scope: Scope, caseId: string): Promise<(Attempt & Pick<StoredAttempt, "at">)[]> {
  const made = await listAttempts(scope, caseId);
  const states = await statesOfMails(
    scope,
    made.flatMap(({ mailId }) => mailId ?? []),
  );
  return made.map((one) => ({ ...one, delivery: states.get(one.mailId ?? "") ?? null }));
}
