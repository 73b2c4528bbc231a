// The attempts to reach the parties of a case.
import { can } from "@app/shared/access";
import type { PartyStatus } from "@app/shared/case-states";
import { inOrder, nextRung, rungsTaken } from "@app/shared/ladder-steps";
import {
  ATTEMPTS_MAX,
  type Attempt,
  type InviteChannel,
  type inviteSchema,
  type strikeAttemptSchema,
} from "@app/shared/ladders";
import { isToBeReminded } from "@app/shared/invitable";
import { rungsWithin } from "@app/shared/safe-channels";
import { addDays } from "@app/shared/days";
import mongoose from "mongoose";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { shownToOthers } from "../../core/public-tokens.ts";
import { inTransaction } from "../../core/database.ts";
import { forbidden, notFound, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { changeCase, tellOfParty, tellOfStep } from "../cases/case-changes.service.ts";
import { assertNotLongBefore } from "../cases/case-days.service.ts";
import { type CaseDoc, type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { enterParty, lastStepOf, takePartyBack } from "../cases/case-steps.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { safetyOf } from "../clients/client-addresses.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { colleagues } from "../users/users.service.ts";
import { type AttemptDoc, AttemptModel, sealOf, textOf } from "./attempts.model.ts";
import { tellStruck } from "./attempt-followers.service.ts";
import { answeredAt, openAttempts, openInvitations, placed, settleFollowUp } from "./follow-ups.ts";
import { missingFor } from "../screenings/missing-then.service.ts";
import { assertInvitable } from "./invitable.ts";
import { whyNotInvited } from "./invitation-gates.service.ts";
import { assertSafeOrSaid } from "./safe-attempts.ts";
import { rungsOf } from "./ladders.service.ts";
import { assertInOrder } from "./way-days.service.ts";

definePartyTrace("an invitation is recorded", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await AttemptModel.exists({ ownerId, caseId, partyId, takenBackAt: null })),
);

export const BY: Record<InviteChannel, string> = {
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
    const change = (draft: CaseDoc) =>
      noteAttempt(scope, draft, { ...mail, channel: "email", call: "", insteadBecause: "" });
    await changeCase(scope, { id: caseId, version }, change);
  });
}

type NewAttempt = Pick<AttemptDoc, "partyId" | "channel" | "on" | "call" | "mailId"> &
  Pick<Attempt, "insteadBecause"> & {
    wording: string;
    againstBecause?: string | undefined;
    unmetReason?: string | undefined;
  };

async function noteAttempt(scope: Scope, draft: CaseDoc, attempt: NewAttempt): Promise<void> {
  const { wording, insteadBecause, againstBecause: said, unmetReason = "", ...made } = attempt;
  const party = partyIn(draft, made.partyId);
  await assertFewAttempts(scope, draft, party);
  const { missing: unmet, mayBeAsked } = await assertInvitable(scope, draft, party, { ...made, unmetReason });
  await assertNotLongBefore(scope, draft, "on", made.on);
  await assertInOrder(scope, { theCase: draft, party, what: "invited", field: "on", on: made.on });
  // What goes by mail from here the gate keeps.
  const isByHand = made.mailId === null;
  const againstBecause = isByHand ? await assertSafeOrSaid(scope, draft, party, { ...made, againstBecause: said }) : "";
  const { ownerId, userId: madeBy } = scope;
  const of = { caseId: draft._id, partyId: party.partyId };
  const replyBy = made.call === "nobody" ? "" : await replyByOf(scope, { ...of, ...made, insteadBecause });
  const id = { ownerId, _id: newId() };
  const texts = {
    wordingEnc: sealOf(id, "wordingEnc", wording),
    insteadBecauseEnc: insteadBecause === "" ? null : sealOf(id, "insteadBecauseEnc", insteadBecause),
    againstBecauseEnc: againstBecause === "" ? null : sealOf(id, "againstBecauseEnc", againstBecause),
    ...(unmet.length > 0 ? { unmet, unmetBecauseEnc: sealOf(id, "unmetBecauseEnc", unmetReason) } : {}),
  };
  await AttemptModel.create([
    {
      ...id,
      ...of,
      ...made,
      ...texts,
      clientId: party.clientId,
      replyBy,
      madeBy,
      at: now(),
      isWaiting: made.mailId !== null,
    },
  ]);
  // Whoever came further since stays there where nobody may be asked today: they are not awaited by what was sent before.
  const isAwaited = (mayBeAsked && !isToBeReminded(party)) || party.status === "to_invite";
  await tellOfAttempt(scope, draft, party, { ...made, isAwaited });
  await settleFollowUp(scope, draft, party);
}

