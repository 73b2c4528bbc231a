// How mediation ends: what is said of its outcome goes with what is recorded of it.
import { isAided } from "@app/shared/aided";
import { againstBreakdown, isPartedByDeath, unusualIn } from "@app/shared/case-closing";
import {
  contradictionsIn,
  isAgreement,
  isOutside,
  isPaidFor,
  type LastSession,
  type Outcome,
  outcomesOf,
  takesLegalAidCode,
} from "@app/shared/case-outcomes";
import { wasHeldIn } from "@app/shared/case-rounds";
import {
  CASE_STATUS_NAMES,
  ENDED_EARLY,
  endingsOf,
  endsOnDay,
  everSigned,
  isEnd,
  isResolved,
  whatEnded,
} from "@app/shared/case-states";
import type { Region } from "@app/shared/regions";
import { type CaseSteps, entriesWait, unwrittenWait } from "@app/shared/case-steps";
import type { moveCaseSchema } from "@app/shared/cases";
import type { z } from "zod";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, End } from "../cases/case-parties.service.ts";
import { jointSessions } from "../sessions/session-facts.service.ts";
import { unwrittenIn } from "../sessions/write-ups.service.ts";
import { agreedSessions } from "../sessions/signed-sessions.service.ts";
import { practiceDates, practiceRegion, practiceToday } from "../practices/practices.service.ts";
import { countOpenEntries } from "../safeguarding/opened-entries.service.ts";
import { assertOnFile } from "./closing-papers.ts";
import { assertEndDay } from "./end-days.ts";
import { deadWithout, isFoundUnsafe, whatItMisses } from "./ending-grounds.ts";
import { type JointSession, whyNotHeld } from "./held-agreements.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { defineCaseFollower, tellOfStep } from "../cases/case-changes.service.ts";

type Move = z.output<typeof moveCaseSchema>;
type OfCase = Pick<
  CaseDoc,
  "_id" | "domain" | "parties" | "children" | "issueScope" | "startedOn" | "createdAt" | "rounds" | "outcome"
>;

/** BAD_REQUEST where an end does not say how it came about, or says what the records of the case do not. */
export async function assertEnding(scope: Scope, theCase: OfCase, move: Move): Promise<void> {
  const { to, ending, outcome, reason, endedOn } = move;
  if (ENDED_EARLY.includes(to) && !ending) throw badField("ending", "Choose why it ends.");
  if (to === "terminated" && ending && isResolved(ending))
    throw badField(
      "ending",
      "Mediation did not break down there. Move the case to “Concluded”, and choose that outcome.",
    );
  if (!ENDED_EARLY.includes(to) && ending)
    throw badField("ending", "Why it ends is said of a case that ends before its conclusion.");
  if (to === "not_proceeding" && ending && !endingsOf(to).includes(ending))
    throw badField("ending", "Mediation never began there, so it did not break down. Choose another reason.");
  const today = await practiceToday(scope.ownerId);
  const endDay = endedOn || today;
  const unsaid = ending && (await whatItMisses(scope, { ending, endedOn: endDay }, theCase));
  if (unsaid) throw badField("ending", unsaid);
  if (endedOn !== "" && !endsOnDay(to)) throw badField("endedOn", "This day is recorded where a case ends.");
  const codes = outcomesOf(to);
  if (codes.length === 0) {
    if (outcome) throw badField("outcome", "An outcome is recorded where mediation ends.");
    if (to === "closed") await assertStillHeld(scope, theCase, reason);
    return assertEndDay(scope, theCase, { to, ending, endedOn });
  }
  if (!outcome) throw badField("outcome", "Record the outcome before you end the case.");
  if (!codes.includes(outcome.code))
    throw badField("code", `This is no outcome of a case in “${CASE_STATUS_NAMES[to]}”. Conclude it instead.`);
  const resolved = againstBreakdown(to, outcome);
  if (resolved !== null) throw badField("issues", resolved);
  await assertEndDay(scope, theCase, { to, ending, endedOn });
  const dead = isOutside(outcome.code) && deadWithout(theCase.parties, endDay);
  if (dead) throw badField("code", `${dead.label} had died by then. Choose another outcome, or enter an earlier day.`);
  if (ending === "broken_down" && isPartedByDeath(theCase.parties, endDay))
    throw badField(
      "ending",
      "Somebody died, and one side was left, so mediation did not break down. Choose “Somebody died”, or enter the day before it on which mediation broke down.",
    );
  const sessions = await sessionsOfRound(scope, theCase);
  // Also where nobody had signed yet, somebody was seen in it.
  const met = ending === "opened_in_error" ? await jointSessions(scope, { ...theCase, caseId: theCase._id }) : [];
  if (met.length > 0) throw badField("ending", "A session of two sides was held in it, so say how that ended.");
  const mediatedIds = mediatedIn(sessions);
  const behind = { ...(await subjectOf(scope, theCase)), hasSession: sessions.length > 0 };
  assertOfOnePiece(theCase, outcome, { ...behind, isAided: isAided(theCase.parties, mediatedIds) });
  await assertOnFile(scope, theCase, outcome);
  const unheld = await whyNotHeld(scope, theCase, outcome, sessions);
  if (unheld !== null) throw badField("code", unheld);
  const against = unusualIn(outcome, theCase, {
    last: lastOf(sessions),
    mediatedIds,
    today,
  });
  if (against !== null && reason === "") throw badField("reason", against);
  if (isAgreement(outcome.code) && reason === "" && (await isFoundUnsafe(scope, theCase._id)))
    throw badField("reason", "Somebody was last found not safe to mediate. Say why it ends as agreed all the same.");
}

