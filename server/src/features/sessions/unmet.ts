// What was missing for a session, with why it was held all the same.
import { can } from "@app/shared/access";
import { hasWord } from "@app/shared/has-word";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { SCREENING_SAYS_NOT_YET } from "../screenings/screening-gates.service.ts";
import type { Gap, SessionDoc } from "./sessions.model.ts";

const SAFETY_WAS_MISSING =
  "Something of the safety screening was missing. A colleague who may read screenings can see what.";

/** The words of what was missing as this person may read them. */
export function wordsOf(scope: Scope, gaps: readonly Gap[]): string[] {
  const mayRead = can(scope, "screening.read");
  return [...new Set(gaps.map(({ text, isSafety }) => (isSafety && !mayRead ? SAFETY_WAS_MISSING : text)))];
}

/**
 * Keeps what was missing with why it was held all the same. BAD_REQUEST names what nobody gave a reason for yet;
 * PRECONDITION_FAILED where it is of somebody's safety, and whoever asks may not know of it.
 */
export function acknowledge(
  scope: Scope,
  draft: Pick<SessionDoc, "unmet">,
  gaps: readonly Gap[],
  reason: string,
): void {
  const isFound = ({ text }: Gap) => gaps.some((gap) => gap.text === text);
  const kept = (draft.unmet ?? []).filter(({ what }) => what.every(isFound));
  const known = new Set(kept.flatMap(({ what }) => what.map(({ text }) => text)));
  const what = gaps.filter(({ text }) => !known.has(text));
  draft.unmet = kept;
  if (what.length === 0) return;
  if (what.some(({ isSafety }) => isSafety) && !can(scope, "screening.read")) throw wrongState(SCREENING_SAYS_NOT_YET);
  if (!hasWord(reason))
    throw badField(
      "unmetReason",
      `At that time this was missing: ${wordsOf(scope, what).join(" ")} Say why it was held all the same; it is kept with the session.`,
    );
  draft.unmet = [...kept, { what, reason, at: now(), byId: scope.userId, byName: scope.userName }];
}
