// What was missing for a session, with why it was held all the same.
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { heldReasonsIn } from "../meetings/held-reasons.service.ts";
import { lastFoundUnsafe } from "../screenings/past-screenings.service.ts";
import { assertSaidWhy } from "../screenings/missing-then.service.ts";
import type { Gap, SessionDoc, UnmetDoc } from "./sessions.model.ts";

/**
 * Keeps what was missing with why it was held all the same. BAD_REQUEST names what nobody gave a reason for yet;
 * PRECONDITION_FAILED where it is of somebody's safety, and whoever asks may not know of it.
 */
export function acknowledge(
  scope: Scope,
  draft: Pick<SessionDoc, "unmet" | "meetingId">,
  gaps: readonly Gap[],
  reason: string,
): void {
  const isFound = ({ text }: Gap) => gaps.some((gap) => gap.text === text);
  const kept = (draft.unmet ?? []).filter(({ what }) => what.every(isFound));
  const known = new Set(kept.flatMap(({ what }) => what.map(({ text }) => text)));
  draft.unmet = kept;
  keepWhy(
    scope,
    draft,
    gaps.filter(({ text }) => !known.has(text)),
    reason,
  );
}

function keepWhy(scope: Scope, draft: Pick<SessionDoc, "unmet" | "meetingId">, what: Gap[], reason: string): void {
  if (what.length === 0) return;
  assertSaidWhy(
    scope,
    what,
    reason,
    (words) =>
      `At that time this was missing: ${words} Say why it was held all the same; it is kept with the session.${whereKept(draft, what)}`,
  );
  draft.unmet = [...(draft.unmet ?? []), { what, reason, at: now(), byId: scope.userId, byName: scope.userName }];
}

/** Begins what is said of a measure that nothing of a session keeps to. */
export const OF_MEASURE = "What was agreed for their safety:";

/** Which arrangements were made is known of meetings of the calendar alone. */
const whereKept = ({ meetingId }: Pick<SessionDoc, "meetingId">, what: readonly Gap[]): string =>
  meetingId === null && what.some(({ text }) => text.startsWith(OF_MEASURE))
    ? " Where it was kept to, enter the meeting in the calendar with what was arranged, and write the session up from there."
    : "";

type Written = Pick<SessionDoc, "unmet" | "caseId" | "meetingId">;

/** The same of a session that was held: what was said of it when its meeting was recorded as held is not asked again. */
export async function acknowledgeHeld(
  scope: Scope,
  draft: Written,
  gaps: readonly Gap[],
  reason: string,
): Promise<void> {
  draft.unmet = [...(draft.unmet ?? []), ...(await saidOfMeeting(scope, draft, gaps))];
  acknowledge(scope, draft, gaps, reason);
}

/**
 * The same of what a correction of who came brings to light: what was said before stands, also of who did not come. What
 * was said of somebody while they were away, was why others met, so it is asked anew of whoever is found to have come.
 */
export async function acknowledgeFound(
  scope: Scope,
  draft: Written,
  { before, gaps, came }: { before: readonly Gap[]; gaps: readonly Gap[]; came: readonly string[] },
  reason: string,
): Promise<void> {
  const said = (draft.unmet ?? []).flatMap(({ what }) => what);
  await acknowledgeHeld(scope, draft, [...said, ...gaps], reason);
  const isOfThem = ({ text }: Gap) => text.split(/\W+/).some((word) => came.includes(word));
  const isIn = (those: readonly Gap[], { text }: Gap) => those.some((one) => one.text === text);
  const anew = gaps.filter((gap) => isOfThem(gap) && isIn(said, gap) && isIn(before, gap));
  keepWhy(scope, draft, anew, reason);
}

async function saidOfMeeting(scope: Scope, draft: Written, gaps: readonly Gap[]): Promise<UnmetDoc[]> {
  const { caseId, meetingId, unmet = [] } = draft;
  if (meetingId === null || gaps.length === 0) return [];
  const said = (await heldReasonsIn(scope, caseId)).find((one) => one.meetingId === meetingId);
  if (!said) return [];
  const { missing, reason, at, byId, byName } = said;
  const found = await lastFoundUnsafe(scope, caseId);
  const known = unmet.flatMap(({ what }) => what).map(({ text }) => text);
  const isSaid = ({ text, isSafety }: Gap) =>
    missing.some((one) => one.text === text) && !(isSafety && found !== null && found > at);
  const what = gaps.filter((gap) => isSaid(gap) && !known.includes(gap.text));
  return what.length > 0 ? [{ what, reason, at, byId, byName }] : [];
}