/** A case is closed as it ended: where its sessions say otherwise by now, its end is recorded again, or it is said why it stands. */
async function assertStillHeld(
  scope: Scope,
  theCase: Rounds & Pick<CaseDoc, "outcome">,
  reason: string,
): Promise<void> {
  if (!theCase.outcome || reason !== "") return;
  const unheld = await whyNotHeld(scope, theCase, theCase.outcome, await sessionsOfRound(scope, theCase));
  if (unheld !== null)
    throw badField(
      "reason",
      `How this case ended is not what its sessions say now: ${unheld} Take the end back and record it again, or say here why it stands.`,
    );
}

/** What waits in a case, of which whoever ends it is told. */
export const waitingIn = async (scope: Scope, id: string): Promise<Pick<CaseSteps, "openEntries" | "unwritten">> => ({
  openEntries: await countOpenEntries(scope, id),
  unwritten: await unwrittenIn(scope, id),
});

/** BAD_REQUEST where a case ends while any of it waits, and whoever ends it was not told. */
export async function assertWaitingKnown(scope: Scope, theCase: Pick<CaseDoc, "_id">, move: Move): Promise<void> {
  await assertEntriesKnown(scope, theCase, move);
  await assertWrittenUp(scope, theCase, move);
}

/** BAD_REQUEST where a case ends while entries of its safeguarding record wait that whoever may read them was not told of. */
async function assertEntriesKnown(
  scope: Scope,
  { _id }: Pick<CaseDoc, "_id">,
  { to, openEntries }: Pick<Move, "to" | "openEntries">,
): Promise<void> {
  if (!isEnd(to)) return;
  const waiting = await countOpenEntries(scope, _id);
  if (waiting === null || waiting === 0 || waiting === openEntries) return;
  throw badField(
    "openEntries",
    `${entriesWait(waiting)} Complete the record first, or confirm that the case ends all the same.`,
  );
}

/** The same while sessions that were held are not written up, by which it is said how it ended. */
async function assertWrittenUp(
  scope: Scope,
  { _id }: Pick<CaseDoc, "_id">,
  { to, unwritten }: Pick<Move, "to" | "unwritten">,
): Promise<void> {
  if (!isEnd(to)) return;
  const waiting = await unwrittenIn(scope, _id);
  if (waiting.length === 0 || waiting.length === unwritten) return;
  throw badField("unwritten", `${unwrittenWait(waiting)} Do that first, or confirm that the case ends all the same.`);
}

/** What decides whether the agency pays for it. */
export async function subjectOf(
  { ownerId }: Scope,
  { domain, issueScope }: Pick<CaseDoc, "domain" | "issueScope">,
): Promise<{ domain: CaseDoc["domain"]; issueScope: CaseDoc["issueScope"]; region: Region }> {
  return { domain, issueScope, region: await practiceRegion(ownerId) };
}

type Behind = Awaited<ReturnType<typeof subjectOf>> & { hasSession: boolean; isAided: boolean };

function assertOfOnePiece(theCase: OfCase, outcome: Outcome, of: Behind): void {
  const { domain } = of;
  if (domain === "family" && outcome.issues.some(({ kind }) => kind === ""))
    throw badField("issues", "Choose of each issue what it is about.");
  if (takesLegalAidCode(outcome.code, of) && of.isAided !== (outcome.laaCode !== ""))
    throw badField(
      "laaCode",
      of.isAided
        ? "Choose the code for the Legal Aid Agency."
        : "Nobody who mediated has legal aid, so there is no code for the agency.",
    );
  for (const [field, message] of Object.entries(contradictionsIn(outcome, of))) throw badField(field, message);
  // What was made in mediation is for those who agreed to it, wherever they stand now.
  const known = new Set(theCase.parties.filter(everSigned).map(({ partyId }) => partyId));
  if (!outcome.documents.every(({ partyIds }) => partyIds.every((partyId) => known.has(partyId))))
    throw badField("documents", "Choose parties of this case who signed the agreement to mediate.");
}

export const lastOf = ([last]: JointSession[]): LastSession | null =>
  last && last.code !== null ? { number: last.number, code: last.code } : null;

const mediatedIn = (sessions: readonly JointSession[]): string[] => [
  ...new Set(sessions.flatMap(({ parties }) => parties.map(({ partyId }) => partyId))),
];