async function tellOfAttempt(
  scope: Scope,
  draft: CaseDoc,
  party: PartyDoc,
  { channel, call, mailId, isAwaited }: Pick<AttemptDoc, "channel" | "call" | "mailId"> & { isAwaited: boolean },
): Promise<void> {
  if (call === "nobody") return tellOfStep(scope, draft, { text: `Call to ${party.label} reached nobody` });
  if (party.status !== "invited" && isAwaited) enterParty(party, "invited", { on: "", reason: "" });
  // What goes by mail its party reads once it has left.
  const what = isToBeReminded(party) ? "Reminded" : "Invited";
  if (mailId === null) return tellOfParty(scope, draft, { party, text: `${what} by ${BY[channel]}` });
  return tellOfStep(scope, draft, { text: `Invitation of ${party.label} by email written` });
}

type Placed = Pick<Attempt, "channel" | "on" | "insteadBecause">;

/** By when an invitation that is made like this is to be answered: as the step of the ladder says that it takes. */
export async function replyByOf(
  scope: Scope,
  { caseId, partyId, ...made }: Placed & { caseId: string; partyId: string },
): Promise<string> {
  const theCase = await findCaseDoc(scope, caseId);
  const party = partyIn(theCase, partyId);
  const { now: safe } = await safetyOf(scope.ownerId, party.clientId);
  const rungs = rungsWithin(await rungsOf(scope.ownerId, theCase.domain), safe);
  const before = (await openAttempts(scope, { caseId, partyId }, party)).map(placed);
  const one = { ...made, replyBy: made.on };
  const all = inOrder([...before, one]);
  const rung = rungsTaken(rungs, all)[all.indexOf(one)] ?? nextRung(rungs, before);
  return addDays(made.on, rungs[rung]?.replyDays ?? 0);
}

async function assertFewAttempts(scope: Scope, draft: CaseDoc, party: PartyDoc): Promise<void> {
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
    await settleInvited(scope, draft, party);
    await tellOfStep(scope, draft, { text: `Invitation of ${party.label} by email did not leave` });
    await settleFollowUp(scope, draft, party);
  });
}

/** Recorded in error: it counts for nothing any more, and stays to be read. */
export async function strikeAttempt(
  scope: Scope,
  { id: caseId, version, attemptId, reason }: z.output<typeof strikeAttemptSchema>,
): Promise<void> {
  await inTransaction(async () => {
    await changeCase(scope, { id: caseId, version }, async (draft) => {
      const attempt = await AttemptModel.findOne({ ownerId: scope.ownerId, caseId, _id: attemptId }).lean();
      if (!attempt) throw notFound("Invitation");
      if (attempt.takenBackAt) throw wrongState("This invitation is struck already.");
      if (attempt.mailId !== null)
        throw wrongState("This invitation went by mail from here. While it waits, take the mail back in the outbox.");
      await strike(attempt, reason);
      const party = partyIn(draft, attempt.partyId);
      await settleInvited(scope, draft, party);
      const text = `Invitation of ${party.label} by ${BY[attempt.channel]} struck as recorded in error, because: ${reason}`;
      await tellOfStep(scope, draft, { text });
      await tellInvited(scope, attempt, party);
      await settleFollowUp(scope, draft, party);
    });
    await tellStruck(scope, caseId);
  });
}

const strike = ({ ownerId, _id }: AttemptDoc, reason: string) =>
  AttemptModel.updateOne(
    { ownerId, _id },
    { $set: { takenBackAt: now(), struckBecauseEnc: sealOf({ ownerId, _id }, "struckBecauseEnc", reason) } },
  );

/** Where their own record says that they were invited, it says so too. */
async function tellInvited(
  scope: Scope,
  { caseId, mailId, call, channel }: AttemptDoc,
  { clientId, partyId }: Pick<PartyDoc, "clientId" | "partyId">,
): Promise<void> {
  if (mailId !== null || call === "nobody") return;
  const text = `That you were invited by ${BY[channel]} was recorded in error`;
  await tellOfParty(scope, { _id: caseId }, { party: { clientId, partyId }, text });
}

