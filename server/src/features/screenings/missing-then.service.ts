// What was missing when something took place is kept with it, and why it took place all the same: what of that is of a
// screening is read as one is.
import { can } from "@app/shared/access";
import { hasWord } from "@app/shared/has-word";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { SCREENING_SAYS_NOT_YET } from "./screening-gates.service.ts";

/** What was missing, and whether it is read as a screening is. */
export interface Missing {
  text: string;
  isSafety: boolean;
}

export const asPlain = (text: string): Missing => ({ text, isSafety: false });

const SAFETY_WAS_MISSING =
  "Something of the safety screening was missing. A colleague who may read screenings can see what.";

/** What was missing, and why it took place all the same, as this person may read it. */
export function missingFor(
  scope: Scope,
  missing: readonly Missing[],
  reason: string,
): { what: string[]; reason: string | null } {
  const isHidden = (one: Missing) => one.isSafety && !can(scope, "screening.read");
  const what = missing.map((one) => (isHidden(one) ? SAFETY_WAS_MISSING : one.text));
  return { what: [...new Set(what)], reason: missing.some(isHidden) ? null : reason };
}

/**
 * BAD_REQUEST asks in these words where something was missing and nobody says why it took place all the same;
 * PRECONDITION_FAILED where it is of somebody's safety, and whoever asks may not know of it.
 */
export function assertSaidWhy(
  scope: Scope,
  missing: readonly Missing[],
  reason: string,
  wordsOf: (what: string) => string,
): void {
  if (missing.length === 0) return;
  if (missing.some(({ isSafety }) => isSafety) && !can(scope, "screening.read"))
    throw wrongState(SCREENING_SAYS_NOT_YET);
  if (!hasWord(reason)) throw badField("unmetReason", wordsOf(missingFor(scope, missing, reason).what.join(" ")));
}
