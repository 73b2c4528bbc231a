// A case, or a party in it, takes a step, and takes its last one back where it was wrong.
import {
  type CaseStatus,
  isScreened,
  LEFT_PARTY_STATUSES,
  type PartyStatus,
  sidesInMediation,
  sidesTakingPart,
} from "@app/shared/case-states";
import { followedTo, isSentBack, partiesFollow } from "@app/shared/case-transitions";
import type { Happening } from "@app/shared/screening-days";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import { statusOf } from "./case-parties.service.ts";
import type { CaseDoc, End, PartyDoc, Step, Stood } from "./cases.model.ts";

/** So many steps can be taken back, one after the other. */
const STEPS_KEPT = 20;

const STEP_DAYS = {
  responded: "respondedOn",
  intake_done: "intakeDoneOn",
  miam_attended: "miamOn",
  suitable: "assessedOn",
  suitable_with_measures: "assessedOn",
  not_suitable: "assessedOn",
  agreement_signed: "agreementSignedOn",
} as const satisfies Partial<Record<PartyStatus, keyof PartyDoc>>;

const isDated = (status: PartyStatus): status is keyof typeof STEP_DAYS => Object.hasOwn(STEP_DAYS, status);
const dayFieldOf = (status: PartyStatus) => (isDated(status) ? STEP_DAYS[status] : null);

type Standing = Pick<
  CaseDoc,
  | "status"
  | "statusSince"
  | "reason"
  | "domain"
  | "steps"
  | "rounds"
  | "parties"
  | "confidences"
  | "newAgreement"
  | keyof End
>;

export const NOT_ENDED: End = { ending: null, outcome: null, concludedOn: "" };

const hasEnded = ({ ending, outcome }: Pick<End, "ending" | "outcome">): boolean => ending !== null || outcome !== null;

/** Moves a case into a state, as of now, and its parties with it. Where it goes on, how it had ended is kept as a round. */
export function enter(draft: Standing, to: CaseStatus, { reason, end }: { reason: string; end: End }): void {
  const at = now();
  const { status: from, statusSince: since, reason: before, ending, outcome, concludedOn } = draft;
  const partiesBefore = followCase(draft, partiesFollow(from, to), at);
  const step = { from, to, at, since, reason: before, endBefore: { ending, outcome, concludedOn }, partiesBefore };
  draft.steps = keptSteps(draft.steps, { ...step, ...agreeAnew(draft, step) });
  if (hasEnded(draft) && !hasEnded(end))
    draft.rounds.push({ status: from, ending, outcome, reason: before, endedAt: since, concludedOn });
  Object.assign(draft, { status: to, statusSince: at, reason, ...end });
}

/** Sent back to mediation, they sign anew, and the first says anew what is kept. Gives what had been agreed before. */
function agreeAnew(
  draft: Standing,
  step: { from: CaseStatus; to: CaseStatus },
): Pick<Step<CaseStatus>, "agreedBefore"> {
  const { confidences, newAgreement } = draft;
  if (!isSentBack(step) || confidences === null) return {};
  Object.assign(draft, { confidences: null, newAgreement: null });
  return { agreedBefore: { confidences, newAgreement } };
}

/** Moves the parties with their case. Gives where those stood whom it moved. */
function followCase({ domain, parties }: Standing, ways: ReturnType<typeof partiesFollow>, at: Date): Stood[] {
  const follow = new Map(ways);
  return parties.flatMap((party) => {
    const { partyId, status, statusSince } = party;
    const next = follow.get(status);
    if (!next) return [];
    Object.assign(party, { status: followedTo(domain, next, party), statusSince: at });
    return [{ partyId, status, statusSince }];
  });
}

interface Entering {
  on: string;
  reason: string;
  isOwnDecision?: boolean | null;
  hasAgreed?: boolean | null;
}

/** Moves one party into a state. `on` is the day on which it happened (yyyy-mm-dd). */
export function enterParty(
  party: PartyDoc,
  to: PartyStatus,
  { on, reason, isOwnDecision = null, hasAgreed }: Entering,
): void {
  const at = now();
  const field = dayFieldOf(to);
  const { status: from, statusSince: since, reason: before } = party;
  const entered = { ...(field ? { dayBefore: party[field] } : {}), ...(hasAgreed === undefined ? {} : { hasAgreed }) };
  const step = { from, to, at, since, reason: before, on, isOwnDecision, ...entered };
  const { leftAt, absences } = party;
  // Whoever did not answer and is invited again is out until they do.
  const presence = to === "invited" ? { leftAt, absences } : {};
  Object.assign(party, { ...statusOf(to, at, party), ...presence, steps: keptSteps(party.steps, step), reason });
  if (field) party[field] = on;
}

