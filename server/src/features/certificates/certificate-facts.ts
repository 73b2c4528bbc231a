// What the records of a case say that a certificate may repeat.
import { can } from "@app/shared/access";
import { type Assessment, isOnlyTold } from "@app/shared/assessments";
import { ENDED_EARLY, isEndedByDeath, isResolved, isTakingPart, sideOf } from "@app/shared/case-states";
import { hasUnresolved, isPartedByDeath } from "@app/shared/case-closing";
import { wasHeldIn } from "@app/shared/case-rounds";
import type { Case, Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { hadDied } from "@app/shared/death";
import { firstSide } from "@app/shared/contact-agreements";
import { reliedUntil } from "@app/shared/certificates";
import type { Mediating } from "@app/shared/miam-rules";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { assessmentsOfCase } from "../assessments/assessments.service.ts";
import { findCaseDoc, requireParty } from "../cases/cases.service.ts";
import { type IsSince, reopeningsOf } from "../cases/reopened.service.ts";
import { signsOf } from "../casework/heard-since.service.ts";
import { type Silence, silentParties } from "../casework/invitations.service.ts";
import { listAttempts } from "../ladders/attempts.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { foundUnsafe } from "../screenings/screening-gates.service.ts";
import { jointSessions } from "../sessions/session-facts.service.ts";
import { agreeingIn, asAgreed, isByAgreement } from "../sessions/signed-sessions.service.ts";
import type { Facts, Presence } from "./certificate-statements.ts";
import { hoursApart } from "./hours-apart.ts";
import { otherDisputes } from "./other-disputes.ts";

/** As they stand now; for a certificate that was issued, `asOf` says when. */
export async function factsOf(scope: Scope, theCase: Case, assessment: Assessment, asOf: Date = now()): Promise<Facts> {
  const read = await readAll(scope, theCase, { assessment, asOf });
  const { reopenings, isWord, over, records, mediated, findings, silences, asked, timeZone } = read;
  const unsuitable = new Set(findings.filter(isWord).map(({ partyId }) => partyId));
  const own = requireParty(theCase, assessment.partyId);
  const isOnOwnSide = (party: Party) => sideOf(party) === sideOf(own);
  const ownSide = theCase.parties.filter(isOnOwnSide).map(({ partyId }) => partyId);
  const others = theCase.parties.filter((party) => !isOnOwnSide(party));
  const first = new Set(firstSide(theCase.domain, theCase.parties).map(({ partyId }) => partyId));
  const isFirst = (partyId: string) => first.has(partyId);
  // What is said to have been held after somebody's death says nothing of them.
  const wasDead = ({ partyId, attendedOn }: Assessment) =>
    theCase.parties.some((party) => party.partyId === partyId && hadDied(party, attendedOn));
  const held = records.filter((record) => record.status === "held" && !wasDead(record));
  const known = held.filter(isProven);
  const miams = held.filter(isMiam);
  const presenceOf = presenceAt(assessment, known, await hoursApart(scope.ownerId, assessment, known));
  const disputes = await otherDisputes(scope, theCase, assessment);
  const signs = await signsOf(scope, theCase.id, others);
  return {
    company: assessment.company,
    status: own.status,
    isOwnDecision: isOwnDecision(own, isWord),
    companions: theCase.parties
      .filter((party) => isOnOwnSide(party) && party.partyId !== own.partyId)
      .map(({ partyId, status }) => ({
        ...presenceOf(partyId),
        wasInvited: asked.has(partyId) || UNHEARD.includes(status),
      })),
    others: others.map(({ partyId, label, status, respondedOn, lastStep, assessedAs, contactAgreement }) => ({
      ...presenceOf(partyId),
      label,
      isToStayUnknown:
        contactAgreement?.isAgreed === false ||
        (isFirst(partyId) && !isFirst(own.partyId) && (contactAgreement === null || status === "not_suitable")),
      status,
      isOwnDecision: isOwnDecision({ lastStep }, isWord),
      silence: silenceOf(silences.get(partyId)),
      before: silences.get(partyId)?.before ?? "nothing",
      wasUnsafe: assessedAs === "not_suitable" || findings.some((found) => found.partyId === partyId),
      hasAttended: miams.some((record) => record.partyId === partyId),
      isUnassessed: held.some((record) => record.partyId === partyId && !isMiam(record)),
      isHearsay: held.some((record) => record.partyId === partyId && isOnlyTold(record)),
      isOnlyTold: miams.every((record) => record.partyId !== partyId || isOnlyTold(record)),
      hasBegun: respondedOn !== "" || held.some((record) => record.partyId === partyId && !isOnlyTold(record)),
      attendedApart: known.some(
        (record) =>
          record.partyId === partyId &&
          isMiam(record) &&
          stoodAt(record.attendedOn, assessment) &&
          reopenings.over(momentOf(record)).length >= over.length &&
          !ownSide.some((id) => wasWith(record, id)),
      ),
      otherDispute: disputes.get(partyId) ?? "",
      ...(signs.get(partyId) ?? { awaited: "", heard: "", planned: "" }),
    })),
    isUnsuitable: unsuitable.has(own.partyId) || isLeftWithout(others, unsuitable),
    isUnsuitableByOthers: !unsuitable.has(own.partyId),
    wasMediated: mediated.length > 0,
    toLock: mediated.some(({ unlocked }) => unlocked.length === 0) ? "" : lockFirst(mediated),
    ...endOf(theCase, mediated, { assessment, timeZone }),
  };
}

/** What is stored of the case, and which of it counts since the meeting of this record. */
async function readAll(scope: Scope, theCase: Case, { assessment, asOf }: { assessment: Assessment; asOf: Date }) {
  const reopenings = await reopeningsOf(scope, await findCaseDoc(scope, theCase.id));
  const timeZone = await practiceTimeZone(scope.ownerId);
  const isWord = wordsIn(reopenings, { timeZone, assessment, asOf });
  const over = reopenings.over(momentOf(assessment));
  const [records, sessions, findings, silences, attempts] = await Promise.all([
    assessmentsOfCase(scope, theCase.id),
    mediationOf(scope, theCase, assessment.partyId),
    findingsIn(scope, theCase),
    silentParties(scope, theCase.id, isWord),
    listAttempts(scope, theCase.id),
  ]);
  const mediated = sessions.filter((session) => !over.some((round) => wasHeldIn(round, session)));
  const asked = new Set(attempts.flatMap(({ partyId, isTakenBack }) => (isTakenBack ? [] : [partyId])));
  return { reopenings, isWord, over, records, mediated, findings, silences, asked, timeZone };
}

/** Whether others were at the meeting of this record, as it says itself and as theirs do, unless the calendar says otherwise. */
const presenceAt =
  (assessment: Assessment, known: readonly Assessment[], isAtOtherHours: (record: Assessment) => boolean) =>
  (partyId: string): Presence => {
    const ofDay = known.filter((record) => record.partyId === partyId && record.attendedOn === assessment.attendedOn);
    const there = ofDay.filter((record) => !isAtOtherHours(record));
    const naming = there.filter((record) => wasWith(record, assessment.partyId));
    return {
      isNamed: wasWith(assessment, partyId),
      namesThem: naming.length > 0,
      wasMiam: naming.some(isMiam),
      cameAtOtherHours: ofDay.length > 0 && there.length === 0,
    };
  };

/** Whether somebody is not suitable, and nobody else goes on: of one among several it says nothing of a person's own mediation. */
const isLeftWithout = (others: readonly Party[], unsuitable: ReadonlySet<string>): boolean =>
  others.some(({ partyId }) => unsuitable.has(partyId)) &&
  !others.some((party) => isTakingPart(party) && !unsuitable.has(party.partyId));

/** Where only somebody stands who was asked to come for another side. */
const UNHEARD: readonly Party["status"][] = ["invited", "no_response", "refused"];

type Ended = Pick<Case, "status" | "ending" | "outcome">;

/**
 * How the mediation ended that was held last. Where the case came back since, and no session was held after that, it is how
 * it had ended before, as long as nothing was resolved in the meantime and nobody is at it again.
 */
function endOf(
  theCase: Case,
  [last]: readonly Mediation[],
  { assessment, timeZone }: { assessment: Assessment; timeZone: string },
): Pick<Facts, "hasBrokenDown" | "hasConcludedUnresolved" | "wasPartedByDeath" | "endedLongBefore"> {
  const before = last && theCase.rounds.find((round) => wasHeldIn(round, last));
  const ended: Ended = before ?? theCase;
  // Of an end without a day it is known when it was recorded.
  const endedOn = (before ?? theCase).concludedOn || dayIn(timeZone, new Date(before?.endedAt ?? theCase.statusSince));
  const isStillOver = !before || brokeDown(theCase) || wasStopped(theCase);
  return {
    // What did not proceed had not begun, whatever was written up of it.
    hasBrokenDown: isStillOver && ended.status === "terminated" && brokeDown(ended),
    hasConcludedUnresolved: isStillOver && concludedUnresolved(ended),
    wasPartedByDeath: isPartedByDeath(theCase.parties, endedOn),
    endedLongBefore: !stoodAt(endedOn, assessment),
  };
}

interface Mediation {
  number: number;
  /** Held with their side alone, at another time than with the others. */
  isApart: boolean;
  heldOn: string;
  startedAt: Date | null;
  unlocked: number[];
}

/**
 * The sessions of which the day is known and at which this party mediated with another side, by an agreement of both, the
 * last one first.
 */
export async function mediationOf(
  scope: Scope,
  { id: caseId, parties, rounds }: Case,
  partyId: string,
): Promise<Mediation[]> {
  const sessions = await jointSessions(scope, { caseId, parties, rounds });
  const agreeing = await agreeingIn(scope, caseId);
  const agreed = sessions.map((session) => asAgreed<Party, typeof session>(session, agreeing));
  return agreed.filter((session) => {
    if (!agreeing.isInRound(session)) return false;
    const person = session.parties.find((party) => party.partyId === partyId);
    return session.heldOn !== "" && person !== undefined && isByAgreement(session, agreeing, person);
  });
}

/** How these sessions were held from the first day to the last, on both of which another side was there where it is said so. */
export function mediatingIn(
  sessions: readonly Pick<Mediation, "heldOn" | "isApart">[],
  { firstOn, lastOn }: { firstOn: string; lastOn: string },
): Mediating {
  const held = sessions.filter(({ heldOn }) => firstOn <= heldOn && heldOn <= lastOn);
  if (held.every(({ isApart }) => isApart)) return "apart";
  const isTogether = (day: string) => held.some(({ heldOn, isApart }) => heldOn === day && !isApart);
  return isTogether(firstOn) && isTogether(lastOn) ? "together" : "both";
}

/** What to do before something rests on these sessions: until they are locked their record may still change. */
export function lockFirst(sessions: readonly Mediation[]): string {
  const numbers = sessions.flatMap(({ unlocked }) => unlocked).toSorted((one, other) => one - other);
  if (numbers.length === 0) return "";
  return numbers.length === 1
    ? `Session ${numbers.join()} is not locked yet, so its record may still change. Lock it first.`
    : `Sessions ${numbers.join(", ")} are not locked yet, so their record may still change. Lock them first.`;
}

const silenceOf = (silence: Silence | undefined): Facts["others"][number]["silence"] => {
  if (!silence) return "none";
  return silence.untried.length === 0 ? "whole" : "short";
};

/** Where nobody said whose word it is, it is not known to be theirs. */
const isOwnDecision = ({ lastStep }: Pick<Party, "lastStep">, isWord: IsSince): boolean =>
  lastStep?.isOwnDecision === true && isWord({ on: lastStep.on, at: new Date(lastStep.at) });

/**
 * Which words, silences and findings count beside this MIAM: those since the case was last reopened, and none from so long
 * before it that nobody could rely any more on a MIAM of that day. What they would say now is not known by them.
 */
export async function wordsFor(scope: Scope, { id }: Pick<Case, "id">, assessment: Assessment): Promise<IsSince> {
  const reopenings = await reopeningsOf(scope, await findCaseDoc(scope, id));
  return wordsIn(reopenings, { timeZone: await practiceTimeZone(scope.ownerId), assessment, asOf: now() });
}

function wordsIn(
  { since }: Awaited<ReturnType<typeof reopeningsOf>>,
  { timeZone, assessment, asOf }: { timeZone: string; assessment: Assessment; asOf: Date },
): IsSince {
  const isSinceMiam = since(momentOf(assessment));
  const isSinceLast = since({ on: dayIn(timeZone, asOf), at: asOf });
  return (said) => isSinceMiam(said) && isSinceLast(said) && stoodAt(said.on || dayIn(timeZone, said.at), assessment);
}

const momentOf = ({ attendedOn, createdAt }: Assessment) => ({ on: attendedOn, at: new Date(createdAt) });

/** One of which its own record says that the risk was not assessed was none yet (FPR 3.9), whoever's certificate it is for. */
const isMiam = ({ lacksRiskAssessment }: Assessment): boolean => !lacksRiskAssessment;

/** What another service held counts by what was seen of it, or by the word of whoever held it. */
const isProven = (record: Assessment): boolean => record.isComplete && !isOnlyTold(record);

/** A day on which nobody could rely any more when this MIAM was held is not of the same time, nor maybe of the same dispute. */
const stoodAt = (day: string, { attendedOn }: Assessment): boolean => reliedUntil(day) >= attendedOn;

/** Whether a record says that this other party was at the meeting too. */
const wasWith = ({ company, withPartyIds }: Assessment, partyId: string): boolean =>
  company === "together" || withPartyIds.includes(partyId);

/** By a decision that everybody of the practice sees, or by what was last found of somebody for those who read screenings. */
async function findingsIn(scope: Scope, { id, parties }: Case): Promise<{ partyId: string; on: string; at: Date }[]> {
  const decided = parties.flatMap(({ partyId, status, lastStep, statusSince, assessedOn }) => {
    if (status !== "not_suitable") return [];
    // Whoever had attended stands there by a screening, which is no step, as of its day.
    const { on, at } = lastStep?.to === status ? lastStep : { on: assessedOn, at: statusSince };
    return [{ partyId, on, at: new Date(at) }];
  });
  if (!can(scope, "screening.read")) return decided;
  return [...decided, ...[...(await foundUnsafe(scope, id))].map(([partyId, found]) => ({ partyId, ...found }))];
}

/** Nobody broke it off: the practice could not go on, and mediation with another may. */
const STOPPED_BY_PRACTICE: Case["ending"] = "conflict_of_interest";
/** It was never a case of its own, so nothing ended with it. */
const NO_END: Case["ending"] = "opened_in_error";

// Whatever else ended it early, the neutral sentence is true and tells nobody's reason. Only where people were reconciled,
// settled it or died, or the practice had to stop, has nothing broken down.
const brokeDown = ({ status, ending }: Ended): boolean =>
  ENDED_EARLY.includes(status) &&
  ending !== null &&
  !isEndedByDeath({ ending }) &&
  ending !== STOPPED_BY_PRACTICE &&
  ending !== NO_END &&
  !isResolved(ending);

const concludedUnresolved = ({ status, ending, outcome }: Ended): boolean =>
  wasStopped({ status, ending }) ||
  ((status === "concluded" || status === "closed") &&
    outcome !== null &&
    (outcome.code === "not_agreed" ||
      outcome.code === "agreed_some" ||
      (outcome.code === "agreed_not_written" && hasUnresolved(outcome))));

const wasStopped = ({ status, ending }: Pick<Ended, "status" | "ending">): boolean =>
  ENDED_EARLY.includes(status) && ending === STOPPED_BY_PRACTICE;
