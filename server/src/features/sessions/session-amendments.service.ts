// What is corrected of a locked session: it is as the last amendment says, for every fact that is read of it, and what was
// recorded before stays readable beside it.
import { isDeepStrictEqual } from "node:util";
import type { Case } from "@app/shared/cases";
import { type Amendment, AMENDMENTS_MAX, type amendSessionSchema } from "@app/shared/session-amendments";
import { NOT_ASKED_NAME, SESSION_ATTENDANCE_NAMES, SESSION_OUTCOME_NAMES, wasThere } from "@app/shared/session-states";
import type { Session } from "@app/shared/sessions";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { requireParty } from "../cases/cases.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { changeSession } from "./session-changes.ts";
import { assertStillAccepted } from "./proposal-answers.ts";
import { correctMediators } from "./session-mediators.ts";
import { assertAgreedTogether } from "./session-meetings.ts";
import { lockGaps, missingReviews, unreviewed } from "./session-reviews.ts";
import { correctTimes } from "./session-times.service.ts";
import { assertCame, mark } from "./session-work.service.ts";
import type { AmendmentDoc, SessionDoc } from "./sessions.model.ts";
import { isAidedMediation, tellOfSession } from "./sessions.service.ts";
import { acknowledgeFound, acknowledgeHeld } from "./unmet.ts";

type Amending = z.output<typeof amendSessionSchema>;

export const amendSession = (
  scope: Scope,
  { text, unmetReason, attendance: marks, times: held, outcome: found, mediatorIds, ...change }: Amending,
): Promise<Session> =>
  changeSession(
    scope,
    change,
    async (draft, theCase) => {
      if (draft.amendments.length >= AMENDMENTS_MAX)
        throw badField("text", `A session has at most ${AMENDMENTS_MAX} amendments.`);
      const before = marks.length > 0 ? await lockGaps(scope, draft, theCase) : [];
      const times = held && (await correctTimes(scope, { draft, theCase }, held));
      const attendance = await correctAttendance(scope, { draft, theCase }, marks);
      const outcome = found && correctOutcome(draft, found);
      const mediators = mediatorIds && (await correctMediators(scope, draft, theCase, mediatorIds));
      if (times) await assertCame(scope, draft, theCase);
      if (outcome || attendance.length > 0) await assertAgreedTogether(scope, draft, theCase);
      if (attendance.length > 0) assertStillAccepted(draft, theCase);
      await assertReviewed(scope, draft, theCase, attendance);
      const gaps = times || attendance.length > 0 ? await lockGaps(scope, draft, theCase) : [];
      if (times) await acknowledgeHeld(scope, draft, gaps, unmetReason);
      else await acknowledgeFound(scope, draft, { before, gaps, came: cameIn(theCase, attendance) }, unmetReason);
      const by = { at: now(), byId: scope.userId, byName: scope.userName };
      const amendment = { ...by, text, attendance, times, outcome, mediators };
      draft.amendments.push(amendment);
      const said = [`Session ${draft.number}: amendment added`, ...(await correctionsIn(scope, theCase, amendment))];
      await tellOfSession(scope, theCase, said.join("; "));
    },
    { only: ["locked"] },
  );

/** Gives what was recorded of whoever is recorded otherwise from now on. */
async function correctAttendance(
  scope: Scope,
  { draft, theCase }: { draft: SessionDoc; theCase: Case },
  marks: Amending["attendance"],
): Promise<Amendment["attendance"]> {
  const corrected = marks.map(({ partyId, state: to }) => ({
    partyId,
    from: draft.attendance.find((entry) => entry.partyId === partyId)?.state ?? null,
    to,
  }));
  const changed = corrected.filter(({ from, to }) => from !== to);
  for (const { partyId, to: state } of changed) await mark(scope, draft, theCase, { partyId, state });
  await assertCame(scope, draft, theCase);
  const came = draft.attendance.filter(wasThere).map(({ partyId }) => partyId);
  draft.partyIds = [...new Set([...draft.partyIds, ...came])];
  if (changed.length > 0 && !isAidedMediation(theCase, came)) draft.countsForLegalAid = false;
  return changed;
}

/** By their labels, who is recorded as there and was not before. */
const cameIn = ({ parties }: Case, corrected: Amendment["attendance"]): string[] => {
  const isThere = (state: Amendment["attendance"][number]["to"]) => state !== null && wasThere({ state });
  const found = corrected.filter(({ from, to }) => isThere(to) && !isThere(from)).map(({ partyId }) => partyId);
  return parties.filter(({ partyId }) => found.includes(partyId)).map(({ label }) => label);
};

/** Null where it was recorded so already. */
function correctOutcome(draft: SessionDoc, to: NonNullable<Amending["outcome"]>): Amendment["outcome"] {
  const from = draft.outcome;
  if (isDeepStrictEqual(from, to)) return null;
  draft.outcome = to;
  return { from, to };
}

/** Whoever is found to have come to a locked session is reviewed first, as everybody is before the lock. */
async function assertReviewed(
  scope: Scope,
  draft: SessionDoc,
  theCase: Case,
  corrected: readonly { partyId: string }[],
): Promise<void> {
  const found = (await unreviewed(scope, draft, theCase)).filter((party) =>
    corrected.some(({ partyId }) => partyId === party.partyId),
  );
  const missing = missingReviews(scope, found);
  if (missing.length > 0) throw wrongState(missing.join(" "));
}

/** In words, for the history of the case. */
async function correctionsIn(
  scope: Scope,
  theCase: Case,
  {
    attendance,
    times,
    outcome,
    mediators,
  }: Pick<AmendmentDoc, "times" | "outcome"> & Pick<Amendment, "attendance" | "mediators">,
): Promise<string[]> {
  const { dateTime } = await practiceDates(scope.ownerId);
  const span = ({ startedAt, endedAt }: { startedAt: Date | null; endedAt: Date | null }) =>
    startedAt && endedAt ? `${dateTime(startedAt)} to ${dateTime(endedAt)}` : "no time";
  const ofOutcome = (code: keyof typeof SESSION_OUTCOME_NAMES) => `“${SESSION_OUTCOME_NAMES[code]}”`;
  return [
    ...(times ? [`took place ${span(times.to)}, and not ${span(times.from)}`] : []),
    ...attendance.map(({ partyId, from, to }) => {
      const was = from === null ? "Not recorded" : SESSION_ATTENDANCE_NAMES[from];
      const is = to === null ? NOT_ASKED_NAME : SESSION_ATTENDANCE_NAMES[to];
      return `${requireParty(theCase, partyId).label} from “${was}” to “${is}”`;
    }),
    ...(mediators ? [`held by ${mediators.to.join(", ")}, and not by ${mediators.from.join(", ") || "nobody"}`] : []),
    ...(outcome && outcome.from?.code !== outcome.to.code
      ? [`outcome ${outcome.from ? `from ${ofOutcome(outcome.from.code)} ` : ""}to ${ofOutcome(outcome.to.code)}`]
      : []),
  ];
}