const keptSteps = <Status>(steps: Step<Status>[], step: Step<Status>) => [...steps, step].slice(-STEPS_KEPT);

/** The last step of a case or party, as long as it stands where that step led. */
export function lastStepOf<Status extends string>({ steps, status }: { steps: Step<Status>[]; status: Status }) {
  const last = steps.at(-1);
  if (!last || last.to === status) return last ?? null;
  // Whoever attended their first meeting, or needs none, stands at once where their screening says: that is no step of its own.
  return isAssessedBy(last.to) && isScreened({ status }) ? last : null;
}

const isAssessedBy = (to: string): boolean => to === "miam_attended" || to === "intake_done";

export type Past = Pick<CaseDoc, "status" | "statusSince" | "steps" | "concludedOn"> & {
  parties: readonly Pick<PartyDoc, "partyId" | "steps">[];
};

/** Where a case stood at this moment; null where that was before its steps are kept. */
export function stoodAt(
  { status, statusSince, steps }: Pick<CaseDoc, "status" | "statusSince" | "steps">,
  at: Date,
): CaseStatus | null {
  if (at >= statusSince) return status;
  return steps.findLast(({ since, at: until }) => since <= at && at < until)?.from ?? null;
}

/**
 * When mediation last ended in this case until this moment, or on a day before it, whenever that was recorded; null where it
 * never did, as far as its steps are kept.
 */
export function mediationEnd(
  past: Omit<Past, "parties">,
  { at: until, day }: { at: Date; day: string } = { at: now(), day: "" },
): Happening | null {
  const { status, statusSince, steps, concludedOn } = past;
  const standing = [
    { at: statusSince, to: status, on: concludedOn },
    ...steps.map(({ from, since, endBefore }) => ({ at: since, to: from, on: endBefore?.concludedOn ?? "" })),
    ...steps.map(({ at, to }) => ({ at, to, on: "" })),
  ];
  const reached = (states: readonly CaseStatus[]) =>
    standing
      .map(({ at, to, on }) => ({ at, to, on: on ?? "" }))
      .filter(({ at, to, on }) => states.includes(to) && (at <= until || (on !== "" && on < day)))
      .map(({ at, on }) => ({ at, on }));
  const ends = reached(["concluded", "terminated"]);
  // Of a case that was taken over when it was closed it is not known when it was concluded.
  const known = ends.length > 0 ? ends : reached(["closed"]);
  // Of one end that is known twice the one with its day comes first.
  return known.toSorted((one, other) => other.at.getTime() - one.at.getTime())[0] ?? null;
}

const LEAVING: readonly PartyStatus[] = ["withdrawn", "refused"];

/** When each party last walked out of this case, or said no to it; by this moment of this day, whenever that was recorded. */
export const leftBy = (
  { parties }: Pick<Past, "parties">,
  { at: until, day }: { at: Date; day: string } = { at: now(), day: "" },
): Map<string, Happening> =>
  new Map(
    parties.flatMap(({ partyId, steps }) => {
      const hasCome = ({ on = "", at }: (typeof steps)[number]) => at <= until || (on !== "" && on < day);
      const left = steps.findLast((step) => LEAVING.includes(step.to) && hasCome(step));
      return left ? [[partyId, { on: left.on ?? "", at: left.at }]] : [];
    }),
  );

/** Whether what a party signed counts still: sent back to mediation, everybody signs anew. */
export function isSignedStill({ steps }: Pick<CaseDoc, "steps">, party: PartyDoc): boolean {
  if (party.agreementSignedOn === "") return false;
  const sentBack = steps.findLast(isSentBack);
  const signed = party.steps.findLast(({ to }) => to === "agreement_signed");
  return !sentBack || (signed !== undefined && signed.at > sentBack.at);
}

/** Takes the last step of a case back, with what its parties reached by it. Gives that step. */
export function takeBack(draft: Standing): Step<CaseStatus> {
  const last = lastStepOf(draft);
  if (!last) throw wrongState("There is no step of this case that can be taken back.");
  const follow = new Map(partiesFollow(last.from, last.to));
  const stood = last.partiesBefore ?? stoodBefore(draft, last);
  for (const { partyId, ...before } of stood) {
    const party = draft.parties.find((one) => one.partyId === partyId);
    // Whoever went on since stands where that led them.
    const next = follow.get(before.status);
    if (party && next && party.status === followedTo(draft.domain, next, party)) Object.assign(party, before);
  }
  draft.steps = draft.steps.slice(0, -1);
  const { from, since, reason, endBefore, agreedBefore } = last;
  // What somebody signed since stands.
  if (agreedBefore && draft.confidences === null) Object.assign(draft, agreedBefore);
  // How it had ended is how it stands again.
  if (endBefore && hasEnded(endBefore) && !hasEnded(draft)) draft.rounds = draft.rounds.slice(0, -1);
  Object.assign(draft, { status: from, statusSince: since, reason, ...endBefore });
  // Whoever signed since mediates, where the others do.
  if (from === "in_mediation") followCase(draft, partiesFollow(last.to, from), now());
  return last;
}

