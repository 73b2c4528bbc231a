// What somebody says to an offer, in its session or days after: what comes after the lock is a fact of its own day, and the
// minutes stay as they are.
import type { Case, Party } from "@app/shared/cases";
import { countSides, sideOf } from "@app/shared/case-states";
import { dayIn } from "@app/shared/days";
import { type ProposalStatus, wasThere } from "@app/shared/session-states";
import { begunAmong, isForEverySide, mediatingOn, saidIn } from "@app/shared/mediating";
import { type Answer, JOINT } from "@app/shared/sessions";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive } from "../cases/case-days.service.ts";
import { requireParty } from "../cases/cases.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { withAbsences } from "./presence.service.ts";
import { missingOf, type ProposalDoc, type SessionDoc } from "./sessions.model.ts";

interface Said {
  proposal: ProposalDoc;
  to: ProposalStatus;
  answer: Answer | null;
}

/** Who said it and when; null where it was said in the session. BAD_REQUEST where that is missing, or cannot be. */
export async function answerIn(
  scope: Scope,
  draft: SessionDoc,
  theCase: Case,
  { proposal, to, answer }: Said,
): Promise<Answer | null> {
  if (!answer) {
    if (draft.status === "locked")
      throw badField("on", "This session is locked. Say who answered after it, and on which day.");
    return null;
  }
  const { byPartyId, on } = answer;
  await assertSpeaks(scope, theCase, { byPartyId, day: on });
  await assertMediates(scope, theCase, { proposal, byPartyId, on });
  await assertAfter(scope, draft, proposal, on);
  const sides = sidesOf(theCase, proposal, answer);
  if (to === "agreed_in_principle" && sides === 1)
    throw badField("byPartyId", "Nobody accepts their own offer. Choose who accepted it.");
  if (proposal.status !== "agreed_in_principle" && (to === "withdrawn" || to === "offered") && sides > 1)
    throw badField("byPartyId", "Whoever made an offer withdraws it, or makes it again. Choose them.");
  return answer;
}

/** BAD_REQUEST where somebody is said to offer something who is not in the case, or had died or left by then. */
export async function assertCanOffer(
  scope: Scope,
  { startedAt, attendance }: SessionDoc,
  theCase: Case,
  { byPartyId, on }: { byPartyId: string; on: string | null },
): Promise<void> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const day = on ?? dayIn(timeZone, startedAt ?? now());
  await assertSpeaks(scope, theCase, { byPartyId, day });
  assertBegan(theCase, byPartyId);
  const mediating = mediatingOn(await withAbsences(scope, theCase.id, theCase.parties), day);
  if (byPartyId === JOINT) return assertTogether(mediating);
  if (on === null && attendance.some((mark) => mark.partyId === byPartyId && wasThere(mark))) return;
  if (mediating.some(({ partyId }) => partyId === byPartyId)) return;
  throw badField(
    "byPartyId",
    `${requireParty(theCase, byPartyId).label} had left the case by then. Choose who offers it, or bring them back first.`,
  );
}

/** BAD_REQUEST where one side alone is said to do something together. */
function assertTogether(mediating: readonly Party[]): void {
  if (countSides(mediating) < 2)
    throw badField("byPartyId", "Only one side was left in the case by then. Choose who said it, or another day.");
}

async function assertSpeaks(
  scope: Scope,
  theCase: Case,
  { byPartyId, day }: { byPartyId: string; day: string },
): Promise<void> {
  if (byPartyId !== JOINT) await assertAlive(scope, requireParty(theCase, byPartyId), "byPartyId", day);
}

/** BAD_REQUEST where somebody is said to offer something who was only added. */
function assertBegan({ parties }: Case, byPartyId: string): void {
  if (byPartyId !== JOINT && !begunAmong(parties).some(({ partyId }) => partyId === byPartyId))
    throw badField(
      "byPartyId",
      "They have not signed the agreement to mediate yet. Record first that they did, or choose who offers it.",
    );
}

/** An answer is given on a day that has come, and not before the offer, nor before the answer that it takes back. */
async function assertAfter(
  scope: Scope,
  { startedAt, createdAt }: SessionDoc,
  { history }: ProposalDoc,
  on: string,
): Promise<void> {
  await assertNotLater(scope, "on", on);
  const heldOn = dayIn(await practiceTimeZone(scope.ownerId), startedAt ?? createdAt);
  // Nobody said what is taken back by the entry after it.
  const said = history.filter((_entry, index) => !history[index + 1]?.mistake);
  const last = said.findLast(({ answer }) => answer)?.answer?.on ?? heldOn;
  if (on >= last) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField("on", `What it answers was said on ${calendarDay(last)}. Enter that day, or a later one.`);
}

