// What has to be done next for somebody who was invited stands as one task, for as long as they have not answered.
import { ENDED_STATUSES } from "@app/shared/case-states";
import { type FollowUp, followUpOf, type InviteChannel, type Rung } from "@app/shared/ladders";
import type { Scope } from "../../core/trpc.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { keepFollowUp } from "../tasks/follow-up-tasks.service.ts";
import { type AttemptDoc, AttemptModel } from "./attempts.model.ts";
import { rungsOf } from "./ladders.service.ts";

const BY: Record<InviteChannel, string> = {
  email: "by email",
  post: "by letter",
  phone: "by phone",
  text: "by text message",
};

const titleOf = (label: string, rungs: readonly Rung[], next: FollowUp): string =>
  next.kind === "no_response"
    ? `If ${label} has not answered: decide whether to record “No response”`
    : `If ${label} has not answered: invite again ${BY[rungs[next.rung]?.channel ?? "email"]} (${next.rung + 1} of ${rungs.length})`;

/** Nobody is invited again while somebody is out: what follows is decided first. */
const isAwaited = (
  { status, parties }: Pick<CaseDoc, "status" | "parties">,
  party: Pick<PartyDoc, "status"> | undefined,
): boolean =>
  party?.status === "invited" &&
  !ENDED_STATUSES.includes(status) &&
  parties.every((each) => each.status !== "not_suitable");

/** The last attempt that was not taken back; null for none. */
export const lastAttempt = async (
  { ownerId }: Pick<Scope, "ownerId">,
  of: { caseId: string; partyId: string },
): Promise<AttemptDoc | null> =>
  AttemptModel.findOne({ ownerId, ...of, takenBackAt: null })
    .sort({ at: -1, _id: -1 })
    .lean();

/** Lets the one task stand that follows from how far the ladder of this party was gone, or none. */
export async function settleFollowUp(
  scope: Scope,
  theCase: Pick<CaseDoc, "_id" | "domain" | "status" | "parties">,
  party: Pick<PartyDoc, "partyId" | "clientId" | "label" | "status">,
): Promise<void> {
  const of = { caseId: theCase._id, partyId: party.partyId };
  const last = isAwaited(theCase, party) ? await lastAttempt(scope, of) : null;
  const rungs = await rungsOf(scope.ownerId, theCase.domain);
  const next = last && followUpOf(rungs, last);
  await keepFollowUp(
    scope,
    of,
    last &&
      next && {
        after: last._id,
        title: titleOf(party.label, rungs, next),
        dueOn: next.dueOn,
        assigneeId: last.madeBy,
        clientId: party.clientId,
      },
  );
}

defineCaseFollower(async (scope, before, after) => {
  for (const party of after.parties) {
    const was = before.parties.find(({ partyId }) => partyId === party.partyId);
    if (isAwaited(before, was) !== isAwaited(after, party)) await settleFollowUp(scope, after, party);
  }
});
