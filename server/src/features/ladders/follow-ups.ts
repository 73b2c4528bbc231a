// What has to be done next for somebody who was invited stands as one task, for as long as they have not answered.
import { ENDED_STATUSES, hasAnswered, isOfDecision, type PartyStatus } from "@app/shared/case-states";
import { isContactForbidden } from "@app/shared/contact-agreements";
import { cutText } from "@app/shared/cut-text";
import { type FollowUp, followUpOf } from "@app/shared/ladder-steps";
import { BY_CHANNEL, INVITE_CHANNELS, type LadderRung } from "@app/shared/ladders";
import { forbiddenChannels, rungsWithin, waysToReach } from "@app/shared/safe-channels";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import mongoose from "mongoose";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { findCaseDoc, listCasesOfClient } from "../cases/cases.service.ts";
import { safetyOf } from "../clients/client-addresses.service.ts";
import { defineContactFollower } from "../clients/contact-followers.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { keepFollowUp } from "../tasks/follow-up-tasks.service.ts";
import { type AttemptDoc, AttemptModel, textOf } from "./attempts.model.ts";
import { rungsOf } from "./ladders.service.ts";

const titleOf = ({ name, rungs, ways }: Pick<Standing, "name" | "rungs" | "ways">, next: FollowUp): string => {
  if (next.kind === "no_response") return `If ${name} has not answered: decide whether to record “No response”`;
  const { channel, isForbidden = false } = rungs[next.rung] ?? { channel: "email" };
  const by = isForbidden ? "by a safe way" : BY_CHANNEL[channel];
  return `If ${name} has not answered: invite again ${by} (${next.rung + 1} of ${rungs.length})${ways}`;
};

type OfCase = Pick<CaseDoc, "domain" | "status" | "statusSince" | "parties" | "mediators">;

/** Nobody is invited again while somebody is out, or whoever came first does not agree or is gone: what follows is decided first. */
const goesOn = ({ domain, status, parties }: OfCase): boolean =>
  !ENDED_STATUSES.includes(status) &&
  parties.every((each) => each.status !== "not_suitable") &&
  !isContactForbidden(domain, parties);

type Awaited = "invited" | "to_invite" | "late_answer";

/**
 * Whether somebody waits for their answer, or for another way to reach them, or whether they answered a case that was
 * over by then; null where nothing of these is so.
 */
const awaitedOf = (theCase: OfCase, party: Pick<PartyDoc, "status" | "statusSince"> | undefined): Awaited | null => {
  if (!party) return null;
  const { status, statusSince } = party;
  if (status === "responded")
    return ENDED_STATUSES.includes(theCase.status) && statusSince > theCase.statusSince ? "late_answer" : null;
  return (status === "invited" || status === "to_invite") && goesOn(theCase) ? status : null;
};

/** When somebody answered last, as far as their steps say it; null where they never did. */
export const answeredAt = ({ steps }: Pick<PartyDoc, "steps">): Date | null => steps.findLast(isAnswer)?.at ?? null;

/** These the practice puts into its calendar: whoever agreed to a meeting answered before. */
const OF_CALENDAR: readonly PartyStatus[] = ["miam_booked", "miam_missed"];

/** What others say of them is none. */
const isAnswer = (step: PartyDoc["steps"][number]): boolean =>
  isOfDecision(step.to)
    ? step.isOwnDecision === true
    : hasAnswered({ status: step.to }) && !OF_CALENDAR.includes(step.to);

/** The invitations since they answered that were not taken back, in the order of their days. An answer ends a ladder. */
export const openInvitations = async (...of: Parameters<typeof openAttempts>): Promise<AttemptDoc[]> =>
  (await openAttempts(...of)).filter(isInviting);

const isInviting = ({ call }: AttemptDoc): boolean => call !== "nobody";

/** The same with the calls that reached nobody. */
export async function openAttempts(
  { ownerId }: Pick<Scope, "ownerId">,
  of: { caseId: string; partyId: string },
  party: Pick<PartyDoc, "steps">,
): Promise<AttemptDoc[]> {
  const at = mongoose.trusted({ $gt: answeredAt(party) ?? new Date(0) });
  return AttemptModel.find({ ownerId, ...of, takenBackAt: null, at })
    .sort({ on: 1, at: 1, _id: 1 })
    .lean();
}

/** The days of the invitations that they have not answered; of one whose step was taken back there is none. */
export async function daysInvited(
  scope: Pick<Scope, "ownerId">,
  of: { caseId: string; partyId: string },
  { steps }: Pick<PartyDoc, "steps">,
): Promise<string[]> {
  if (!steps.some(({ to }) => to === "invited")) return [];
  return (await openInvitations(scope, of, { steps })).map(({ on }) => on);
}

