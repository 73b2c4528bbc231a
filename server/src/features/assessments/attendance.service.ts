// That an assessment meeting was attended, or missed: kept once, and the party's way in the case follows it.
import mongoose from "mongoose";
import { type Assessment, BEFORE_MIAM, isOnlyTold, MAY_MISS_MIAM } from "@app/shared/assessments";
import { type PartyStatus, partyStatusName } from "@app/shared/case-states";
import { hasComeHere, isUnasked, mustNotBeContacted } from "@app/shared/contact-agreements";
import { mayConduct } from "@app/shared/conducting";
import { dayIn } from "@app/shared/days";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { changeCase, tellOfParty, tellOfStep } from "../cases/case-changes.service.ts";
import { type CaseDoc, type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { enterParty, lastStepOf, takePartyBack } from "../cases/case-steps.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { colleaguesOn } from "../practices/colleagues-then.service.ts";
import { practiceRegion, practiceTimeZone } from "../practices/practices.service.ts";
import { followLatestScreening } from "../screenings/screening-gates.service.ts";
import { type AssessmentDoc, AssessmentModel, NOTHING_SAID, sealContent } from "./assessments.model.ts";

export interface OfParty {
  caseId: string;
  partyId: string;
}

/** As much as is known of a meeting of which nobody was asked more. */
type Known = OfParty & { clientId: string } & Pick<Assessment, "attendedOn" | "origin"> &
  Partial<
    Pick<
      Assessment,
      | "place"
      | "where"
      | "plannedMinutes"
      | "mediatorId"
      | "mediatorName"
      | "meetingId"
      | "service"
      | "accreditationNumber"
      | "evidence"
      | "evidenceKind"
    >
  >;

/** Such a record; what is not known is empty in it, and asked for before a certificate stands on it. */
export function bareAssessment(ownerId: string, known: Known): AssessmentDoc {
  const _id = newId();
  return {
    place: "",
    where: "",
    minutes: null,
    plannedMinutes: null,
    mediatorId: "",
    mediatorName: "",
    service: "",
    accreditationNumber: "",
    evidence: "",
    evidenceKind: "",
    company: "",
    withPartyIds: [],
    meetingId: null,
    ...known,
    _id,
    ownerId,
    status: "held",
    isComplete: false,
    contentEnc: sealContent(ownerId, _id, NOTHING_SAID),
    certificateIds: [],
    version: 0,
    createdAt: now(),
  };
}

const isOrganisation = async (scope: Scope, clientId: string): Promise<boolean> =>
  (await getClient(scope, clientId)).kind === "organisation";

/** Somebody attends a MIAM themselves. */
export async function assertPerson(scope: Scope, clientId: string): Promise<void> {
  if (await isOrganisation(scope, clientId))
    throw wrongState(
      "An organisation attends no meeting itself and gets no certificate. Add the person who takes part for it to the case, and record that the organisation has withdrawn.",
    );
}

/** Keeps that a party attended, in the transaction that says so; what is recorded of that day already stays. */
export async function keepAttendance(scope: Scope, known: Known): Promise<void> {
  const { caseId, partyId, attendedOn } = known;
  const { ownerId } = scope;
  await assertPerson(scope, known.clientId);
  const there = await AssessmentModel.findOne({ ownerId, caseId, partyId, attendedOn, status: "held" }).lean();
  if (there && isOnlyTold(there))
    throw wrongState(
      "Of this day it is recorded that somebody told of a meeting elsewhere. Strike that record on the case first.",
    );
  if (!there) await AssessmentModel.create([bareAssessment(ownerId, known)]);
}

export interface AttendedMeeting extends OfParty {
  clientId: string;
  meetingId: string;
  attendedOn: string;
  place: "in_person" | "video" | "phone";
  where: string;
  plannedMinutes: number;
  mediatorIds: readonly string[];
}

/** A party was there at an assessment meeting of the calendar that took place. Call it in a transaction. */
export async function noteAttended(scope: Scope, { mediatorIds, ...meeting }: AttendedMeeting): Promise<void> {
  const theCase = await findCaseDoc(scope, meeting.caseId);
  // Only of a MIAM is there a record of its own, by which the latest is known.
  if (theCase.domain !== "family") {
    if (partyIn(theCase, meeting.partyId).miamOn <= meeting.attendedOn) await leadOn(scope, meeting);
    return;
  }
  if (await isOrganisation(scope, meeting.clientId)) return;
  const place = { domain: theCase.domain, region: await practiceRegion(scope.ownerId) };
  const [mediator, ...others] = (await colleaguesOn(scope.ownerId, meeting.attendedOn)).filter(
    (colleague) => mediatorIds.includes(colleague.userId) && mayConduct(place, colleague),
  );
  // Of two who could have conducted it somebody has to say who did.
  const conducted = mediator && others.length === 0 ? { mediatorId: mediator.userId, mediatorName: mediator.name } : {};
  await keepAttendance(scope, { ...meeting, ...conducted, origin: "meeting" });
  await followAttendance(scope, meeting);
}

/** From these an assessment meeting can be booked: whoever came further, or has not come so far, stays where they stand. */
const BEFORE_BOOKING: readonly PartyStatus[] = ["intake_done", "miam_missed"];

/** An assessment meeting of this party stands in the calendar. Call it in a transaction. */
export const noteBooked = (scope: Scope, of: OfParty): Promise<void> =>
  changeParty(scope, of, (party) => {
    if (BEFORE_BOOKING.includes(party.status)) enterParty(party, "miam_booked", { on: "", reason: "" });
  });

/** The last one that stood there was cancelled: they stand where they stood before it was booked. */
export const noteUnbooked = (scope: Scope, of: OfParty): Promise<void> =>
  changeParty(scope, of, (party) => {
    if (party.status === "miam_booked" && lastStepOf(party)?.to === "miam_booked") takePartyBack(party);
  });

const HELD_HERE: readonly Assessment["origin"][] = ["recorded", "step"];

/** A party did not come to an assessment meeting of the calendar. Call it in a transaction. */
export async function noteMissed(
  scope: Scope,
  { meetingId, on, ...of }: OfParty & { meetingId: string; on: string },
): Promise<void> {
  const theCase = await findCaseDoc(scope, of.caseId);
  const party = partyIn(theCase, of.partyId);
  if (theCase.domain !== "family" && lastStepOf(party)?.to === "miam_attended" && party.miamOn === on)
    throw wrongState(
      "It is noted that they attended this meeting. If that is wrong, take their last step back on the case first.",
    );
  // What was typed of that day names no meeting.
  const ofIt = [{ meetingId }, { meetingId: null, attendedOn: on, origin: mongoose.trusted({ $in: HELD_HERE }) }];
  const isRecorded = await AssessmentModel.exists({ ownerId: scope.ownerId, ...of, status: "held", $or: ofIt });
  if (isRecorded)
    throw wrongState(
      "It is recorded that they attended this meeting. If that is wrong, strike the record of it on the case first.",
    );
  if (!MAY_MISS_MIAM.includes(party.status)) return;
  await changeParty(scope, of, (draft) => enterParty(draft, "miam_missed", { on: draft.miamOn, reason: "" }));
}

/** Brings the party's way in line with what is recorded: the latest day, and the step that it led to. */
export async function followAttendance(scope: Scope, { caseId, partyId }: OfParty): Promise<void> {
  const theCase = await findCaseDoc(scope, caseId);
  const [latest] = countedOf(theCase, partyIn(theCase, partyId), await heldOf(scope, { caseId, partyId }));
  if (latest) return leadOn(scope, { caseId, partyId, ...latest });
  await changeParty(scope, { caseId, partyId }, (party) => {
    notAttended(party);
    party.miamOn = "";
  });
}

type Held = Pick<Assessment, "attendedOn" | "origin" | "evidenceKind">;

/** Those of one party, the latest first. */
const heldOf = ({ ownerId }: Scope, of: OfParty): Promise<Held[]> =>
  AssessmentModel.find({ ownerId, ...of, status: "held" }, { attendedOn: 1, origin: 1, evidenceKind: 1 })
    .sort({ attendedOn: -1 })
    .lean();

/** What counts of these: of those that another service held, what is proven of somebody who has come to us too. */
function countedOf(theCase: Pick<CaseDoc, "domain" | "parties">, party: PartyDoc, held: readonly Held[]): Held[] {
  const last = lastStepOf(party);
  const stood = last?.to === "miam_attended" ? { ...party, status: last.from } : party;
  const hasCome = held.some(({ origin }) => origin !== "elsewhere") || hasComeHere(theCase, stood);
  return held.filter((record) => record.origin !== "elsewhere" || (hasCome && !isOnlyTold(record)));
}

/**
 * A MIAM that another service held counts from when they come to us, and not once that is taken back. Call it where the case
 * changes, after their step.
 */
export async function countElsewhere(scope: Scope, draft: CaseDoc, party: PartyDoc): Promise<void> {
  const held = await heldOf(scope, { caseId: draft._id, partyId: party.partyId });
  if (held.every(({ origin }) => origin !== "elsewhere")) return;
  party.miamOn = countedOf(draft, party, held).at(0)?.attendedOn ?? "";
}

/** The day stands with the party, and leads on whoever has not come further. */
async function leadOn(scope: Scope, { caseId, partyId, ...held }: OfParty & Meant): Promise<void> {
  const { attendedOn } = held;
  const timeZone = await practiceTimeZone(scope.ownerId);
  await changeParty(scope, { caseId, partyId }, (party) => {
    if (leadsOn(party, held, timeZone)) enterParty(party, "miam_attended", { on: attendedOn, reason: "" });
    party.miamOn = attendedOn;
  });
}

type Meant = Pick<Assessment, "attendedOn"> & { origin?: Assessment["origin"] };
/** From these somebody comes to us by answering us, wherever else they went. */
const UNANSWERED_HERE: readonly PartyStatus[] = ["invited", "no_response"];

/** Whoever came after they had refused, or withdrawn, takes part after all; whoever is not suitable stays so. */
function leadsOn(party: PartyDoc, { attendedOn, origin }: Meant, timeZone: string): boolean {
  const { status } = party;
  if (origin === "elsewhere" && UNANSWERED_HERE.includes(status)) return false;
  if (status !== "refused" && status !== "withdrawn") return BEFORE_MIAM.includes(status);
  if (origin === "elsewhere") return false;
  const leftOn = lastStepOf(party)?.on || dayIn(timeZone, party.statusSince);
  // Who withdraws on the day of their MIAM does so after it.
  return status === "refused" ? attendedOn >= leftOn : attendedOn > leftOn;
}

/** Whoever has not gone on since stands where they stood before it was said that they attended. */
function notAttended(party: PartyDoc): void {
  if (party.status === "not_suitable") return;
  if (lastStepOf(party)?.to === "miam_attended") takePartyBack(party);
  else if (party.status === "miam_attended") enterParty(party, "intake_done", { on: party.intakeDoneOn, reason: "" });
}

/**
 * Changes a party by the case's one way, at the version that it has now: a fact is not refused because somebody typed
 * meanwhile. Where nothing is another, the case stays as it is, and so does its version.
 */
async function changeParty(
  scope: Scope,
  { caseId, partyId }: OfParty,
  change: (party: PartyDoc) => void,
): Promise<void> {
  const theCase = await findCaseDoc(scope, caseId);
  const before = partyIn(theCase, partyId);
  const after = structuredClone(before);
  change(after);
  if (after.miamOn === before.miamOn && after.status === before.status) return;
  await changeCase(scope, { id: caseId, version: theCase.version }, async (draft: CaseDoc) => {
    const party = partyIn(draft, partyId);
    const mustHearNothing = mustNotBeContacted(draft, party);
    change(party);
    const { label, status } = party;
    if (status === before.status) return;
    if (mustHearNothing)
      throw wrongState(
        `Nobody was to contact ${label} yet. Record first, as the next step of ${label} on the case, that they got in touch by themselves.`,
      );
    const place = { domain: draft.domain, region: await practiceRegion(scope.ownerId) };
    const text = `${label}: ${partyStatusName(place, status)}`;
    // Whom nobody has asked anything is not told that they were taken for somebody who came.
    if (isUnasked(draft, party)) await tellOfStep(scope, draft, { text });
    else await tellOfParty(scope, draft, { party, text });
    if (status === "miam_attended") await followLatestScreening(scope, draft, partyId);
  });
}
