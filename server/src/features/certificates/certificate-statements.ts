// Which statements the recorded facts allow, and what is missing for the others.
import type { Assessment } from "@app/shared/assessments";
import type { PartyStatus } from "@app/shared/case-states";
import { type Statement, STATEMENTS } from "@app/shared/miam-rules";

export interface Facts {
  company: Assessment["company"];
  /** Where this person stands. */
  status: PartyStatus;
  /** Everybody who is not on their side. */
  others: readonly OtherFacts[];
  isUnsuitable: boolean;
  wasMediated: boolean;
  hasEndedWithoutAgreement: boolean;
}

interface OtherFacts {
  status: PartyStatus;
  /** An invitation reached them, and their time to answer is over. */
  wasSilent: boolean;
  /** A record says that they attended a MIAM. */
  hasAttended: boolean;
  /** Their own record says that they were at the same meeting. */
  wasWithThem: boolean;
  /** Their own record says that they attended one alone. */
  attendedApart: boolean;
}

export interface Judgement {
  isAllowed: boolean;
  /** The fact that allows it, or the one that is missing. */
  because: string;
}

const yes = (because: string): Judgement => ({ isAllowed: true, because });
const no = (because: string): Judgement => ({ isAllowed: false, because });

const isSilent = ({ status }: OtherFacts) => status === "no_response";
const isUnwilling = (other: OtherFacts) => other.status === "refused" || isSilent(other);

const JUDGES: Record<Statement, (facts: Facts) => Judgement> = {
  alone: ({ company }) =>
    company === "alone"
      ? yes("The record says that they attended alone.")
      : no("The record does not say that they attended alone."),
  together({ company, others }) {
    if (company !== "together") return no("The record does not say that they attended together.");
    if (others.length === 0) return no(NOBODY_ELSE);
    return others.every(({ wasWithThem }) => wasWithThem)
      ? yes("The records of all of them say so.")
      : no("The record of each other participant must say that they were there on this day too.");
  },
  separately({ company, others }) {
    if (company !== "alone") return no("The record does not say that they attended alone.");
    if (others.length === 0) return no(NOBODY_ELSE);
    return others.every(({ attendedApart }) => attendedApart)
      ? yes("Each of them has a record of their own.")
      : no("The MIAM of each other participant must be recorded too, as attended alone.");
  },
  none_willing({ others }) {
    if (others.length === 0) return no(NOBODY_ELSE);
    if (others.some(({ hasAttended }) => hasAttended))
      return no("Another participant attended a MIAM, so it cannot say that nobody else was willing to.");
    if (others.some((other) => isSilent(other) && !other.wasSilent))
      return no(
        "Whoever is recorded as not answering must have been invited, and their last day to answer must be over.",
      );
    return others.every(isUnwilling)
      ? yes("Every other participant refused or did not answer.")
      : no("Every other participant must be recorded as refused or as not answering.");
  },
  unsuitable: ({ isUnsuitable }) =>
    isUnsuitable
      ? yes("A screening or a decision says so. The certificate does not say whose.")
      : no("No screening or decision that you may read says so."),
  person_stops: ({ status }) =>
    status === "withdrawn" ? yes("Their withdrawal is recorded.") : no("Their withdrawal must be recorded."),
  other_stops({ others }) {
    if (others.length === 0) return no(NOBODY_ELSE);
    return others.some(({ status }) => status === "withdrawn")
      ? yes("The withdrawal of another participant is recorded.")
      : no("The withdrawal of another participant must be recorded.");
  },
  broken_down({ wasMediated, hasEndedWithoutAgreement }) {
    if (!wasMediated) return no("A session with them and another participant must have been held.");
    return hasEndedWithoutAgreement
      ? yes("Sessions were held, and the case ended without agreement.")
      : no("The case must have ended without agreement.");
  },
};

const NOBODY_ELSE = "There is no other participant in this case.";

export const judge = (facts: Facts): (Judgement & { statement: Statement })[] =>
  STATEMENTS.map((statement) => ({ statement, ...JUDGES[statement](facts) }));
