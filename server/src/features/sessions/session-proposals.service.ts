import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import type { Consent } from "@app/shared/notes";
import {
  ANSWERED_SESSION_STATUSES,
  PROPOSAL_STATUS_NAMES,
  PROPOSAL_TRANSITIONS,
  type ProposalStatus,
} from "@app/shared/session-states";
import {
  type AddProposal,
  type Answer,
  isReleased,
  JOINT,
  mayOfferTogether,
  PROPOSALS_MAX,
  type releaseProposalSchema,
  type Session,
  type setProposalStatusSchema,
} from "@app/shared/sessions";
import { begunAmong } from "@app/shared/mediating";
import { hasWord } from "@app/shared/has-word";
import { answersFor, ONLY_THEY_CORRECT } from "@app/shared/team-access";
import { whyNotHeld } from "@app/shared/confidences";
import { isNoWider, isNoWiderCopy, SHARED, type Visibility } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { badField, conflict, forbidden, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertVisibilityFits, mayRead, staffReader } from "../visibility/visibility.service.ts";
import { assertAnswers } from "../visibility/releasers.service.ts";
import { keptConsent } from "../visibility/kept-consents.service.ts";
import { assertConsent, assertReadersNow, assertReleasable } from "../notes/note-release.service.ts";
import { defineTakenBack } from "../notes/taken-back.service.ts";
import { answerIn, assertAgreed, assertCanOffer } from "./proposal-answers.ts";
import { assertMayTell, changeSession } from "./session-changes.ts";
import { type ProposalDoc, readersNow, type SessionDoc, SessionModel } from "./sessions.model.ts";

defineTakenBack(async ({ ownerId }, { caseId, id }) => {
  const sessions = await SessionModel.find(
    { ownerId, caseId, "proposals.releasedFromId": id },
    { proposals: 1 },
  ).lean();
  const copies = sessions.flatMap(({ proposals }) => proposals).filter(({ releasedFromId }) => releasedFromId === id);
  return copies.flatMap((copy) => (copy.status === "withdrawn" ? lastSaid(copy) : []));
});

/** When somebody last said anything of a proposal: that they make it, or what becomes of it. */
const lastSaid = ({ at, history }: ProposalDoc): Date => history.at(-1)?.at ?? at;

/** A proposal that this person may read; one that they may not looks missing. */
function requireProposal(scope: Scope, theCase: Case, draft: SessionDoc, id: string): ProposalDoc {
  const proposal = draft.proposals.find((each) => each.id === id);
  if (!proposal || !mayRead(staffReader(scope, theCase), readersNow(proposal, draft))) throw notFound("Proposal");
  return proposal;
}

interface Moved {
  to: ProposalStatus;
  answer: Answer | null;
}

function moveProposal(scope: Scope, proposal: ProposalDoc, { to, answer }: Moved): void {
  const legal = PROPOSAL_TRANSITIONS[proposal.status];
  if (!legal.includes(to)) {
    const names = legal.map((status) => PROPOSAL_STATUS_NAMES[status].toLowerCase()).join(", ");
    const is = PROPOSAL_STATUS_NAMES[proposal.status].toLowerCase();
    throw wrongState(
      names ? `A proposal that is ${is} can only become: ${names}.` : `A proposal that is ${is} stays so.`,
    );
  }
  proposal.status = to;
  proposal.history.push({ at: now(), byId: scope.userId, byName: scope.userName, status: to, answer });
}

const AT_ANY_TIME = { only: ANSWERED_SESSION_STATUSES };

/** A new offer; where it answers another one, that one becomes countered, also after the session is locked. */
export const addProposal = (scope: Scope, input: AddProposal): Promise<Session> =>
  changeSession(
    scope,
    input,
    (draft, theCase) => takeProposal(scope, draft, theCase, input),
    input.countersId === null ? {} : AT_ANY_TIME,
  );

