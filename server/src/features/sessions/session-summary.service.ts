// What leaves a session: for one party only what that party may see, for a court only what may be told of any mediation.
import mongoose from "mongoose";
import type { z } from "zod";
import { mediates } from "@app/shared/case-sessions";
import type { Case } from "@app/shared/cases";
import { ASKED_MAX, shownCount } from "@app/shared/party-preview";
import { dayIn } from "@app/shared/days";
import { mayReport, NO_REPORT } from "@app/shared/disclosures";
import { PRIVILEGE_NAMES, PROPOSAL_PRIVILEGE } from "@app/shared/privileges";
import { OFF_SESSION_STATUSES, PROPOSAL_STATUS_NAMES, wasThere } from "@app/shared/session-states";
import { type courtReportSchema, JOINT, type PartySummary } from "@app/shared/sessions";
import { mayPartyRead, type Readable, SHARED } from "@app/shared/visibility";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import { fewAtATime } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { requireParty } from "../cases/cases.service.ts";
import {
  type ForParty,
  joinFor,
  mapFor,
  openFor,
  partyOf,
  readableFor,
  type Recipient,
  sealFor,
} from "../visibility/for-party.service.ts";
import type { GuardedItem, PartyItems } from "../visibility/visibility.service.ts";
import { sessionNotesForParty, SUMMARY_MAX } from "../notes/party-notes.service.ts";
import { arrivalAt } from "../meetings/party-meetings.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { visibleSession } from "./session-changes.ts";
import { assertAgreedInMediation } from "./session-facts.service.ts";
import { meetingTypeOf } from "./session-meetings.ts";
import { isTakenBack, type ProposalDoc, type SessionDoc, SessionModel } from "./sessions.model.ts";

export async function partySummary(
  scope: Scope,
  { id, partyId }: { id: string; partyId: string },
): Promise<ForParty<PartySummary>> {
  const { doc, theCase } = await visibleSession(scope, id);
  requireParty(theCase, partyId);
  if (OFF_SESSION_STATUSES.includes(doc.status))
    throw wrongState(`This session was ${doc.status}, so there is nothing of it for this party.`);
  if (!isOf(theCase, doc, partyId))
    throw wrongState("This party was not asked to this session, so there is nothing of it for them.");
  const to = { theCase, partyId };
  // That it took place, and how long it was, is for those who were in the case at its start or at its end.
  const [session] = knownTimes(to, doc);
  if (!session)
    throw wrongState("This session was held while this party was not in the case, so there is nothing of it for them.");
  const readable = openFor(await sessionNotesForParty(scope, id, to), { partyId });
  const count = shownCount(
    readable.map(({ length }) => length),
    SUMMARY_MAX,
  );
  const notes = readable.slice(0, count);
  const proposals = openFor(
    readableFor(
      to,
      doc.proposals.filter(isTold).map((proposal) => ({ ...proposal, ...timesOf(proposal) })),
    ),
    { partyId },
  );
  const names = new Map(theCase.parties.map((party) => [party.partyId, party.name]));
  const summary = {
    number: await numberFor(scope, to, doc),
    ...(await timesFor(scope, to, doc)),
    attendance: doc.attendance.find((entry) => entry.partyId === partyId)?.state ?? null,
    notes: notes.map(({ at, text }) => ({ at, text })),
    cut: count < readable.length ? [`Notes: there are more. The oldest ${count} are shown.`] : [],
    proposals: proposals.map(({ issue, text, status, at, byPartyId }) => ({
      issue,
      text,
      status,
      at: at.toISOString(),
      by: byPartyId === JOINT ? "Everybody who took part" : (names.get(byPartyId) ?? "A participant"),
    })),
    nextSteps: doc.nextSteps.filter((step) => step.partyId === partyId).map(({ text, dueOn }) => ({ text, dueOn })),
  };
  return sealFor(to, summary, [session, ...notes, ...proposals]);
}

type Timed = Pick<SessionDoc, "startedAt" | "endedAt">;

/** The end and the start of a session, where this party was in the case. */
const knownTimes = (to: Recipient, { startedAt, endedAt }: Timed): Readable[] =>
  [endedAt ?? now(), startedAt]
    .map((at) => ({ visibility: SHARED, since: at, changedAt: at }))
    .filter((time) => mayPartyRead(time, partyOf(to)));

/** The sessions of its case until this one that took place: others take nobody's number. */
const sessionsUntil = ({ ownerId }: Scope, { caseId, number }: SessionDoc) =>
  SessionModel.find(
    {
      ownerId,
      caseId,
      number: mongoose.trusted({ $lte: number }),
      status: mongoose.trusted({ $nin: OFF_SESSION_STATUSES }),
    },
    { partyIds: 1, attendance: 1, createdAt: 1, startedAt: 1, endedAt: 1 },
  ).lean();

/** The how manieth of their own it is: the practice's number would count those that the others had apart. */
async function numberFor(scope: Scope, to: Recipient & { theCase: Case }, session: SessionDoc) {
  const docs = await sessionsUntil(scope, session);
  return docs.filter((doc) => isOf(to.theCase, doc, to.partyId) && knownTimes(to, doc).length > 0).length;
}

/**
 * From when they were to be there, at the earliest, where not all were to come at once: the others may have come before,
 * apart. Whoever came, and was to come only after it was over, was there while it was held; whoever was not asked to come,
 * from when they were marked.
 */