type Rounds = Pick<CaseDoc, "_id" | "parties" | "rounds">;

/** What was mediated, by an agreement, since the case came back: what was found before belongs to the end that it had then. */
export async function sessionsOfRound(scope: Scope, { _id, parties, rounds }: Rounds): Promise<JointSession[]> {
  const sessions = await agreedSessions(scope, { caseId: _id, parties, rounds });
  return sessions.filter((session) => !rounds.some((round) => wasHeldIn(round, session)));
}

/** What the end of a case has to go with. */
export async function sessionsBehind(
  scope: Scope,
  theCase: Rounds,
): Promise<Pick<CaseSteps, "lastSession" | "hasSession" | "mediatedIds">> {
  const sessions = await sessionsOfRound(scope, theCase);
  return { lastSession: lastOf(sessions), hasSession: sessions.length > 0, mediatedIds: mediatedIn(sessions) };
}

/** On which day it ended, for the history; empty where only the day of recording is known. */
export async function endWords({ ownerId }: Scope, { to, endedOn }: Pick<Move, "to" | "endedOn">): Promise<string> {
  if (endedOn === "") return "";
  return `; ${whatEnded(to)} ended on ${(await practiceDates(ownerId)).calendarDay(endedOn)}`;
}

export function endOf({ ending, outcome, concludedOn }: CaseDoc, move: Move, today: string): End {
  if (move.to === "closed") return { ending, outcome, concludedOn };
  return {
    ending: move.ending,
    outcome: outcomesOf(move.to).length > 0 ? move.outcome : null,
    concludedOn: endsOnDay(move.to) ? move.endedOn || today : "",
  };
}

/** The code of an outcome went with what the case was about: where that is another since the end, the code is said anew. */
export async function askAnew(
  scope: Scope,
  draft: CaseDoc,
  before: Pick<CaseDoc, "domain" | "issueScope">,
): Promise<void> {
  const hadCode = await clearCode(scope, draft, "What the case is about has changed");
  // One that was not said, though it could have been, was asked for then.
  if (!hadCode && isPaidFor(await subjectOf(scope, before))) return;
  const why = `What case ${draft.caseRef} is about has changed`;
  await askForCode(scope, draft, { why, behind: await sessionsBehind(scope, draft) });
}

/** The code of an outcome goes with legal aid: it is cleared when nobody has any more, and asked for when somebody has. */
export async function followAid(scope: Scope, draft: CaseDoc, before: Parameters<typeof isAided>[0]): Promise<void> {
  if (!draft.outcome) return;
  const behind = await sessionsBehind(scope, draft);
  if (!isAided(draft.parties, behind.mediatedIds)) await clearCode(scope, draft, "Nobody has legal aid any more");
  else if (!isAided(before, behind.mediatedIds)) await askForCode(scope, draft, { why: paysNow(draft), behind });
}

const paysNow = ({ caseRef }: CaseDoc): string => `Legal aid pays for case ${caseRef} now`;

/** The same task where it turns out of a session of an ended case that somebody came to it who has legal aid. */
export async function followPresence(scope: Scope, theCase: CaseDoc): Promise<void> {
  await askForCode(scope, theCase, { why: paysNow(theCase), behind: await sessionsBehind(scope, theCase) });
}

/** Whether there was a code. */
async function clearCode(scope: Scope, draft: CaseDoc, why: string): Promise<boolean> {
  if (!draft.outcome || draft.outcome.laaCode === "") return false;
  draft.outcome = { ...draft.outcome, laaCode: "", laaReason: "" };
  await tellOfStep(scope, draft, { text: `${why}: the agency’s code of the outcome is cleared` });
  return true;
}

const CODE_OF_AGENCY = "the agency’s code of the outcome";

// Once the end is taken back, or says it, nobody is asked for the code: whoever records it again is asked then.
defineCaseFollower(async ({ ownerId }, { outcome: before }, { _id: caseId, outcome }) => {
  if (before?.laaCode === "" && outcome?.laaCode !== "") await callOff({ ownerId, caseId, abouts: [CODE_OF_AGENCY] });
});

/** Where legal aid pays, and the agency's code of the outcome is not said, whoever made it so is asked for it. */
async function askForCode(
  scope: Scope,
  draft: CaseDoc,
  { why, behind: { hasSession, mediatedIds } }: { why: string; behind: Awaited<ReturnType<typeof sessionsBehind>> },
): Promise<void> {
  if (draft.outcome?.laaCode !== "") return;
  if (!isAided(draft.parties, mediatedIds)) return;
  if (!takesLegalAidCode(draft.outcome.code, { ...(await subjectOf(scope, draft)), hasSession })) return;
  const title = `${why}: take its end back, and record it again with the agency’s code`;
  await createMissingTasks(scope, [
    { title, dueOn: null, assigneeId: scope.userId, caseId: draft._id, clientId: null, about: CODE_OF_AGENCY },
  ]);
}