async function takeProposal(
  scope: Scope,
  draft: SessionDoc,
  theCase: Case,
  { release, on, ...input }: AddProposal,
): Promise<void> {
  const { visibility, byPartyId } = input;
  if (on !== null && input.countersId === null)
    throw badField("on", "An offer is noted in the session in which it is made. Enter a day for an answer only.");
  await assertCanOffer(scope, draft, theCase, { byPartyId, on });
  assertVisibilityFits(theCase, visibility);
  if (!mayRead(staffReader(scope, theCase), visibility))
    throw forbidden("You could not read this proposal yourself. Choose other readers.");
  await assertMayTell(scope, theCase, visibility);
  const why = whyNotHeld(theCase, visibility);
  if (why) throw badField("visibility", why);
  if (input.byPartyId === JOINT && !mayOfferTogether(visibility, begunAmong(theCase.parties)))
    throw badField(
      "visibility",
      "What is offered together is in nobody’s confidence, nor for one side alone. Share it with all parties, or choose who offers it.",
    );
  if (draft.proposals.length >= PROPOSALS_MAX)
    throw badField("text", `A session has at most ${PROPOSALS_MAX} proposals.`);
  assertNew(draft, input.proposalId);
  if (release) await assertNoteReleased(scope, theCase, input, release);
  else assertOwnConfidence(byPartyId, visibility.aboutPartyIds);
  const { id: _session, proposalId, countersId, ...fields } = input;
  const answered = countersId === null ? null : answeredBy(scope, theCase, draft, { countersId, visibility });
  const said = on === null ? null : { byPartyId, on };
  const answer =
    answered && (await answerIn(scope, draft, theCase, { proposal: answered, to: "countered", answer: said }));
  if (answered) moveWithReleased(scope, draft, answered, { to: "countered", answer, toldTo: visibility });
  draft.proposals.push(
    newProposal(scope, {
      ...fields,
      countersId,
      id: proposalId,
      releasedFromId: release?.noteId ?? null,
      consent: release?.consent ?? null,
      answer,
    }),
  );
}

/** One of two proposals under one id could not be told from the other, nor taken back. */
function assertNew(draft: SessionDoc, proposalId: string): void {
  if (draft.proposals.some(({ id }) => id === proposalId))
    throw conflict("This proposal is there already, among the others of the session.");
}

type NewProposal = Pick<
  ProposalDoc,
  "id" | "issue" | "text" | "byPartyId" | "visibility" | "countersId" | "releasedFromId"
> & { consent: Consent | null; answer: Answer | null };

const newProposal = (scope: Scope, { consent, answer, ...fields }: NewProposal): ProposalDoc => ({
  ...fields,
  consent: consent && keptConsent(consent),
  status: "offered",
  at: now(),
  history: [{ at: now(), byId: scope.userId, byName: scope.userName, status: "offered", answer }],
});

async function assertNoteReleased(
  scope: Scope,
  theCase: Case,
  { visibility, byPartyId }: Pick<AddProposal, "visibility" | "byPartyId">,
  { noteId, consent }: { noteId: string; consent: Consent },
): Promise<void> {
  const { caseId, aboutPartyIds } = await assertReleasable(scope, noteId, consent);
  if (caseId !== theCase.id) throw notFound("Note");
  assertOwnConfidence(byPartyId, aboutPartyIds);
  await assertReadersNow(scope, caseId, consent);
  if (visibility.scope !== "shared") throw badField("visibility", "What is released is shared with all parties.");
}

/** What is in somebody's confidence is offered by one of those who have it: nobody else said so, nor was asked. */
function assertOwnConfidence(byPartyId: string, aboutPartyIds: readonly string[]): void {
  if (aboutPartyIds.length > 0 && !aboutPartyIds.includes(byPartyId))
    throw badField("byPartyId", "This was said in confidence by somebody else. Choose who said it.");
}

/** The offer that is answered changes its state for all who read it, so the answer must be for their eyes too. */
function answeredBy(
  scope: Scope,
  theCase: Case,
  draft: SessionDoc,
  { countersId, visibility }: { countersId: string; visibility: Visibility },
): ProposalDoc {
  const answered = requireProposal(scope, theCase, draft, countersId);
  if (!isNoWider(visibility, answered.visibility))
    throw badField(
      "visibility",
      "Whoever reads the first proposal would learn that there is an answer. Save it as a proposal of its own, or share it.",
    );
  return answered;
}

export const setProposalStatus = (
  scope: Scope,
  { proposalId, to, answer: said, mistake, ...change }: z.output<typeof setProposalStatusSchema>,
): Promise<Session> =>
  changeSession(
    scope,
    change,
    async (draft, theCase) => {
      if (to === "countered") throw badField("to", "Add the counter-proposal itself; the first one is then countered.");
      const proposal = requireProposal(scope, theCase, draft, proposalId);
      if (mistake !== "") return takeAcceptanceBack(scope, theCase, proposal, { to, mistake });
      if (to !== "withdrawn") await assertMayTell(scope, theCase, proposal.visibility);
      const answer = await answerIn(scope, draft, theCase, { proposal, to, answer: said });
      if (to === "offered") assertStillOffered(draft, proposal);
      if (to === "agreed_in_principle") await assertAgreed(scope, draft, theCase, { proposal, answer });
      if (to === "withdrawn") moveWithReleased(scope, draft, proposal, { to, answer });
      else moveProposal(scope, proposal, { to, answer });
    },
    AT_ANY_TIME,
  );

