// What was missing for a session, with why it was held all the same.
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertSaidWhy } from "../screenings/missing-then.service.ts";
import type { Gap, SessionDoc } from "./sessions.model.ts";

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
  assertSaidWhy(
    scope,
    what,
    reason,
    (words) => `At that time this was missing: ${words} Say why it was held all the same; it is kept with the session.`,
  );
  draft.unmet = [...kept, { what, reason, at: now(), byId: scope.userId, byName: scope.userName }];
}