/** How many sides an offer and its answer are of; none is known where one of them is everybody's. */
function sidesOf({ parties }: Case, ...said: readonly { byPartyId: string }[]): number {
  if (said.some(({ byPartyId }) => byPartyId === JOINT)) return 0;
  return countSides(parties.filter(({ partyId }) => said.some(({ byPartyId }) => byPartyId === partyId)));
}

/** BAD_REQUEST where somebody is said to answer who did not mediate on that day, or may not read what is answered. */
async function assertMediates(
  scope: Scope,
  { id, parties }: Case,
  { proposal: { visibility }, byPartyId, on }: { proposal: ProposalDoc } & Answer,
): Promise<void> {
  const mediating = mediatingOn(await withAbsences(scope, id, parties), on);
  if (byPartyId === JOINT) return assertTogether(mediating);
  if (!mediating.some(({ partyId }) => partyId === byPartyId))
    throw badField(
      "byPartyId",
      "They had left the case by then, or never signed the agreement to mediate. Choose who answered, or another day.",
    );
  if (visibility.scope === "party" && !visibility.partyIds.includes(byPartyId))
    throw badField("byPartyId", "Nobody answers what they may not read. Release it with its party’s consent first.");
}

/** BAD_REQUEST where no other side had read an offer when it was accepted, none mediated any more, or none was there. */
export async function assertAgreed(
  scope: Scope,
  { startedAt, attendance }: Pick<SessionDoc, "startedAt" | "attendance">,
  { id, parties }: Case,
  { proposal, answer }: { proposal: ProposalDoc; answer: Answer | null },
): Promise<void> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const then = answer ? answer.on : saidIn({ startedAt }, timeZone, now());
  if (!isForEverySide(proposal.visibility, await withAbsences(scope, id, parties), then))
    throw badField(
      "to",
      "Nobody accepts what they may not read, or after they left. Release it with its party’s consent, or offer it anew to all parties.",
    );
  const day = then ?? dayIn(timeZone, now());
  await assertEachSide(scope, { attendance, theCase: { id, parties } }, { proposal, answer, day });
  if (!answer && isAlone({ attendance, parties }, proposal))
    throw badField(
      "to",
      "Nobody who could accept it is recorded as there. Record first who came, or say who accepted it later, and on which day.",
    );
}

interface Accepting {
  proposal: ProposalDoc;
  answer: Answer | null;
  /** On which it was accepted. */
  day: string;
}

/** BAD_REQUEST where a third side mediates that has not said yes, nor made the offer: it is agreed once each has. */
async function assertEachSide(
  scope: Scope,
  { attendance, theCase: { id, parties } }: Pick<SessionDoc, "attendance"> & { theCase: Pick<Case, "id" | "parties"> },
  { proposal: { byPartyId }, answer, day }: Accepting,
): Promise<void> {
  const mediating = mediatingOn(await withAbsences(scope, id, parties), day);
  if (countSides(mediating) < 3 || answer?.byPartyId === JOINT || (answer && byPartyId === JOINT)) return;
  const said = answer ? [answer.byPartyId] : attendance.filter(wasThere).map(({ partyId }) => partyId);
  const sides = new Set(parties.filter(({ partyId }) => [...said, byPartyId].includes(partyId)).map(sideOf));
  const silent = mediating.filter((party) => !sides.has(sideOf(party))).map(({ label }) => label);
  if (silent.length > 0)
    throw badField(
      answer ? "byPartyId" : "to",
      `It is accepted once each side has said so, and ${silent.join(" and ")} has not. Note it as accepted by everybody, on the day on which the last of them did.`,
    );
}

/** Whether nobody of another side than whose offer it is came; of what all offer together, nobody of a second side. */
function isAlone(
  { attendance, parties }: Pick<SessionDoc, "attendance"> & Pick<Case, "parties">,
  { byPartyId }: Pick<ProposalDoc, "byPartyId">,
): boolean {
  const among = new Set([...attendance.filter(wasThere).map(({ partyId }) => partyId), byPartyId]);
  return countSides(parties.filter(({ partyId }) => among.has(partyId))) < 2;
}

/** BAD_REQUEST where an offer that is noted as accepted in the session has nobody there any more who could accept it. */
export function assertStillAccepted(
  session: Pick<SessionDoc, "status" | "partyIds" | "attendance" | "outcome" | "proposals">,
  { parties }: Pick<Case, "parties">,
): void {
  const { attendance, proposals } = session;
  if (missingOf(session).includes("attendance")) return;
  const alone = proposals.find(
    (proposal) =>
      proposal.status === "agreed_in_principle" &&
      !proposal.history.at(-1)?.answer &&
      isAlone({ attendance, parties }, proposal),
  );
  if (alone)
    throw badField(
      "attendance",
      `An offer about “${alone.issue}” is noted as accepted here, and nobody who could accept it is recorded as there. Take that back first as noted in error, or correct who came.`,
    );
}
