// Which statements the recorded facts allow, and what is missing for the others.
import type { Assessment } from "@app/shared/assessments";
import { labelsOf } from "@app/shared/agreement-gates";
import type { PartyStatus } from "@app/shared/case-states";
import { isOfSides, type Statement, STATEMENTS, type Unwilling } from "@app/shared/miam-rules";
import { isSilent, type Judgement, no, ofThisDispute, unlessHeard, yes } from "./judgements.ts";
import type { Signs } from "../casework/heard-since.service.ts";
import type { Silence } from "../casework/invitations.service.ts";

export interface Facts {
  company: Assessment["company"];
  /** Where this person stands. */
  status: PartyStatus;
  /** That they left, or refused, is recorded as their own decision, of the round of the case in which the MIAM was. */
  isOwnDecision: boolean;
  /** Whoever stands on their side. */
  companions: readonly (Presence & {
    /** They were asked to come, as only people of another side are. */
    wasInvited?: boolean;
  })[];
  /** Everybody who does not. */
  others: readonly OtherFacts[];
  isUnsuitable: boolean;
  /** Nothing of the kind is recorded of this person, so that they can tell of whom it is. */
  isUnsuitableByOthers: boolean;
  wasMediated: boolean;
  /** Which of the sessions to lock before it is said that they mediated; empty where one is locked. */
  toLock: string;
  hasBrokenDown: boolean;
  /** A death had left one side alone by the day on which the case ended, whatever is said of why it did. */
  wasPartedByDeath: boolean;
  hasConcludedUnresolved: boolean;
  /** Mediation was over so long before this MIAM that nobody could rely any more on one of that day. */
  endedLongBefore: boolean;
}

/** Whether another party was at the same meeting. */
export interface Presence {
  /** The record of this person says so. */
  isNamed: boolean;
  /** Their own record of that day says so. */
  namesThem: boolean;
  /** The same, and it was a MIAM for them too. */
  wasMiam: boolean;
  /** They attended on that day, and the calendar has their meeting at other hours. */
  cameAtOtherHours?: boolean;
}

export interface OtherFacts extends Presence, Signs {
  label: string;
  status: PartyStatus;
  isOwnDecision: boolean;
  /** They came first, and do not agree that the others hear of them. */
  isToStayUnknown?: boolean;
  /** Whether an invitation reached them and their time to answer is over: by every step of the ladder, or by fewer. */
  silence: "none" | "short" | "whole";
  /** Whether they ever answered, and whether they had a MIAM booked to which they did not come. */
  before: Silence["before"];
  /** A record says that they attended a MIAM. */
  hasAttended: boolean;
  /** A record says that they came to a meeting that was none yet, because the risk was not assessed. */
  isUnassessed: boolean;
  /** That they attended one elsewhere rests on what somebody told. */
  isHearsay: boolean;
  /** So does every record of theirs. */
  isOnlyTold: boolean;
  /** They answered, or attended: somebody who never did has no wish on record that could have changed. */
  hasBegun: boolean;
  /** What was last found of them is that they are not safe to mediate, whatever they did since. */
  wasUnsafe: boolean;
  /** Their own record, on which they could rely then, says that they attended one without anybody of this person's side. */
  attendedApart: boolean;
  /** In which other case they go on with this person, for whoever asks; empty where in none. */
  otherDispute: string;
}

const wasThere = ({ isNamed, namesThem }: Presence) => isNamed || namesThem;
type Deciding = Pick<OtherFacts, "status" | "isOwnDecision">;
/** A refusal is nobody else's: what others tell of it is not their word, wherever they stood before. */
const hasRefused = ({ status, isOwnDecision }: Deciding) => status === "refused" && isOwnDecision;
/** Who goes quiet, or is taken out by others, has not said what they wish. */
const hasStopped = (one: Deciding) => hasRefused(one) || (one.status === "withdrawn" && one.isOwnDecision);
/** Whoever answered and then left by their own decision is no more willing than who said no at once. */
const isUnwilling = (other: OtherFacts) => hasRefused(other) || (hasStopped(other) && other.hasBegun);

function unwillingOf(others: readonly OtherFacts[]): Unwilling {
  const silent = others.filter(isSilent);
  if (silent.length === 0) return "refused";
  // Whoever once answered is never one who has not answered.
  const known = silent.find(({ before }) => before === "missed" || before === "answered");
  if (known && others.length > 1) return "some_absent";
  if (known) return known.before === "missed" ? "missed" : "answered";
  // Of one among several it says no more than that they were invited.
  if (others.every(({ before }) => before === "offered") && others.length === 1) return "offered";
  if (!others.every(isSilent)) return "some_silent";
  return others.length === 1 ? "silent" : "all_silent";
}

/** Whose record is of a meeting that was no MIAM yet; empty where nobody's is. */
const noMiamOf = (others: readonly OtherFacts[]): string =>
  others.length === 0
    ? ""
    : `The record of ${labelsOf(others)} says that the risk was not assessed, so that was no MIAM yet (FPR 3.9).`;

