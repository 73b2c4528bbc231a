// The attempts to reach the parties of a case.
import { can } from "@app/shared/access";
import { ENDED_STATUSES, partyStatusName } from "@app/shared/case-states";
import {
  ATTEMPTS_MAX,
  type Attempt,
  type InviteChannel,
  type inviteSchema,
  isInvitable,
  nextRung,
} from "@app/shared/ladders";
import { addDays } from "@app/shared/days";
import type { CaseDomain } from "@app/shared/case-transitions";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { forbidden, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { changeCase, tellOfParty, tellOfStep } from "../cases/case-changes.service.ts";
import { type CaseDoc, type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { enterParty, lastStepOf, takePartyBack } from "../cases/case-steps.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { joinedBlockers } from "../conflicts/conflict-gates.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { assertMayInvite, isSomebodyUnsafe } from "../screenings/screening-gates.service.ts";
import { colleagues } from "../users/users.service.ts";
import { type AttemptDoc, AttemptModel, sealWording, wordingOf } from "./attempts.model.ts";
import { lastAttempt, settleFollowUp } from "./follow-ups.ts";
import { rungsOf } from "./ladders.service.ts";

const BY: Record<InviteChannel, string> = {
  email: "email",
  post: "letter",
  phone: "phone call",
  text: "text message",
};

/** Notes an attempt that was made by hand; the first moves the party to "invited". */
export async function inviteParty(scope: Scope, input: z.output<typeof inviteSchema>): Promise<void> {
  await assertNotLater(scope, "on", input.on);
  await changeCase(scope, input, (draft) => noteAttempt(scope, draft, { ...input, mailId: null }));
}

/** The same for a mail, in the transaction that stores it for delivery. Throws where there is nobody to invite. */
export async function inviteByMail(
  scope: Scope,
  { caseId, ...mail }: { caseId: string; partyId: string; mailId: string; on: string; wording: string },
): Promise<void> {
  if (!can(scope, "clients.write")) throw forbidden("You may not record an invitation. Ask whoever manages access.");
  await inTransaction(async () => {
    const { version } = await findCaseDoc(scope, caseId);
    const change = (draft: CaseDoc) => noteAttempt(scope, draft, { ...mail, channel: "email" });
    await changeCase(scope, { id: caseId, version }, change);
  });
}

type NewAttempt = Pick<AttemptDoc, "partyId" | "channel" | "on" | "mailId"> & { wording: string };

async function noteAttempt(scope: Scope, draft: CaseDoc, { wording, ...made }: NewAttempt): Promise<void> {
  const party = partyIn(draft, made.partyId);
  await assertInvitable(scope, draft, party);
  const { ownerId, userId: madeBy } = scope;
  const of = { caseId: draft._id, partyId: party.partyId };
  const { rung, replyBy } = await nextAttempt(scope, { ...of, domain: draft.domain, on: made.on });
  const _id = newId();
  const wordingEnc = sealWording(ownerId, _id, wording);
  const { clientId } = party;
  await AttemptModel.create([{ _id, ownerId, ...of, ...made, clientId, rung, replyBy, wordingEnc, madeBy, at: now() }]);
  if (party.status !== "invited") enterParty(party, "invited", { on: "", reason: "" });
  // What goes by mail its party reads once it has left.
  if (made.mailId === null) await tellOfParty(scope, draft, { party, text: `Invited by ${BY[made.channel]}` });
  else await tellOfStep(scope, draft, { text: `Invitation of ${party.label} by email written` });
  await settleFollowUp(scope, draft, party);
}

/** Which rung an attempt of this day takes, and by when it is to be answered. */
export async function nextAttempt(
  scope: Pick<Scope, "ownerId">,
  { domain, on, ...of }: { caseId: string; partyId: string; domain: CaseDomain; on: string },
): Promise<{ rung: number; replyBy: string }> {
  const rungs = await rungsOf(scope.ownerId, domain);
  const rung = nextRung(rungs, await lastAttempt(scope, of));
  return { rung, replyBy: addDays(on, rungs[rung]?.replyDays ?? 0) };
}

async function assertInvitable(scope: Scope, draft: CaseDoc, party: PartyDoc): Promise<void> {
  if (ENDED_STATUSES.includes(draft.status))
    throw wrongState("This case is over. Reopen it before you invite anybody.");
  const blockers = await joinedBlockers(scope, draft, party);
  if (blockers.length > 0) throw wrongState(blockers.join(" "));
  await assertMayInvite(scope, draft);
  if (!isInvitable(party.status))
    throw wrongState(`${party.label} has answered already: ${partyStatusName(draft.domain, party.status)}.`);
  const of = { ownerId: scope.ownerId, caseId: draft._id, partyId: party.partyId };
  if ((await AttemptModel.countDocuments(of)) >= ATTEMPTS_MAX)
    throw wrongState(`${party.label} was invited ${ATTEMPTS_MAX} times. Note the answer, or that there is none.`);
}

/** Whether this mail invites somebody who is not to be invited any more as things stand now. */
export async function isInvitationOff(scope: Scope, mailId: string): Promise<boolean> {
  const attempt = await AttemptModel.findOne({ ownerId: scope.ownerId, mailId }).lean();
  return attempt !== null && isSomebodyUnsafe(scope, await findCaseDoc(scope, attempt.caseId));
}

/** The mail of an attempt was taken back before it left, so nobody was invited by it. Call it in that transaction. */
export async function takeAttemptBack(scope: Scope, mailId: string): Promise<void> {
  const { ownerId } = scope;
  const attempt = await AttemptModel.findOneAndUpdate(
    { ownerId, mailId, takenBackAt: null },
    { $set: { takenBackAt: now() } },
    { lean: true },
  );
  if (!attempt) return;
  const { caseId, partyId } = attempt;
  const { version } = await findCaseDoc(scope, caseId);
  await changeCase(scope, { id: caseId, version }, async (draft) => {
    const party = partyIn(draft, partyId);
    const step = lastStepOf(party);
    const isOfThis = step?.to === "invited" && party.status === "invited" && step.at >= attempt.at;
    if (isOfThis && !(await hasAttemptSince(ownerId, attempt))) takePartyBack(party);
    await tellOfStep(scope, draft, { text: `Invitation of ${party.label} by email taken back before it left` });
    await settleFollowUp(scope, draft, party);
  });
}

const hasAttemptSince = async (ownerId: string, { caseId, partyId, at, _id }: AttemptDoc): Promise<boolean> => {
  const last = await lastAttempt({ ownerId }, { caseId, partyId });
  return last !== null && last._id !== _id && last.at >= at;
};

export type StoredAttempt = Omit<Attempt, "delivery"> & Pick<AttemptDoc, "mailId">;

/** The attempts of a case that this person sees, the oldest first; what a mail said is read as mail is. */
export async function listAttempts(scope: Scope, caseId: string): Promise<StoredAttempt[]> {
  const docs = await AttemptModel.find({ ownerId: scope.ownerId, caseId }).sort({ at: 1, _id: 1 }).lean();
  const names = new Map((await colleagues(scope.ownerId)).map(({ userId, name }) => [userId, name]));
  const isReadable = ({ mailId, madeBy }: AttemptDoc) =>
    mailId === null || madeBy === scope.userId || can(scope, "mail.read");
  return docs.map((doc) => ({
    id: doc._id,
    partyId: doc.partyId,
    channel: doc.channel,
    rung: doc.rung,
    on: doc.on,
    replyBy: doc.replyBy,
    wording: isReadable(doc) ? wordingOf(doc) : null,
    madeByName: doc.madeBy === "" ? "" : (names.get(doc.madeBy) ?? "Former colleague"),
    isTakenBack: doc.takenBackAt !== null,
    mailId: doc.mailId,
  }));
}
