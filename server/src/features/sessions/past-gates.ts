// What was missing for a session when it took place. It is recorded as it was all the same: with what was missing, and why.
import type { Case, Party } from "@app/shared/cases";
import { isHeldApart, isHeldToMediate, isMediation, tookPartAt } from "@app/shared/case-sessions";
import { wasThere } from "@app/shared/session-states";
import { hadLeft } from "@app/shared/death";
import { dayIn } from "@app/shared/days";
import type { MeetingType } from "@app/shared/meeting-states";
import type { Scope } from "../../core/trpc.ts";
import { stoodAt } from "../cases/case-steps.service.ts";
import { findCaseDoc, pastOf } from "../cases/cases.service.ts";
import { reopeningsOf } from "../cases/reopened.service.ts";
import { outdoneConsents } from "../cases/newcomer-consents.service.ts";
import { meetingBlockers } from "../conflicts/conflict-gates.service.ts";
import { childGapsAt } from "../meetings/child-inclusive.service.ts";
import { unsigned } from "../meetings/meeting-others.service.ts";
import { getMeeting } from "../meetings/meetings.service.ts";
import { saidOtherwise } from "../meetings/said-otherwise.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { screeningGapsAt } from "../screenings/past-screenings.service.ts";
import { agreedBy } from "./agreed-then.ts";
import { joinerGaps, measureGaps } from "./session-measures.ts";
import type { Gap, SessionDoc } from "./sessions.model.ts";

type Held = Pick<
  SessionDoc,
  "caseId" | "meetingId" | "partyIds" | "attendance" | "format" | "unmet" | "missedBefore"
> & {
  startedAt: Date;
};

/** Whoever came counts; while nobody was marked, those who were awaited. */
function metIn({ partyIds, attendance }: Held, { parties }: Case): Party[] {
  const absent = attendance.filter((mark) => !wasThere(mark)).map(({ partyId }) => partyId);
  return parties.filter(({ partyId }) => partyIds.includes(partyId) && !absent.includes(partyId));
}

export async function gapsAt(scope: Scope, held: Held, theCase: Case): Promise<Gap[]> {
  const { caseId, meetingId, startedAt: at } = held;
  const parties = metIn(held, theCase);
  const meeting = meetingId === null ? null : await getMeeting(scope, meetingId);
  const day = dayIn(await practiceTimeZone(scope.ownerId), at);
  const undecided = await meetingBlockers(scope, { caseId, clientIds: parties.map(({ clientId }) => clientId) });
  const ofMeeting = meeting
    ? [
        ...unsigned(meeting.others, day).map((who) => `${who} had not signed that it stays confidential.`),
        ...(await childGapsAt(scope, meeting, at)),
      ]
    : [];
  const { domain } = theCase;
  const isToMediate = isHeldToMediate(domain, meeting?.type ?? null);
  // Once mediation is over, a call about what is left of it asks for no new screening.
  const isScreeningAsked = isToMediate || (domain === "family" && !(await stoodBy(scope, caseId, { at, day })).isOver);
  const plain = [
    ...(isToMediate ? await mediationGaps(scope, theCase, { type: meeting?.type ?? null, parties, at, day }) : []),
    ...parties.filter((party) => !tookPartAt(party, { at, day })).map(({ label }) => `${label} was not in the case.`),
    ...(isMediation(meeting?.type ?? null, parties)
      ? [...(await saidOtherwise(scope, { caseId, meetingId, parties, day })), ...toldOtherwise(held, parties)]
      : []),
    ...(undecided.length > 0 ? ["The conflict check of those who met did not allow it."] : []),
    ...ofMeeting,
  ];
  const met = isHeldApart(meeting?.type ?? null, parties) ? inShuttleAt(theCase, parties, { at, day }) : parties;
  const ofSafety = met.length > 1 ? await screeningGapsAt(scope, { caseId, parties: met, at, isScreeningAsked }) : [];
  return [
    ...plain.map((text) => ({ text, isSafety: false })),
    ...(await joinerGaps(scope, theCase, { partyIds: held.partyIds, at })),
    ...ofSafety.map((text) => ({ text, isSafety: true })),
    ...(await measureGaps(scope, held, theCase, { parties, at })),
  ];
}