/** Of whose MIAM nothing was seen; empty where of nobody's. */
const toldOf = (others: readonly OtherFacts[]): string =>
  others.length === 0
    ? ""
    : `That ${labelsOf(others)} attended a MIAM elsewhere is not proven. See their certificate, or ask the mediator who held it. Then strike the record, and record it anew.`;

/** What is said of the decision, or the coming, of somebody who was found not safe to mediate first may endanger them. */
const warned = (judgement: Judgement, meant: readonly OtherFacts[], warning = TELLS_OF_DECISION): Judgement =>
  meant.some(({ wasUnsafe }) => wasUnsafe) ? { ...judgement, warning } : judgement;

const STOPPED_THEMSELVES = "That another participant stopped is recorded as their own decision.";

const JUDGES: Record<Statement, (facts: Facts) => Judgement> = {
  alone({ company, companions, others }) {
    if (company !== "alone") return no("The record does not say that they attended without another participant.");
    return [...companions, ...others].some(({ namesThem }) => namesThem)
      ? no("Another record of this day says that somebody was with them.")
      : yes("The record says that they attended without another participant.");
  },
  own_side({ companions, others }) {
    if (!companions.some(({ isNamed }) => isNamed))
      return no("The record does not say that somebody on their own side was with them.");
    return others.some(wasThere) ? no(OTHERS_WERE_THERE) : yes("The record names nobody from another side.");
  },
  together({ others }) {
    if (others.length === 0) return no(NOBODY_ELSE);
    const named = others.filter(({ isNamed }) => isNamed);
    if (named.length === 0) return no("The record does not say that somebody from another side was there.");
    if (named.every(({ wasMiam }) => wasMiam))
      return yes("The record of everybody from another side who was there says so too.");
    const apart = named.filter(({ cameAtOtherHours }) => cameAtOtherHours);
    if (apart.length > 0)
      return no(
        `The calendar has the meeting of ${labelsOf(apart)} on this day at another time. Correct who was there, or the time in the calendar.`,
      );
    return no(
      noMiamOf(named.filter(({ wasMiam, namesThem }) => namesThem && !wasMiam)) ||
        "Whoever it names from another side must have a record of this day that names them too.",
    );
  },
  separately({ company, others: everybody }) {
    // Whoever died has nothing to attend any more.
    const others = everybody.filter(({ status, hasAttended }) => status !== "died" || hasAttended);
    if (company === "") return no("The record does not say who was there.");
    if (others.length === 0) return no(NOBODY_ELSE);
    if (others.some(wasThere)) return no(OTHERS_WERE_THERE);
    if (others.some(({ isToStayUnknown }) => isToStayUnknown)) return no(TO_STAY_UNKNOWN);
    return others.every(({ attendedApart }) => attendedApart)
      ? warned(
          yes("Each of them has a record of their own, without anybody of this side."),
          others,
          TELLS_OF_ATTENDANCE,
        )
      : no(
          noMiamOf(others.filter(({ attendedApart, isUnassessed }) => isUnassessed && !attendedApart)) ||
            toldOf(others.filter((other) => other.isHearsay && !other.attendedApart)) ||
            "The MIAM of each other participant must be recorded too, as attended without anybody of this side, and not longer before this one than an application may rely on it.",
        );
  },
  none_willing({ companions, others: everybody }) {
    // Of whoever died nobody asks whether they are willing.
    const others = everybody.filter(({ status }) => status !== "died");
    if (others.length === 0) return no(NOBODY_ELSE);
    if (companions.some(({ wasInvited }) => wasInvited))
      return no(
        "Somebody who stands on their side now was invited as another participant. Look at the sides of this case first.",
      );
    if (others.some(({ hasAttended, isOnlyTold }) => hasAttended && !isOnlyTold))
      return no("Another participant attended a MIAM, so it cannot say that nobody else was willing to.");
    const told = others.filter(({ hasAttended }) => hasAttended);
    if (told.length > 0) return no(`${toldOf(told)} Until then nobody knows that nobody else was willing to.`);
    if (others.some((other) => isSilent(other) && other.silence === "none"))
      return no(
        `Whoever is recorded as not answering must have been invited since they last answered, or have missed the MIAM that they had booked, to whose time they had agreed (the meeting asks that) or of which they were told by mail, and their last day to answer must be over. ${TOO_OLD}`,
      );
    if (others.some((other) => other.status === "refused" && !hasRefused(other)))
      return no(
        `It is not recorded that whoever refused said so themselves, or their solicitor for them. Ask them, and record what they say. ${TOO_OLD}`,
      );
    // Beside somebody who did not answer, of whoever withdrew it cannot be said that they refused or did not answer.
    if (!others.every(isUnwilling) && !others.every((other) => hasRefused(other) || isSilent(other)))
      return no(
        `Every other participant must be recorded as refused or withdrawn by their own decision, or as refused or not answering. ${TOO_OLD}`,
      );
    if (others.some(({ isToStayUnknown }) => isToStayUnknown)) return no(TO_STAY_UNKNOWN);
    const unwilling = unwillingOf(others);
    const allowed: Judgement = others.some((other) => isSilent(other) && other.silence === "short")
      ? { ...yes("Somebody went quiet, though not every step of the invitation was tried."), asksFewer: true }
      : yes(
          unwilling === "refused"
            ? "Every other participant refused, or withdrew."
            : "Every other participant refused, did not answer, or did not come.",
        );
    return unlessHeard(ofThisDispute(warned({ ...allowed, unwilling }, others), others), others);
  },
  unsuitable({ isUnsuitable, isUnsuitableByOthers }) {
    if (!isUnsuitable)
      return no(
        "No screening or decision that you may read says so. One from before the case was reopened, or longer before this MIAM than an application may rely on one, does not count: screen them again.",
      );
    const allowed = yes("A screening or a decision says so. The certificate does not say whose.");
    return { ...allowed, warning: isUnsuitableByOthers ? TELLS_OF_OTHERS : TELLS_OF_OWN };
  },
  person_stops: (facts) =>
    hasStopped(facts)
      ? yes("That they stopped is recorded as their own decision.")
      : no(`Their refusal or withdrawal must be recorded, as their own decision. ${TOO_OLD}`),
  other_stops({ others }) {
    if (others.length === 0) return no(NOBODY_ELSE);
    const stopped = others.filter(isUnwilling);
    if (stopped.some(({ isToStayUnknown }) => isToStayUnknown)) return no(TO_STAY_UNKNOWN);
    return stopped.length > 0
      ? unlessHeard(ofThisDispute(warned(yes(STOPPED_THEMSELVES), stopped), stopped), stopped)
      : no(
          `Another participant, who had answered, must be recorded as having refused or withdrawn by their own decision; that somebody went quiet is none. ${TOO_OLD}`,
        );
  },
  broken_down({ wasMediated, toLock, hasBrokenDown, wasPartedByDeath, endedLongBefore }) {
    if (!wasMediated) return no(NOT_MEDIATED);
    if (wasPartedByDeath) return no(PARTED_BY_DEATH);
    if (hasBrokenDown && endedLongBefore) return no(ENDED_LONG_BEFORE);
    if (toLock !== "") return no(toLock);
    return hasBrokenDown
      ? yes("Sessions were held, and the case was ended before its conclusion.")
      : no(
          "The case must have ended before its conclusion, and not because they are reconciled, settled it themselves, or the practice had to stop.",
        );
  },
  unresolved({ wasMediated, toLock, hasConcludedUnresolved, endedLongBefore }) {
    if (!wasMediated) return no(NOT_MEDIATED);
    if (hasConcludedUnresolved && endedLongBefore) return no(ENDED_LONG_BEFORE);
    if (toLock !== "") return no(toLock);
    return hasConcludedUnresolved
      ? yes("Sessions were held, and the case concluded, or the practice had to stop, with issues that are not agreed.")
      : no("The case must have concluded with issues that are not agreed.");
  },
};

