// What has to be done next for somebody who was invited stands as one task, for as long as they have not answered.
import { ENDED_STATUSES, hasAnswered, isHearsay, type PartyStatus } from "@app/shared/case-states";
import { isContactForbidden } from "@app/shared/contact-agreements";
import { BY_CHANNEL, type FollowUp, followUpOf, type Rung } from "@app/shared/ladders";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { keepFollowUp } from "../tasks/follow-up-tasks.service.ts";
import { type AttemptDoc, AttemptModel, textOf } from "./attempts.model.ts";
import { rungsOf } from "./ladders.service.ts";

const titleOf = (name: string, rungs: readonly Rung[], next: FollowUp): string =>
  next.kind === "no_response"
    ? `If ${name} has not answered: decide whether to record “No response”`
    : `If ${name} has not answered: invite again ${BY_CHANNEL[rungs[next.rung]?.channel ?? "email"]} (${next.rung + 1} of ${rungs.length})`;

type OfCase = Pick<CaseDoc, "domain" | "status" | "parties">;

/** Nobody is invited again while somebody is out, or whoever came first does not agree or is gone: what follows is decided first. */
const goesOn = ({ domain, status, parties }: OfCase): boolean =>
  !ENDED_STATUSES.includes(status) &&
  parties.every((each) => each.status !== "not_suitable") &&
  !isContactForbidden(domain, parties);

/** Whether somebody waits for their answer, or for another way to reach them; null where nobody does. */
const awaitedOf = (theCase: OfCase, party: Pick<PartyDoc, "status"> | undefined): "invited" | "to_invite" | null =>
  (party?.status === "invited" || party?.status === "to_invite") && goesOn(theCase) ? party.status : null;

/** When somebody answered last, as far as their steps say it; null where they never did. */
export const answeredAt = ({ steps }: Pick<PartyDoc, "steps">): Date | null => steps.findLast(isAnswer)?.at ?? null;

/** These the practice puts into its calendar: whoever agreed to a meeting answered before. */
const OF_CALENDAR: readonly PartyStatus[] = ["miam_booked", "miam_missed"];

/** What others say of them is none. */
const isAnswer = (step: PartyDoc["steps"][number]): boolean =>
  step.to === "refused"
    ? !isHearsay({ status: step.to, lastStep: step })
    : hasAnswered({ status: step.to }) && !OF_CALENDAR.includes(step.to);

/** The invitations since they answered that were not taken back, in the order of their days. An answer ends a ladder. */
export async function openInvitations(
  { ownerId }: Pick<Scope, "ownerId">,
  of: { caseId: string; partyId: string },
  party: Pick<PartyDoc, "steps">,
): Promise<AttemptDoc[]> {
  const at = mongoose.trusted({ $gt: answeredAt(party) ?? new Date(0) });
  const made = await AttemptModel.find({ ownerId, ...of, takenBackAt: null, at })
    .sort({ on: 1, at: 1, _id: 1 })
    .lean();
  return made.filter(({ call }) => call !== "nobody");
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
  awaited: NonNullable<ReturnType<typeof awaitedOf>>;
  /** The invitations that they have not answered. */
  made: readonly AttemptDoc[];
  rungs: readonly Rung[];
  name: string;
}

/** What follows; null where nothing does. */
function wantedOf({ awaited, made, rungs, name }: Standing) {
  const last = made.at(-1);
  if (!last) return null;
  if (awaited === "to_invite") {
    const title = `No invitation has reached ${name}: find another way to reach them, and invite them again`;
    return cameBack(last) ? { after: `returned ${last._id}`, title, dueOn: null, assigneeId: last.madeBy } : null;
  }
  const next = followUpOf(rungs, made.map(placed));
  return next && { after: last._id, title: titleOf(name, rungs, next), dueOn: next.dueOn, assigneeId: last.madeBy };
}

const cameBack = ({ cameBackOn = "" }: AttemptDoc): boolean => cameBackOn !== "";

/** Lets the one task stand that follows from how far the ladder of this party was gone, or none. */
export async function settleFollowUp(
  scope: Scope,
  theCase: Pick<CaseDoc, "_id" | "domain" | "status" | "parties">,
  party: Pick<PartyDoc, "partyId" | "clientId" | "label" | "status" | "steps">,
): Promise<void> {
  const { clientId, label } = party;
  const of = { caseId: theCase._id, partyId: party.partyId };
  const awaited = awaitedOf(theCase, party);
  if (awaited === null) return keepFollowUp(scope, of, null);
  const made = await openInvitations(scope, of, party);
  const rungs = await rungsOf(scope.ownerId, theCase.domain);
  const name = (await clientNames(scope, [clientId])).get(clientId) ?? label;
  const wanted = wantedOf({ awaited, made, rungs, name });
  await keepFollowUp(scope, of, wanted && { ...wanted, clientId });
}

defineCaseFollower(async (scope, before, after) => {
  for (const party of after.parties) {
    const was = before.parties.find(({ partyId }) => partyId === party.partyId);
    if (awaitedOf(before, was) !== awaitedOf(after, party)) await settleFollowUp(scope, after, party);
  }
});
