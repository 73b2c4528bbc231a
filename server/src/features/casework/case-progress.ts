// How a case and the parties in it move on.
import type { z } from "zod";
import {
  CASE_STATUS_NAMES,
  caseStatusName,
  type CaseStatus,
  isReasoned,
  isOfDecision,
  LEFT_PARTY_STATUSES,
  isScreened,
  type CasePlace,
  partyStatusName,
  type PartyStatus,
} from "@app/shared/case-states";
import type { CaseSteps } from "@app/shared/case-steps";
import { type CaseTransition, caseWays, hasFirstMeeting, partyWays } from "@app/shared/case-transitions";
import { type Case, type moveCaseSchema, type movePartySchema } from "@app/shared/cases";
import { cameUnasked } from "@app/shared/contact-agreements";
import { hasWord } from "@app/shared/has-word";
import { isUndecided } from "@app/shared/invitable";
import {
  awaitedUntil,
  hasLeft,
  type inviteSchema,
  type returnAttemptSchema,
  type strikeAttemptSchema,
} from "@app/shared/ladders";
import { answersFor } from "@app/shared/team-access";
import { wayDayOf } from "@app/shared/way-days";
import { now } from "../../core/clock.ts";
import { badField, forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { countElsewhere, keepAttendance } from "../assessments/attendance.service.ts";
import { practiceDates, practiceRegion, practiceToday } from "../practices/practices.service.ts";
import { tellOfParty, tellOfStep } from "../cases/case-changes.service.ts";
import { enter, enterParty, lastStepOf } from "../cases/case-steps.service.ts";
import { joinedBlockers } from "../conflicts/conflict-gates.service.ts";
import * as attempts from "../ladders/attempts.service.ts";
import { returnAttempt } from "../ladders/returned.service.ts";
import { assertInOrder } from "../ladders/way-days.service.ts";
import { assertInCase, assertNotLongBefore } from "../cases/case-days.service.ts";
import { askedAnew } from "../cases/newcomer-consents.service.ts";
import { assertOfThisRound } from "../cases/reopened.service.ts";
import { assertEnding, assertWaitingKnown, endOf, endWords, sessionsBehind, waitingIn } from "./case-endings.ts";
import { blockersOf, consentGaps } from "./case-gates.ts";
import { consentBySigning, endAskingToRecord, signAgreement } from "./case-agreements.ts";
import { assertDiedAfter } from "./death-days.ts";
import { assertGoneSince } from "./leaving-days.ts";
import { assertCalendarBears } from "../meetings/calendar-says.service.ts";
import { bookedFirst } from "../meetings/first-meetings.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { attemptsTo } from "./invitations.service.ts";
import { assertScreeningAllows, followLatestScreening } from "../screenings/screening-gates.service.ts";
import { type CaseDoc, type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { changedCase, findCaseDoc, getCase } from "../cases/cases.service.ts";

/** The states that may come next, each with what still stands in its way. */
export async function caseSteps(scope: Scope, id: string): Promise<CaseSteps> {
  const doc = await findCaseDoc(scope, id);
  const items = await Promise.all(
    waysOf(doc).map(async (transition) => ({
      to: transition.to,
      needsReason: transition.needsReason,
      blockers: await blockersOf(scope, doc, transition),
    })),
  );
  return { items, ...(await sessionsBehind(scope, doc)), ...(await waitingIn(scope, id)) };
}

const waysOf = (theCase: CaseDoc): readonly CaseTransition[] =>
  caseWays(theCase.domain, theCase.status, lastStepOf(theCase)?.from ?? null);

/** Moves a case on. PRECONDITION_FAILED names the states that are legal next, or what is still missing. */
export async function moveCase(scope: Scope, input: z.output<typeof moveCaseSchema>): Promise<Case> {
  const { to, reason } = input;
  const today = await practiceToday(scope.ownerId);
  return changedCase(scope, input, async (draft) => {
    const transition = legalStep(draft, to);
    if (transition.needsReason && !reason) throw badField("reason", "Say why.");
    const blockers = await blockersOf(scope, draft, transition);
    if (blockers.length > 0) throw wrongState(blockers.join(" "));
    await assertEnding(scope, draft, input);
    await assertWaitingKnown(scope, draft, input);
    enter(draft, to, { reason, end: endOf(draft, input, today) });
    await tellOfStep(scope, draft, { text: `Case moved to ${caseStatusName(draft)}${await endWords(scope, input)}` });
  });
}

function legalStep(theCase: CaseDoc, to: CaseStatus): CaseTransition {
  const ways = waysOf(theCase);
  const transition = ways.find((each) => each.to === to);
  if (transition) return transition;
  const names = ways.map((each) => CASE_STATUS_NAMES[each.to]).join(", ");
  throw wrongState(`A case in "${CASE_STATUS_NAMES[theCase.status]}" can only move to: ${names}.`);
}

/** Whoever leaves may always do so; anything else waits until the conflict check is decided. */
const LEAVING: readonly PartyStatus[] = LEFT_PARTY_STATUSES;

/** Moves one party on. PRECONDITION_FAILED names the states that are legal next. */
export async function moveParty(
  scope: Scope,
  input: z.output<typeof movePartySchema>,
  { isSignedHere = false }: { isSignedHere?: boolean } = {},
): Promise<Case> {
  const { partyId, to, reason, confidences, isOwnDecision, hasAgreed } = input;
  await assertNotLater(scope, "on", input.on);
  if (isOwnDecision !== null && !isOfDecision(to))
    throw badField("isOwnDecision", "Whose decision it was is said of whoever withdraws or refuses.");
  if (hasAgreed !== null && to !== "miam_booked")
    throw badField("hasAgreed", "Whether they agreed is said of a meeting that is booked.");
  if (isOwnDecision === null && to === "refused") throw badField("isOwnDecision", "Choose who said so.");
  return changedCase(scope, input, async (draft) => {
    const party = partyIn(draft, partyId);
    if (isReasoned(party.status, to) && !reason) throw badField("reason", "Say why.");
    assertCame(scope, draft, party, { to, reason });
    assertSaysMore(draft, party, { to, isOwnDecision });
    if (to === "invited")
      throw wrongState(`Record how and on which day ${party.label} was invited: that makes them “Invited”.`);
    const region = await practiceRegion(scope.ownerId);
    assertLegalPartyStep({ ...draft, region }, party, to);
    // Whoever attended before they left did so on that day.
    const on = to === "miam_attended" && party.status !== "miam_booked" ? party.miamOn : input.on;
    const blockers = LEAVING.includes(to) ? [] : await joinedBlockers(scope, draft, party);
    if (blockers.length > 0) throw wrongState(blockers.join(" "));
    if (!LEAVING.includes(to)) await assertScreeningAllows(scope, draft, party, { to, on });
    if (party.status === "invited" && to === "no_response") await assertSilent(scope, draft, party, { on, reason });
    if (to === "agreement_signed" || isOfDecision(to)) {
      await assertInCase(scope, draft, "on", on);
      await assertOfThisRound(scope, draft, "on", on);
    } else await assertNotLongBefore(scope, draft, "on", on);
    await assertGoneSince(scope, draft._id, party, { to, on });
    if (to === "died") await assertDiedAfter(scope, draft._id, party, on);
    if (to === "miam_attended" && on === input.on)
      await assertCalendarBears(scope, { caseId: draft._id, partyId, field: "on", on });
    if (to === "miam_missed") await assertMissable(scope, draft, party, on);
    const what = on === input.on ? wayDayOf(to) : null;
    if (what) await assertInOrder(scope, { theCase: draft, party, what, field: "on", on });
    enterParty(party, to, { on, reason, isOwnDecision, ...(to === "miam_booked" ? { hasAgreed } : {}) });
    if (to === "responded") await countElsewhere(scope, draft, party);
    if (isSignedHere) await consentBySigning(scope, draft, { party, on });
    if (to === "agreement_signed") await endAskingToRecord(scope, draft, partyId);
    if (to === "agreement_signed") await signAgreement(scope, draft, { to: confidences, on, partyId });
    if (to === "agreement_signed" && draft.status === "in_mediation") await joinMediation(scope, draft, party);
    if (to === "miam_attended" && draft.domain === "family")
      await keepAttendance(scope, {
        caseId: draft._id,
        partyId,
        clientId: party.clientId,
        attendedOn: on,
        origin: "step",
      });
    if (to === "miam_attended" || (to === "intake_done" && !hasFirstMeeting(draft.domain)))
      await followLatestScreening(scope, draft, partyId);
    const text = `${party.label}: ${partyStatusName({ ...draft, region }, to)}`;
    // The day of what a screening found is read as the screening is.
    if (isScreened({ status: to })) await tellOfStep(scope, draft, { text });
    else await tellOfParty(scope, draft, { party, text: `${text}${await dayToTell(scope, on)}` });
  });
}

/** That somebody came by themselves whom nobody was to ask opens every way to them: who answers for the case says how they did. */
function assertCame(
  scope: Scope,
  draft: CaseDoc,
  party: PartyDoc,
  { to, reason }: { to: PartyStatus; reason: string },
): void {
  if (!cameUnasked(draft, party, to)) return;
  if (!answersFor(scope, draft.mediators))
    throw forbidden(
      `Nobody was to contact ${party.label} yet. Only a mediator of this case, or the owner, records that they got in touch by themselves.`,
    );
  if (!hasWord(reason))
    throw badField("reason", `Nobody was to contact ${party.label} yet. Say how they got in touch by themselves.`);
}

/** Whoever said no themselves has said so: what others tell of it afterwards takes nothing away. */
function assertSaysMore(
  { rounds }: Pick<CaseDoc, "rounds">,
  party: PartyDoc,
  { to, isOwnDecision }: { to: PartyStatus; isOwnDecision: boolean | null },
): void {
  if (party.status !== to || !isOfDecision(to) || isOwnDecision === true) return;
  if (to === "withdrawn")
    throw badField(
      "isOwnDecision",
      `That ${party.label} withdrew is recorded already. Record it once more when they say so themselves.`,
    );
  if (!isUndecided({ ...party, lastStep: lastStepOf(party) }, { rounds }))
    throw badField("isOwnDecision", `${party.label} said so themselves already, which counts.`);
}

/** Nobody missed what is still to come, nor what was booked only later. */
async function assertMissable(scope: Scope, { _id: caseId }: CaseDoc, party: PartyDoc, on: string): Promise<void> {
  const { partyId, label, steps } = party;
  const { calendarDay } = await practiceDates(scope.ownerId);
  const bookedOn = steps.findLast(({ to }) => to === "miam_booked")?.on ?? "";
  if (on !== "" && on < bookedOn)
    throw badField(
      "on",
      `It was booked on ${calendarDay(bookedOn)}. Enter that day or a later one, or correct that step.`,
    );
  const [first] = await bookedFirst(scope, { caseId, partyId });
  if (!first || first.startsAt <= now()) return;
  throw wrongState(
    `The meeting of ${label} on ${calendarDay(first.day)} has not begun yet. Mark what came of it once it is over, or cancel it.`,
  );
}

/** Whoever signs while the others mediate already mediates with them from then on: what a case asks for to start is asked of them. */
async function joinMediation(scope: Scope, draft: CaseDoc, party: PartyDoc): Promise<void> {
  const missing = [...(await consentGaps(scope, draft, [party])), ...(await askedAnew(scope, [party]))];
  if (missing.length > 0) throw wrongState(missing.join(" "));
  enterParty(party, "active", { on: "", reason: "" });
}

/** The history has the day of recording, so only another is said. */
async function dayToTell({ ownerId }: Scope, on: string): Promise<string> {
  if (on === "" || on === (await practiceToday(ownerId))) return "";
  return `, on ${(await practiceDates(ownerId)).calendarDay(on)}`;
}

/** Only whoever was reached can have left an invitation without an answer; while the day to answer is not over, it is said why. */
async function assertSilent(
  scope: Scope,
  { _id }: CaseDoc,
  { partyId, label }: PartyDoc,
  { on, reason }: { on: string; reason: string },
): Promise<void> {
  const made = (await attemptsTo(scope, { caseId: _id, partyId })).filter(({ isAnswered }) => !isAnswered);
  if (made.length === 0)
    throw wrongState(`No invitation of ${label} is recorded. Record first how and on which day they were invited.`);
  if (!made.some(hasLeft))
    throw wrongState(
      `No invitation has reached ${label}: each was taken back, has not left, or came back. Invite them in another way first.`,
    );
  const today = await practiceToday(scope.ownerId);
  const until = awaitedUntil(made);
  if (until < (on || today) || reason) return;
  if (until >= today)
    throw badField("reason", "The day by which they may answer is not over. Say why you record it now.");
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    "reason",
    `They were given until ${calendarDay(until)} to answer. Enter a later day, or say why you record it of that one.`,
  );
}

function assertLegalPartyStep(place: Pick<CaseDoc, "domain"> & CasePlace, party: PartyDoc, to: PartyStatus): void {
  const { status: from } = party;
  const legal = partyWays(place.domain, party);
  if (legal.includes(to)) return;
  const names = legal.map((status) => partyStatusName(place, status)).join(", ");
  throw wrongState(`A party in "${partyStatusName(place, from)}" can only move to: ${names}.`);
}

/** Notes one more attempt to reach a party, made by hand. */
export async function inviteParty(scope: Scope, input: z.output<typeof inviteSchema>): Promise<Case> {
  await attempts.inviteParty(scope, input);
  return getCase(scope, input.id);
}

/** Strikes an attempt that was recorded in error. */
export async function strikeInvitation(scope: Scope, input: z.output<typeof strikeAttemptSchema>): Promise<Case> {
  await attempts.strikeAttempt(scope, input);
  return getCase(scope, input.id);
}

/** Notes of an attempt that it came back, or that it did not. */
export async function returnInvitation(scope: Scope, input: z.output<typeof returnAttemptSchema>): Promise<Case> {
  await returnAttempt(scope, input);
  return getCase(scope, input.id);
}