async function timesFor(
  scope: Scope,
  to: Recipient,
  { meetingId, startedAt, endedAt, minutes, attendance }: SessionDoc,
): Promise<Pick<PartySummary, "startedAt" | "minutes">> {
  if (!startedAt || !meetingId) return { startedAt: startedAt?.toISOString() ?? null, minutes };
  const end = endedAt ?? now();
  const planned = await arrivalAt(scope, to, { id: meetingId, heldAt: startedAt });
  const mark = attendance.find((one) => one.partyId === to.partyId && wasThere(one));
  const isMarkedThen = mark !== undefined && mark.at >= startedAt && mark.at <= end;
  const isAsPlanned = planned !== null && planned.at <= end;
  if (!isAsPlanned && (planned === null ? !isMarkedThen : !mark)) return { startedAt: null, minutes: 0 };
  // One that was written up later does not tell when they came.
  const came = isMarkedThen ? mark.at : startedAt;
  const from = isAsPlanned ? planned.at : came;
  const isFromTheStart = isAsPlanned && planned.isWithAll && mark !== undefined;
  if (isFromTheStart || from <= startedAt) return { startedAt: startedAt.toISOString(), minutes };
  const length = Math.round((end.getTime() - from.getTime()) / MINUTE_MS);
  return { startedAt: from.toISOString(), minutes: Math.min(minutes, Math.max(0, length)) };
}

/** That a session took place is a matter of those who were asked to it, and, of one with all, of who joined later. */
function isOf(
  { parties }: Case,
  {
    partyIds,
    attendance,
    createdAt,
    startedAt,
  }: Pick<SessionDoc, "partyIds" | "attendance" | "createdAt" | "startedAt">,
  partyId: string,
): boolean {
  // One that was written up later was made when it took place.
  const madeAt = Math.min(createdAt.getTime(), (startedAt ?? createdAt).getTime());
  const joinedLater = new Set(
    parties.filter(({ joinedAt }) => joinedAt !== null && Date.parse(joinedAt) > madeAt).map((party) => party.partyId),
  );
  if (partyIds.includes(partyId) || attendance.some((entry) => entry.partyId === partyId)) return true;
  return (
    joinedLater.has(partyId) &&
    parties.every((party) => partyIds.includes(party.partyId) || joinedLater.has(party.partyId))
  );
}

export const isTold = (proposal: ProposalDoc): boolean => !isTakenBack(proposal);

/** A proposal changes with its state. */
export const timesOf = ({ at, history }: ProposalDoc): Pick<Readable, "since" | "changedAt"> => ({
  since: at,
  changedAt: history.at(-1)?.at ?? at,
});

/** The proposals of a case that this party may read, the newest first. */
export async function partyProposals(scope: Scope, theCase: Case, partyId: string): Promise<PartyItems> {
  const to = { theCase, partyId };
  let newest = readableFor<GuardedItem>(to, []);
  const status = mongoose.trusted({ $nin: OFF_SESSION_STATUSES });
  const sessions = SessionModel.find({ ownerId: scope.ownerId, caseId: theCase.id, status }, { proposals: 1 }).lean();
  for await (const { proposals } of fewAtATime(sessions)) {
    const readable = readableFor(to, proposals.filter(isTold).map(itemOf));
    newest = mapFor(joinFor(to, [newest, readable]), (items) => items.toSorted(isNewer).slice(0, ASKED_MAX));
  }
  return newest;
}

const isNewer = (one: GuardedItem, other: GuardedItem): number => (other.at ?? "").localeCompare(one.at ?? "");

/** With what became of it, because a copy that is kept must not read as if it still stood. */
const nameOf = ({ status }: ProposalDoc): string => {
  const became = status === "offered" ? [] : [PROPOSAL_STATUS_NAMES[status].toLowerCase()];
  return `Proposal (${[...became, PRIVILEGE_NAMES[PROPOSAL_PRIVILEGE].toLowerCase()].join(", ")})`;
};

const itemOf = (proposal: ProposalDoc): GuardedItem => ({
  kind: "note",
  id: proposal.id,
  title: `${nameOf(proposal)}: ${proposal.issue}`,
  detail: proposal.text,
  at: proposal.at.toISOString(),
  visibility: proposal.visibility,
  ...timesOf(proposal),
});

/** Throws where it was no mediation, or nobody consented to it since it was held, no court ordered it, and no law requires it. */
export async function courtReport(scope: Scope, id: string): Promise<z.infer<typeof courtReportSchema>> {
  const { doc, theCase } = await visibleSession(scope, id);
  const heldOn = doc.startedAt ? dayIn(await practiceTimeZone(scope.ownerId), doc.startedAt) : "";
  if (!mayReport(theCase, { heldOn, endedAt: doc.endedAt ?? doc.startedAt })) throw wrongState(NO_REPORT);
  if (OFF_SESSION_STATUSES.includes(doc.status))
    throw wrongState(`This session was ${doc.status}, so there is nothing to report of it.`);
  if (!mediates(await meetingTypeOf(scope, doc.meetingId)))
    throw wrongState("This was no mediation session, so there is nothing of it to report to a court.");
  await assertAgreedInMediation(scope, doc, theCase);
  return {
    number: (await sessionsUntil(scope, doc)).length,
    tookPlaceAt: doc.startedAt?.toISOString() ?? null,
    minutes: doc.minutes,
    attendance: theCase.parties.flatMap(({ partyId, name }) => {
      const mark = doc.attendance.find((entry) => entry.partyId === partyId);
      return mark ? [{ name, state: mark.state }] : [];
    }),
    outcome: doc.outcome?.code ?? null,
    amendedAt: doc.amendments.at(-1)?.at.toISOString() ?? null,
  };
}
