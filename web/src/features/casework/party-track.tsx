import {
  type CasePlace,
  firstMeetingName,
  isTakingPart,
  PARTY_STATUS_NAMES,
  PARTY_STATUSES,
  partyStatusName,
  type PartyStatus,
} from "@app/shared/case-states";
import type { CaseDomain } from "@app/shared/case-transitions";
import type { Party } from "@app/shared/cases";
import { IconCircle, IconCircleCheckFilled, IconCircleDot } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type Formats, useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { FUNDING_NAMES, ROLE_NAMES } from "../cases/case-words.ts";
import { firstStepOf, type Reached } from "./invitation-words.ts";
import { PartyReached } from "./party-reached.tsx";
import "./casework.css";

interface Step {
  label: string;
  /** The status that a party has once this step is done. */
  doneAt: PartyStatus;
  /** Done again by whoever comes back, such as by order of a court; what is not, stays done. */
  isAnew?: boolean;
  day: (party: Party) => string;
  note?: (party: Party) => string;
}

const stepsOf = (place: CasePlace, party: Party): readonly Step[] => [
  { label: firstStepOf(party), doneAt: "responded", day: (party) => party.respondedOn },
  { label: "Intake", doneAt: "intake_done", day: (party) => party.intakeDoneOn },
  {
    label: firstMeetingName(place),
    doneAt: "miam_attended",
    day: (party) => party.miamOn,
  },
  { label: "Assessment", doneAt: "suitable", isAnew: true, day: (party) => party.assessedOn },
  {
    label: "Agreement to mediate signed",
    doneAt: "agreement_signed",
    isAnew: true,
    day: (party) => party.agreementSignedOn,
  },
];

const rank = (status: PartyStatus) => PARTY_STATUSES.indexOf(status);

function stateOf(steps: readonly Step[], party: Party, index: number): "done" | "now" | "later" {
  const hasCome = isTakingPart(party);
  const isDone = (step: Step) =>
    (step.day(party) !== "" && !(hasCome && step.isAnew)) || (hasCome && rank(party.status) >= rank(step.doneAt));
  const step = steps[index];
  if (!step) return "later";
  if (isDone(step)) return "done";
  return steps.findIndex((each) => !isDone(each)) === index && hasCome ? "now" : "later";
}

interface Props {
  domain: CaseDomain;
  party: Party;
  /** How far the ladder was gone; null while that is being read. */
  reached: Reached | null;
  /** Waits for this party, since when. */
  waitingDays: number | null;
  /** Nothing is to be done any more. */
  isOver: boolean;
  action?: ReactNode;
}

/** One party's own way through the case; the other never sees it. */
export function PartyTrack({ domain, party, reached, waitingDays, isOver, action }: Props) {
  const formats = useFormats();
  const { region } = useCurrentUser();
  const place = { domain, region };
  const steps = stepsOf(place, party);
  const tone = party.label === "P1" ? "p1" : party.label === "P2" ? "p2" : "more";
  return (
    <div className="track" data-party={tone}>
      <div className="track-head">
        <PartyMarker label={party.label} isLarge />
        <span className="track-name">{party.name}</span>
        <span className="track-role">
          {isTakingPart(party)
            ? party.side || ROLE_NAMES[party.role]
            : [party.side, leftText(place, party, formats)].filter(Boolean).join(" · ")}
        </span>
      </div>
      <ol className="track-steps">
        {steps.map((step, index) => {
          const reachedState = stateOf(steps, party, index);
          const state = isOver && reachedState === "now" ? "later" : reachedState;
          const day = step.day(party);
          return (
            <li key={step.label} data-state={state}>
              <StepIcon state={state} />
              <span>{step.doneAt === "suitable" && state === "done" ? assessedName(party) : step.label}</span>
              <span className="track-day">
                {day !== "" && state === "done"
                  ? formats.calendarDay(day)
                  : state === "now" && waitingDays !== null
                    ? waited(waitingDays)
                    : ""}
              </span>
            </li>
          );
        })}
      </ol>
      {reached && party.status === "invited" && <PartyReached party={party} reached={reached} />}
      <div className="track-foot">
        <span>
          {FUNDING_NAMES[party.funding.type]}, share {party.funding.shareBp / 100} %
          {party.consentedOn ? "" : " · consent not recorded"}
        </span>
        {action}
      </div>
    </div>
  );
}

/** That somebody left, and when; where that was recorded later, it says so. */
export function leftText(
  place: CasePlace,
  { status, lastStep }: Pick<Party, "status" | "lastStep">,
  { day, calendarDay }: Pick<Formats, "day" | "calendarDay">,
): string {
  const name = partyStatusName(place, status);
  if (!lastStep?.on || lastStep.to !== status) return name;
  const [left, recorded] = [calendarDay(lastStep.on), day(lastStep.at)];
  return left === recorded ? `${name} on ${left}` : `${name} on ${left}; recorded ${recorded}`;
}

/** What was found; that they were assessed where it is not known or not told. */
const assessedName = ({ assessedAs }: Party): string => (assessedAs ? PARTY_STATUS_NAMES[assessedAs] : "Assessment");

const waited = (days: number): string => {
  if (days < 1) return "since today";
  return days === 1 ? "1 day waiting" : `${days} days waiting`;
};

function StepIcon({ state }: { state: "done" | "now" | "later" }) {
  const label = { done: "Done", now: "Now", later: "Later" }[state];
  const Icon = { done: IconCircleCheckFilled, now: IconCircleDot, later: IconCircle }[state];
  return <Icon size={16} stroke={1.7} aria-label={label} role="img" className="track-icon" />;
}