/** What of an attempt says which step of the ladder it takes. */
export const placed = (doc: AttemptDoc) => ({ ...doc, insteadBecause: textOf(doc, "insteadBecauseEnc") });

interface Standing {
  awaited: Exclude<Awaited, "late_answer">;
  /** The invitations that they have not answered, and the calls that reached nobody. */
  made: readonly AttemptDoc[];
  rungs: readonly LadderRung[];
  name: string;
  /** By what ways they may be reached, to be said beside; empty where all are safe. */
  ways: string;
  /** Some way to reach them is marked as safe. */
  isReachable: boolean;
  /** They said that a way is not safe, and nobody has looked since. */
  isUnchecked: boolean;
}

/** What follows; null where nothing does. */
function wantedOf({ awaited, made, rungs, ...whom }: Standing) {
  const { name, ways, isUnchecked } = whom;
  const last = made.at(-1);
  const invitation = made.findLast(isInviting);
  if (!last || !invitation) return null;
  // It is made anew where the ways are others: a task that names one that is not safe would be followed.
  const after = ways === "" ? last._id : `${last._id}${ways}`;
  if (awaited === "to_invite") {
    const title = `No invitation has reached ${name}: find another way to reach them, and invite them again${ways}`;
    return cameBack(invitation) ? { after: `returned ${after}`, title, dueOn: null, assigneeId: last.madeBy } : null;
  }
  const next = followUpOf(whom.isReachable ? rungs : [], made.map(placed));
  if (!next) return null;
  const title = isUnchecked
    ? `Before ${name} is tried again: check how they may be reached safely`
    : titleOf({ rungs, name, ways }, next);
  return { after, title, dueOn: next.dueOn, assigneeId: last.madeBy };
}

const cameBack = ({ cameBackOn = "" }: AttemptDoc): boolean => cameBackOn !== "";

/** Lets the one task stand that follows from how far the ladder of this party was gone, or none. */
export async function settleFollowUp(
  scope: Scope,
  theCase: Pick<CaseDoc, "_id"> & OfCase,
  party: Pick<PartyDoc, "partyId" | "clientId" | "label" | "status" | "statusSince" | "steps">,
): Promise<void> {
  const { clientId, label } = party;
  const of = { caseId: theCase._id, partyId: party.partyId };
  const awaited = awaitedOf(theCase, party);
  if (awaited === null) return keepFollowUp(scope, of, null);
  const name = (await clientNames(scope, [clientId])).get(clientId) ?? label;
  if (awaited === "late_answer")
    return keepFollowUp(scope, of, { ...(await lateAnswerOf(scope, theCase, party, name)), clientId });
  const made = await openAttempts(scope, of, party);
  const { recorded, now: safe } = await safetyOf(scope.ownerId, clientId);
  const isUnchecked = recorded !== safe;
  const rungs = rungsWithin(await rungsOf(scope.ownerId, theCase.domain), safe);
  const forbidden = forbiddenChannels(safe);
  const isReachable = forbidden.length < INVITE_CHANNELS.length;
  const ways = forbidden.length > 0 ? `. ${waysToReach(safe, { withEmail: true })}` : "";
  const wanted = wantedOf({ awaited, made, rungs, name, ways, isReachable, isUnchecked });
  const title = cutText(wanted?.title ?? "", TASK_TITLE_MAX_LENGTH);
  await keepFollowUp(scope, of, wanted && { ...wanted, title, clientId });
}

/** Whoever gets in touch once the case is over is left without an answer where nobody decides. */
async function lateAnswerOf(
  scope: Scope,
  { mediators }: Pick<OfCase, "mediators">,
  { statusSince }: Pick<PartyDoc, "statusSince">,
  name: string,
) {
  const title = cutText(
    `${name} got in touch after the case had ended: decide whether to reopen it`,
    TASK_TITLE_MAX_LENGTH,
  );
  const dueOn = await practiceToday(scope.ownerId);
  const lead = mediators.find(({ isLead }) => isLead) ?? mediators[0];
  return { after: `answered ${statusSince.toISOString()}`, title, dueOn, assigneeId: lead?.userId ?? scope.ownerId };
}

// Whoever changes how somebody may be reached may not see every case of theirs.
defineContactFollower(async (asker, { clientId }) => {
  const scope = systemScope(asker.ownerId);
  for (const { id } of await listCasesOfClient(scope, clientId)) {
    const theCase = await findCaseDoc(scope, id);
    for (const party of theCase.parties.filter((each) => each.clientId === clientId))
      await settleFollowUp(scope, theCase, party);
  }
});

defineCaseFollower(async (scope, before, after) => {
  for (const party of after.parties) {
    const was = before.parties.find(({ partyId }) => partyId === party.partyId);
    if (awaitedOf(before, was) !== awaitedOf(after, party)) await settleFollowUp(scope, after, party);
  }
});
