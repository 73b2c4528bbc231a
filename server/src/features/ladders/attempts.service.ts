// The attempts to reach the parties of a case.
import { can } from "@app/shared/access";
import { ATTEMPTS_MAX, type Attempt, type InviteChannel, type inviteSchema, nextRung } from "@app/shared/ladders";
import { addDays } from "@app/shared/days";
import mongoose from "mongoose";
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
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { joinedBlockers } from "../conflicts/conflict-gates.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { assertMayInvite } from "../screenings/screening-gates.service.ts";
import { colleagues } from "../users/users.service.ts";
import { type AttemptDoc, AttemptModel, sealWording, wordingOf } from "./attempts.model.ts";
import { answeredAt, lastAttempt, settleFollowUp } from "./follow-ups.ts";
import { invitationGaps, whyNotAwaited, whyNotInvited } from "./invitation-gates.service.ts";
import { rungsOf } from "./ladders.service.ts";
import { assertInOrder } from "./way-days.service.ts";

definePartyTrace("an invitation is recorded", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await AttemptModel.exists({ ownerId, caseId, partyId, takenBackAt: null })),
);

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
  await assertInOrder(scope, { theCase: draft, party, what: "invited", field: "on", on: made.on });
  const { ownerId, userId: madeBy } = scope;
  const of = { caseId: draft._id, partyId: party.partyId };
  const { rung, replyBy } = await nextAttempt(scope, { ...of, on: made.on });
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
  scope: Scope,
  { on, ...of }: { caseId: string; partyId: string; on: string },
): Promise<{ rung: number; replyBy: string }> {
  const theCase = await findCaseDoc(scope, of.caseId);
  const rungs = await rungsOf(scope.ownerId, theCase.domain);
  const rung = nextRung(rungs, await lastAttempt(scope, of, partyIn(theCase, of.partyId)));
  return { rung, replyBy: addDays(on, rungs[rung]?.replyDays ?? 0) };
}

async function assertInvitable(scope: Scope, draft: CaseDoc, party: PartyDoc): Promise<void> {
  const blockers = [...whyNotAwaited(draft, party), ...(await joinedBlockers(scope, draft, party))];
  if (blockers.length > 0) throw wrongState(blockers.join(" "));
  await assertMayInvite(scope, draft);
  const gaps = await invitationGaps(scope, draft, party);
  if (gaps.length > 0) throw wrongState(gaps.map(({ text }) => text).join(" "));
  const of = { ownerId: scope.ownerId, caseId: draft._id, partyId: party.partyId };
  if ((await AttemptModel.countDocuments(of)) >= ATTEMPTS_MAX)
    throw wrongState(`${party.label} was invited ${ATTEMPTS_MAX} times. Note the answer, or that there is none.`);
}

/** Why this mail, which invites somebody, is not to leave as things stand now; null where it may, or invites nobody. */
export async function whyInvitationIsOff(scope: Scope, mailId: string): Promise<string | null> {
  const attempt = await AttemptModel.findOne({ ownerId: scope.ownerId, mailId }).lean();
  if (!attempt) return null;
  if (attempt.takenBackAt) return "This invitation did not leave, and was taken back. Invite them anew.";
  const theCase = await findCaseDoc(scope, attempt.caseId);
  return whyNotInvited(scope, theCase, partyIn(theCase, attempt.partyId));
}

/** The mail of an attempt was taken back or did not leave, so nobody was invited by it. Call it in that transaction. */
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
    if (isOfThis && !(await hasAttemptSince(attempt, party))) takePartyBack(party);
    await tellOfStep(scope, draft, { text: `Invitation of ${party.label} by email did not leave` });
    await settleFollowUp(scope, draft, party);
  });
}

/** That they were invited was recorded in error: nothing that was noted since then counts. Call it in that transaction. */
export async function takeAttemptsBack(
  { ownerId }: Scope,
  of: { caseId: string; partyId: string },
  since: Date,
): Promise<void> {
  await AttemptModel.updateMany(
    { ownerId, ...of, takenBackAt: null, at: mongoose.trusted({ $gte: since }) },
    { $set: { takenBackAt: now() } },
  );
}

const hasAttemptSince = async (attempt: AttemptDoc, party: PartyDoc): Promise<boolean> => {
  const { ownerId, caseId, partyId, at, _id } = attempt;
  const last = await lastAttempt({ ownerId }, { caseId, partyId }, party);
  return last !== null && last._id !== _id && last.at >= at;
};

export type StoredAttempt = Omit<Attempt, "delivery"> & Pick<AttemptDoc, "mailId">;

/** The attempts of a case that this person sees, the oldest first; what a mail said is read as mail is. */
export async function listAttempts(scope: Scope, caseId: string): Promise<StoredAttempt[]> {
  const docs = await AttemptModel.find({ ownerId: scope.ownerId, caseId }).sort({ at: 1, _id: 1 }).lean();
  const { parties } = await findCaseDoc(scope, caseId);
  const answered = new Map(parties.map((party) => [party.partyId, answeredAt(party)]));
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
    isAnswered: doc.at <= (answered.get(doc.partyId) ?? new Date(0)),
    mailId: doc.mailId,
  }));
}
