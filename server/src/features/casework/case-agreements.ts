// What the agreement to mediate says of confidences: set when the first party signs, and changed by a new one.
import type { z } from "zod";
import { hasSigned } from "@app/shared/case-states";
import type { changeConfidencesSchema } from "@app/shared/agreements";
import type { Case } from "@app/shared/cases";
import { type Confidences, confidencesName } from "@app/shared/confidences";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { tellOfStep } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { changedCase } from "../cases/cases.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";

const AGREEMENTS_KEPT = 20;

interface Said {
  to: Confidences;
  on: string;
  reason: string;
  partyId: string | null;
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
    agree(draft, { to, on, partyId, reason: "" });
    await tellOfStep(scope, draft, { text: `Agreement to mediate, confidences: ${wordsOf(draft)}` });
  } else if (to !== null && to !== draft.confidences)
    throw badField(
      "confidences",
      "The agreement that was signed before says something else. Record a new agreement on the case first.",
    );
}

export async function changeConfidences(scope: Scope, input: z.output<typeof changeConfidencesSchema>): Promise<Case> {
  const { to, on, reason } = input;
  await assertNotLater(scope, "on", on);
  return changedCase(scope, input, async (draft) => {
    if (!draft.parties.some(hasSigned))
      throw wrongState("Nobody has signed the agreement to mediate yet. It is asked when the first party signs.");
    if (to === draft.confidences) throw badField("to", "The agreement says so already.");
    agree(draft, { to, on, reason, partyId: null });
    await tellOfStep(scope, draft, { text: `New agreement, confidences: ${wordsOf(draft)} (${reason})` });
  });
}

/** Whose signature is taken back set nothing, unless others have signed the same meanwhile. */
export function unsign(draft: CaseDoc, partyId: string): void {
  if (draft.agreements.at(-1)?.partyId === partyId && !draft.parties.some(hasSigned)) takeLastBack(draft);
}

/** Takes the last new agreement back, because there was none. */
export async function correctConfidences(scope: Scope, draft: CaseDoc, reason: string): Promise<void> {
  const last = draft.agreements.at(-1);
  if (!last || last.partyId !== null)
    throw wrongState("There is no new agreement of this case that can be taken back by itself.");
  takeLastBack(draft);
  await tellOfStep(scope, draft, { text: `Corrected: confidences back to: ${wordsOf(draft)} (${reason})` });
}

function takeLastBack(draft: CaseDoc): void {
  draft.confidences = draft.agreements.at(-1)?.from ?? null;
  draft.agreements = draft.agreements.slice(0, -1);
}