/** The same for a step from before this was kept; throws where it cannot be told any more. */
function stoodBefore({ parties, statusSince }: Standing, { from, to }: Step<CaseStatus>): Stood[] {
  const ways = partiesFollow(from, to);
  const moved = parties.filter(
    (party) => ways.some(([, next]) => next === party.status) && party.statusSince >= statusSince,
  );
  const [way, ...others] = ways;
  const [first] = moved;
  if (!way || !first) return [];
  if (others.length > 0)
    throw wrongState(
      `Where ${first.label} stood before this step was not kept at that time, so it cannot be taken back. Move the case on from here, and say in the reason that the step was wrong.`,
    );
  return moved.map(({ partyId }) => ({ partyId, status: way[0], statusSince: now() }));
}

/** Takes the last step of a party back, with the day that it wrote. Gives that step. */
export function takePartyBack(party: PartyDoc): Step<PartyStatus> {
  const last = lastStepOf(party);
  if (!last) throw wrongState(`There is no step of ${party.label} that can be taken back by itself.`);
  const field = dayFieldOf(last.to);
  const isScreenedSince = party.status !== last.to;
  Object.assign(party, {
    ...presenceBefore(last, party),
    status: last.from,
    statusSince: last.since,
    steps: party.steps.slice(0, -1),
    reason: last.reason,
  });
  if (field && last.dayBefore !== undefined) party[field] = last.dayBefore;
  if (isScreenedSince) party.assessedOn = "";
  return last;
}

type Presence = Pick<PartyDoc, "leftAt" | "absences">;

/**
 * Whoever came back by a wrong step was out all the time. Whoever was out, also by a wrong step, was out until now: what
 * the others shared meanwhile, they shared without them, and it becomes theirs only by being shared again.
 */
function presenceBefore(step: Step<PartyStatus>, party: PartyDoc): Presence {
  const { status, absences, leftAt } = party;
  const { from, to, at } = step;
  if (status !== to || !isOutIn(from, party.steps.at(-2))) return statusOf(from, now(), party);
  if (isOutIn(to, step)) return { leftAt: leftAt ?? now(), absences };
  const left = absences.find((absence) => absence.to.getTime() === at.getTime())?.from ?? now();
  return { leftAt: left, absences: absences.filter((absence) => absence.from < left) };
}

/** Whether somebody is out in this state, to which this step led. */
const isOutIn = (status: PartyStatus, step: Step<PartyStatus> | undefined): boolean =>
  LEFT_PARTY_STATUSES.includes(status) ||
  (status === "invited" && step?.to === "invited" && LEFT_PARTY_STATUSES.includes(step.from));

const ALONE = "Fewer than two sides take part.";

interface Kept {
  /** Who may not meet the others, though they did not leave. */
  keptIds: ReadonlySet<string>;
  reason: string;
}

/** Mediation needs two sides: where one has left, the case goes back to where one side can be. Null where it stays. */
export function settleSides(
  draft: Standing,
  { keptIds, reason }: Kept = { keptIds: new Set(), reason: ALONE },
): CaseStatus | null {
  const parties = draft.parties.filter(({ partyId }) => !keptIds.has(partyId));
  const isAlone =
    (draft.status === "in_mediation" && sidesInMediation(parties) < 2) ||
    (draft.status === "ready" && sidesTakingPart(parties) < 2);
  if (!isAlone) return null;
  const to = draft.status === "ready" ? "assessing" : "paused";
  enter(draft, to, { reason, end: NOT_ENDED });
  return to;
}

/** The same back, once the step is taken back by which one was left alone: the case stands where it stood. Null where it stays. */
export function unsettleSides(draft: Standing): CaseStatus | null {
  const last = lastStepOf(draft);
  if (!last || draft.reason !== ALONE) return null;
  const sides = last.from === "in_mediation" ? sidesInMediation(draft.parties) : sidesTakingPart(draft.parties);
  return sides < 2 ? null : takeBack(draft).from;
}