/** Of whom the calendar said that they did not come, until the session told it otherwise. */
const toldOtherwise = ({ missedBefore = [] }: Held, parties: readonly Party[]): string[] =>
  parties
    .filter(({ partyId }) => missedBefore.includes(partyId))
    .map(({ label }) => `The calendar had said that ${label} did not come.`);

/** Whoever came to shuttle mediation by themselves mediated with those who had agreed to it by then. */
const inShuttleAt = (theCase: Case, came: readonly Party[], moment: Parameters<typeof tookPartAt>[1]): Party[] =>
  theCase.parties.filter(
    (party) => came.includes(party) || (tookPartAt(party, moment) && party.agreementSignedOn !== ""),
  );

interface Met {
  type: MeetingType | null;
  parties: readonly Party[];
  at: Date;
  day: string;
}

/** Of those who mediate: whether mediation had begun, and who had agreed to it by that day. */
async function mediationGaps(scope: Scope, theCase: Case, { type, parties, at, day }: Met): Promise<string[]> {
  if (!isMediation(type, parties)) return [];
  const agreed = await agreedBy(scope, theCase.id, { at, day });
  const unwilling = parties.filter((party) => agreed(party).consentedOn === "");
  const unsignedThen = parties.filter((party) => !agreed(party).hasSigned);
  const inCase = parties.filter((party) => tookPartAt(party, { at, day }));
  const outdone = await outdoneConsents(
    scope,
    inCase.filter((party) => !unwilling.includes(party)).map((party) => ({ ...party, ...agreed(party) })),
    day,
  );
  const signedBefore = inCase.filter((party) => !unsignedThen.includes(party) && hadLeft(party, day));
  return [
    ...(await standingGaps(scope, theCase, { at, day })),
    ...unwilling.map(({ label }) => `${label} had not consented to mediation.`),
    ...outdone.map(({ label, since }) => `${label} had not consented since ${since}.`),
    ...unsignedThen.map(({ label }) => `${label} had not signed the agreement to mediate.`),
    ...signedBefore.map(
      ({ label }) => `${label} had not signed the agreement to mediate since they came back into the case.`,
    ),
  ];
}

/** Steps are known by the moment in which they were recorded: one that was recorded later tells nothing of an earlier day. */
async function standingGaps(scope: Scope, { id, status }: Case, moment: Pick<Met, "at" | "day">) {
  const { past, stood, isOver, wasBack, isOfRound, before } = await stoodBy(scope, id, moment);
  const hasBegun = (steps: typeof past.steps) =>
    status === "paused" || [status, ...steps.map(({ to }) => to)].includes("in_mediation");
  // What did not proceed had not begun, whatever did since.
  const hadBegun = before ? before.status !== "not_proceeding" : hasBegun(past.steps);
  if (isOver) return [hadBegun ? "Mediation had ended in this case." : "Mediation has not begun in this case."];
  // Sent back to it, the case begins it anew.
  if (!hasBegun(past.steps.filter(({ at }) => isOfRound({ on: "", at }))))
    return ["Mediation has not begun in this case."];
  return stood === "paused" && !wasBack ? ["The case was paused."] : [];
}

/** Where the case stood then, whether mediation in it was over, and whether it had come back to it before that was recorded. */
async function stoodBy(scope: Scope, id: string, { at, day }: Pick<Met, "at" | "day">) {
  const past = await pastOf(scope, id);
  const { isBetween, wasBackBefore, signedSince, over } = await reopeningsOf(scope, await findCaseDoc(scope, id));
  const stood = stoodAt(past, at);
  const wasBack = wasBackBefore({ on: day, at });
  const hadEnded = stood !== null && ENDED.includes(stood) && !wasBack;
  const isOfRound = signedSince({ on: day, at });
  // An end counts from its day, also where it was written down only later.
  const isPast = ENDED.includes(past.status) && past.concludedOn !== "" && past.concludedOn < day;
  const before = isBetween({ on: day, at }) ? over({ on: day, at }).at(-1) : undefined;
  return { past, stood, isOver: hadEnded || isPast || before !== undefined, wasBack, isOfRound, before };
}

const ENDED: readonly string[] = ["concluded", "closed", "terminated", "not_proceeding"] satisfies Case["status"][];
