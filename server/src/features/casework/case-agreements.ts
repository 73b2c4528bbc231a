// What the agreement to mediate says of confidences: set when the first party signs, and changed by a new one.
import type { z } from "zod";
import { hasSigned, isTakingPart } from "@app/shared/case-states";
import type { changeConfidencesSchema, correctAgreementSchema } from "@app/shared/agreements";
import type { Case } from "@app/shared/cases";
import { answersFor } from "@app/shared/team-access";
import { type Confidences, confidencesName } from "@app/shared/confidences";
import { now } from "../../core/clock.ts";
import { badField, forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { hasWord } from "@app/shared/has-word";
import { defineCaseSettler, tellOfStep } from "../cases/case-changes.service.ts";
import { type CaseDoc, type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { changedCase } from "../cases/cases.service.ts";
import { lastStepOf } from "../cases/case-steps.service.ts";
import { outdoneConsents } from "../cases/newcomer-consents.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { consentGaps } from "./case-gates.ts";
import { assertInCase } from "../cases/case-days.service.ts";

const ONLY_THEY_AGREE =
  "The owner of the practice or a mediator of this case records what the agreement to mediate says.";
const AGREEMENTS_KEPT = 20;

interface Said {
  to: Confidences;
  on: string;
  reason: string;
  partyId: string | null;
  signatures: CaseDoc["agreements"][number]["signatures"];
}

function agree(draft: CaseDoc, said: Said): void {
  draft.agreements = [...draft.agreements, { ...said, from: draft.confidences, at: now() }].slice(-AGREEMENTS_KEPT);
  draft.confidences = said.to;
}

const wordsOf = ({ confidences }: Pick<CaseDoc, "confidences">): string => confidencesName(confidences).toLowerCase();

/** A party signs: the first says for all what was agreed, and whoever signs after them signs the same. */
export async function signAgreement(
  scope: Scope,
  draft: CaseDoc,
  { to, on, partyId }: { to: Confidences | null; on: string; partyId: string },
): Promise<void> {
  if (draft.confidences === null) {
    if (to === null) throw badField("confidences", "Choose what the agreement says of confidences.");
    agree(draft, { to, on, partyId, reason: "", signatures: [] });
    await tellOfStep(scope, draft, { text: `Agreement to mediate, confidences: ${wordsOf(draft)}` });
  } else if (to !== null && to !== draft.confidences)
    throw badField(
      "confidences",
      "The agreement that was signed before says something else. Record a new agreement on the case first.",
    );
}

/** Notes who signed new words, and when. What was agreed before holds until everybody who is bound by it has. */
export async function changeConfidences(scope: Scope, input: z.output<typeof changeConfidencesSchema>): Promise<Case> {
  const { to, reason, signatures } = input;
  return changedCase(scope, input, async (draft) => {
    if (!answersFor(scope, draft.mediators)) throw forbidden(ONLY_THEY_AGREE);
    if (!draft.parties.some(hasSigned))
      throw wrongState("Nobody has signed the agreement to mediate yet. It is asked when the first party signs.");
    if (to === draft.confidences) throw badField("to", "The agreement says so already.");
    const begun = draft.newAgreement;
    if (begun && begun.to !== to)
      throw badField("to", "Another new agreement waits for signatures. Take that one back first.");
    if (!begun && !hasWord(reason)) throw badField("reason", "Say why there is a new agreement");
    assertBound(draft, signatures);
    await assertAfterLast(scope, draft, signatures);
    const before = (begun?.signatures ?? []).filter(
      ({ partyId }) => !signatures.some((one) => one.partyId === partyId),
    );
    draft.newAgreement = { to, reason: begun?.reason ?? reason, signatures: [...before, ...signatures] };
    const who = signatures.map(({ partyId }) => partyIn(draft, partyId).label).join(" and ");
    const what = confidencesName(to).toLowerCase();
    await tellOfStep(scope, draft, {
      text: `New agreement signed by ${who}, confidences: ${what} (${draft.newAgreement.reason})`,
    });
  });
}

const isBound = (party: CaseDoc["parties"][number]): boolean => isTakingPart(party) && hasSigned(party);

function assertBound(draft: CaseDoc, signatures: Said["signatures"]): void {
  for (const [index, { partyId }] of signatures.entries())
    if (!isBound(partyIn(draft, partyId)))
      throw badField(
        `signatures.${index}.partyId`,
        "Only somebody who takes part and has signed the agreement to mediate signs a new one.",
      );
}

/** Nobody signs other words before those were signed that they take the place of. */
async function assertAfterLast(scope: Scope, draft: CaseDoc, signatures: Said["signatures"]): Promise<void> {
  const last = draft.agreements.at(-1)?.on ?? "";
  const { calendarDay } = await practiceDates(scope.ownerId);
  for (const [index, { on }] of signatures.entries()) {
    await assertInCase(scope, draft, `signatures.${index}.on`, on);
    if (on < last)
      throw badField(
        `signatures.${index}.on`,
        `The agreement before was signed on ${calendarDay(last)}. Enter the day on which the new one was signed.`,
      );
  }
}

// Also where the last one who had not signed leaves.
defineCaseSettler(async (scope, _before, draft) => {
  const begun = draft.newAgreement;
  if (!begun) return;
  const bound = draft.parties.filter(isBound);
  if (bound.length === 0) {
    if (!draft.parties.some(hasSigned)) draft.newAgreement = null;
    return;
  }
  const days = bound.map(({ partyId }) => begun.signatures.find((one) => one.partyId === partyId)?.on);
  if (days.includes(undefined)) return;
  const on =
    begun.signatures
      .map((one) => one.on)
      .toSorted()
      .at(-1) ?? "";
  agree(draft, { ...begun, on, partyId: null });
  draft.newAgreement = null;
  await tellOfStep(scope, draft, { text: `New agreement, confidences: ${wordsOf(draft)} (${begun.reason})` });
});

/** Whoever signs the agreement here consents by that, unless a consent of theirs stands. */
export async function consentBySigning(
  scope: Scope,
  draft: CaseDoc,
  { party, on }: { party: PartyDoc; on: string },
): Promise<void> {
  const outdone = await outdoneConsents(scope, draft.parties, on);
  const stands =
    (await consentGaps(scope, draft, [party])).length === 0 && !outdone.some(({ label }) => label === party.label);
  if (!stands) Object.assign(party, { consentedOn: on, consentRecordedAt: lastStepOf(party)?.at ?? now() });
}

/** What was to be done by hand about the signature of this party. */
export const signatureAbout = (partyId: string): string => `signature of ${partyId} on the case`;

export const endAskingToRecord = ({ ownerId }: Scope, { _id: caseId }: CaseDoc, partyId: string): Promise<void> =>
  callOff({ ownerId, caseId, abouts: [signatureAbout(partyId)] });

/**
 * Whose signature is taken back set nothing, unless others have signed the same meanwhile; nor did they consent by it, at
 * the moment at which it was recorded.
 */
export function unsign(draft: CaseDoc, partyId: string, at: Date): void {
  const party = partyIn(draft, partyId);
  if (party.consentRecordedAt?.getTime() === at.getTime())
    Object.assign(party, { consentedOn: "", consentRecordedAt: null });
  if (draft.agreements.at(-1)?.partyId === partyId && !draft.parties.some(hasSigned)) takeLastBack(draft);
}

/** Takes the last new agreement back, because there was none: first the one that not everybody has signed. */
export async function correctConfidences(scope: Scope, draft: CaseDoc, reason: string): Promise<void> {
  if (draft.newAgreement) {
    draft.newAgreement = null;
    return tellOfStep(scope, draft, {
      text: `Corrected: the new agreement that not everybody signed is gone (${reason})`,
    });
  }
  const last = draft.agreements.at(-1);
  if (!last || last.partyId !== null || draft.confidences === null)
    throw wrongState("There is no new agreement of this case that can be taken back by itself.");
  takeLastBack(draft);
  await tellOfStep(scope, draft, { text: `Corrected: confidences back to: ${wordsOf(draft)} (${reason})` });
}

/** What the agreement that holds says was noted wrong. Nobody signed other words, so nobody signs anew. */
export async function correctAgreement(scope: Scope, input: z.output<typeof correctAgreementSchema>): Promise<Case> {
  const { to, reason } = input;
  return changedCase(scope, input, async (draft) => {
    if (!answersFor(scope, draft.mediators)) throw forbidden(ONLY_THEY_AGREE);
    const last = draft.agreements.at(-1);
    // One of before the case came back holds no more.
    if (!last || draft.confidences === null)
      throw wrongState("No agreement is recorded yet. It is asked when the first party signs.");
    if (draft.newAgreement)
      throw wrongState("A new agreement waits for signatures. Take that one back first, or record who signed it.");
    if (to === draft.confidences) throw badField("to", "It is recorded so already.");
    const before = wordsOf(draft);
    last.to = to;
    draft.confidences = to;
    await tellOfStep(scope, draft, {
      text: `Corrected: the agreement says of confidences: ${wordsOf(draft)}, and not: ${before} (${reason})`,
    });
  });
}

function takeLastBack(draft: CaseDoc): void {
  draft.confidences = draft.agreements.at(-1)?.from ?? null;
  draft.agreements = draft.agreements.slice(0, -1);
}