const TOO_OLD =
  "What was before the case was reopened, or longer before this MIAM than an application may rely on one, does not count: ask them again, and record what they say.";
const ENDED_LONG_BEFORE =
  "Mediation ended longer before this MIAM than an application may rely on one, so that says nothing of this time. Ask the other participants again, and record what happened since.";
const TO_STAY_UNKNOWN =
  "Somebody else has not agreed that the others are contacted, or is not safe, so nothing tells them that they came or left.";
const TELLS_OF_OTHERS =
  "Nothing of the kind is recorded of this person, so they can tell that it is about somebody else, and may guess what was said. Leave it out where that could put somebody in danger: attendance alone is enough for an application.";
const TELLS_OF_OWN =
  "The other side reads the certificate in the proceedings, can tell that it is about this person, and may guess what they told you. Leave it out where that could put somebody in danger: attendance alone is enough for an application.";
const TELLS_OF_DECISION =
  "Somebody of whom this is said was found not safe to mediate before they decided. This person may hold the decision against them, or guess what was said. Leave it out where that could put somebody in danger: attendance alone is enough for an application.";
const TELLS_OF_ATTENDANCE =
  "Somebody of whom this is said was found not safe to mediate. This person learns that they came to a meeting of their own, and may guess what was said there. Leave it out where that could put somebody in danger: attendance alone is enough for an application.";
const NOT_MEDIATED =
  "A session with them and another participant must have been held, when somebody on either side had signed the agreement to mediate.";
const PARTED_BY_DEATH =
  "Somebody died, and one side was left, so mediation did not break down. If it had before that, take the end back, and record it again with the day on which it did.";
const NOBODY_ELSE = "There is no other participant in this case.";
const OTHERS_WERE_THERE = "A record of this day says that somebody from another side was there.";

export const judge = (facts: Facts): (Judgement & { statement: Statement })[] =>
  STATEMENTS.map((statement) => ({
    statement,
    ...JUDGES[statement](facts),
    ...(isOfSides(statement) && facts.companions.length > 0 ? { isBySide: true as const } : {}),
  }));

/** Whether it is worth asking: whoever stands alone has nobody beside them. */
export const isAskedOf = ({ companions }: Facts, statement: Statement): boolean =>
  statement !== "own_side" || companions.length > 0;