/** What was released of an offer is offered again only where that offer is, as its party consented to it. */
function assertStillOffered({ proposals }: SessionDoc, { releasedFromId, consent }: ProposalDoc): void {
  const original = proposals.find(({ id }) => id === releasedFromId);
  if (!original) return;
  if (original.status !== "offered")
    throw wrongState(
      "This was released from an offer that is not offered any more. Release the newer offer, with its party’s consent.",
    );
  if (!consent || consent.at < lastSaid(original))
    throw wrongState(
      "The offer that this was released from was offered again later. Withdraw this release, then release that offer with a newer consent.",
    );
}

/** Nobody had accepted it: it is offered as before, and what was noted stays in its history with the reason. */
function takeAcceptanceBack(
  scope: Scope,
  { mediators }: Case,
  proposal: ProposalDoc,
  { to, mistake }: { to: ProposalStatus; mistake: string },
): void {
  if (!answersFor(scope, mediators)) throw forbidden(ONLY_THEY_CORRECT);
  if (!hasWord(mistake)) throw badField("mistake", "Say in words why it was noted in error.");
  if (proposal.status !== "agreed_in_principle" || to !== "offered")
    throw wrongState("Only that an offer was accepted is taken back as a mistake, and it is then offered as before.");
  proposal.status = to;
  proposal.history.push({
    at: now(),
    byId: scope.userId,
    byName: scope.userName,
    status: to,
    answer: null,
    mistake,
  });
}

/**
 * Whoever takes back or replaces what they offered in confidence, does so with what the others were shown of it. Of an
 * answer that is not for their eyes these learn only that the offer does not stand any more.
 */
function moveWithReleased(
  scope: Scope,
  { proposals }: SessionDoc,
  proposal: ProposalDoc,
  { toldTo, ...moved }: Moved & { toldTo?: Visibility },
): void {
  moveProposal(scope, proposal, moved);
  for (const released of proposals) {
    const isTold = !toldTo || isNoWiderCopy(toldTo, released.visibility);
    const to = isTold ? moved.to : "withdrawn";
    if (released.releasedFromId === proposal.id && released.status !== "withdrawn" && released.status !== to)
      moveProposal(scope, released, { ...moved, to });
  }
}

const NOT_RELEASED: Partial<Record<ProposalStatus, string>> = {
  withdrawn: "Its party has taken this back, so there is nothing to release. If they offer it again, note a new offer.",
  countered: "This was answered by another offer. Release that one, or say first that this one is offered again.",
};

/**
 * Shares a proposal that was made in confidence, with the party's consent, as a new one; the old one stays. Once, until
 * that is withdrawn.
 */
export const releaseProposal = (
  scope: Scope,
  { proposalId, newProposalId, consent, ...change }: z.output<typeof releaseProposalSchema>,
): Promise<Session> =>
  changeSession(
    scope,
    change,
    async (draft, theCase) => {
      await assertMayTell(scope, theCase, SHARED);
      assertAnswers(scope, theCase);
      const proposal = requireProposal(scope, theCase, draft, proposalId);
      const { id, issue, text, byPartyId, visibility, status } = proposal;
      const whyNot = NOT_RELEASED[status];
      if (whyNot) throw wrongState(whyNot);
      await assertConsent(scope, theCase, { id, visibility, saidAt: lastSaid(proposal) }, consent);
      await assertReadersNow(scope, theCase.id, consent);
      assertNew(draft, newProposalId);
      if (isReleased(draft.proposals, proposalId))
        throw conflict("This proposal was released already. Withdraw that release before you release it again.");
      if (draft.proposals.length >= PROPOSALS_MAX)
        throw badField("proposalId", `A session has at most ${PROPOSALS_MAX} proposals.`);
      const released = { issue, text, byPartyId, visibility: SHARED, countersId: null };
      const of = { id: newProposalId, releasedFromId: proposalId, consent, answer: null };
      draft.proposals.push(newProposal(scope, { ...released, ...of }));
    },
    AT_ANY_TIME,
  );