/** Nobody is invited, or silent, whom no invitation is left of: they stand where they stood before. */
export async function settleInvited(scope: Scope, { _id: caseId }: CaseDoc, party: PartyDoc): Promise<void> {
  const open = await openInvitations(scope, { caseId, partyId: party.partyId }, party);
  const made = open.filter(({ cameBackOn = "" }) => cameBackOn === "");
  const isLeft = (since: Date) => made.some(({ at }) => at >= since);
  const isInviting = (step: ReturnType<typeof lastStepOf<PartyStatus>> | undefined) => step?.to === "invited";
  for (let last = lastStepOf(party); last; last = lastStepOf(party)) {
    const inviting = last.to === "no_response" ? party.steps.at(-2) : last;
    if (!inviting || !isInviting(inviting) || isLeft(inviting.since)) return;
    takePartyBack(party);
  }
}

/**
 * That they were invited was recorded in error, and so was the invitation that said so. Where there were more since, it is
 * said of each which of them was none. Call it in the transaction of that step.
 */
export async function strikeInvitation(
  scope: Scope,
  { caseId, partyId, clientId, label }: Pick<PartyDoc, "partyId" | "clientId" | "label"> & { caseId: string },
  { since, reason }: { since: Date; reason: string },
): Promise<void> {
  const { ownerId } = scope;
  const at = mongoose.trusted({ $gte: since });
  const made = await AttemptModel.find({ ownerId, caseId, partyId, takenBackAt: null, at }).lean();
  const invitations = made.filter(({ call }) => call !== "nobody");
  if (invitations.length > 1)
    throw wrongState(
      `${label} was invited ${invitations.length} times. Strike each invitation that was recorded in error, under “Invitations”: the last one takes the step back with it.`,
    );
  for (const attempt of invitations) {
    await strike(attempt, reason);
    await tellInvited(scope, attempt, { clientId, partyId });
  }
}

function unmetOf(scope: Scope, doc: AttemptDoc): Pick<Attempt, "unmet" | "unmetBecause"> {
  const { what, reason } = missingFor(scope, doc.unmet ?? [], textOf(doc, "unmetBecauseEnc"));
  return { unmet: what, unmetBecause: reason };
}

export type StoredAttempt = Omit<Attempt, "delivery"> & Pick<AttemptDoc, "mailId" | "at">;

/** The attempts of a case that this person sees, in the order of their days; what a mail said is read as mail is. */
export async function listAttempts(scope: Scope, caseId: string): Promise<StoredAttempt[]> {
  const docs = await AttemptModel.find({ ownerId: scope.ownerId, caseId }).sort({ on: 1, at: 1, _id: 1 }).lean();
  const { parties } = await findCaseDoc(scope, caseId);
  const answered = new Map(parties.map((party) => [party.partyId, answeredAt(party)]));
  const names = new Map((await colleagues(scope.ownerId)).map(({ userId, name }) => [userId, name]));
  const isReadable = ({ mailId, madeBy }: AttemptDoc) =>
    mailId === null || madeBy === scope.userId || can(scope, "mail.read");
  const wordings = await shownToOthers(docs.map((doc) => textOf(doc, "wordingEnc")));
  return docs.map((doc, at) => ({
    id: doc._id,
    partyId: doc.partyId,
    channel: doc.channel,
    on: doc.on,
    replyBy: doc.replyBy,
    call: doc.call,
    insteadBecause: textOf(doc, "insteadBecauseEnc"),
    againstBecause: textOf(doc, "againstBecauseEnc"),
    ...unmetOf(scope, doc),
    wording: isReadable(doc) ? (wordings[at] ?? "") : null,
    madeByName: doc.madeBy === "" ? "" : (names.get(doc.madeBy) ?? "Former colleague"),
    isTakenBack: doc.takenBackAt !== null,
    struckBecause: textOf(doc, "struckBecauseEnc"),
    cameBackOn: doc.cameBackOn ?? "",
    isAnswered: doc.at <= (answered.get(doc.partyId) ?? new Date(0)),
    mailId: doc.mailId,
    at: doc.at,
  }));
}
