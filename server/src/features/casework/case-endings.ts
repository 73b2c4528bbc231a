// How mediation ends: what is said of its outcome goes with what is recorded of it.
import { missingSignatures, OR_THEY_LEAVE } from "@app/shared/agreement-gates";
import {
  againstSession,
  contradictionsIn,
  isAgreement,
  type LastSession,
  type Outcome,
  outcomesOf,
  takesLegalAidCode,
} from "@app/shared/case-outcomes";
import { CASE_STATUS_NAMES, countSides, ENDED_EARLY } from "@app/shared/case-states";
import type { moveCaseSchema } from "@app/shared/cases";
import type { z } from "zod";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, End } from "../cases/case-parties.service.ts";
import { NOT_ENDED } from "../cases/case-steps.service.ts";
import { jointSessions } from "../sessions/session-facts.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";

type Move = z.output<typeof moveCaseSchema>;
type OfCase = Pick<CaseDoc, "_id" | "parties" | "issueScope">;

/** BAD_REQUEST where an end does not say how it came about, or says what the records of the case do not. */
export async function assertEnding(scope: Scope, theCase: OfCase, move: Move): Promise<void> {
  const { to, ending, outcome, reason } = move;
  if (ENDED_EARLY.includes(to) && !ending) throw badField("ending", "Choose why it ends.");
  if (!ENDED_EARLY.includes(to) && ending)
    throw badField("ending", "Why it ends is said of a case that ends before its conclusion.");
  const codes = outcomesOf(to);
  if (codes.length === 0) {
    if (outcome) throw badField("outcome", "An outcome is recorded where mediation ends.");
    return;
  }
  if (!outcome) throw badField("outcome", "Record the outcome before you end the case.");
  if (!codes.includes(outcome.code))
    throw badField("code", `This is no outcome of a case in “${CASE_STATUS_NAMES[to]}”. Conclude it instead.`);
  assertOfOnePiece(theCase, outcome);
  const sessions = await jointSessions(scope, theCase._id, theCase.parties);
  assertHeld(theCase, outcome, sessions);
  const against = againstSession(outcome.code, lastOf(sessions));
  if (against !== null && reason === "") throw badField("reason", against);
}

export const isAided = ({ parties }: Pick<CaseDoc, "parties">): boolean =>
  parties.some(({ funding }) => funding.type === "legal_aid");

function assertOfOnePiece(theCase: OfCase, outcome: Outcome): void {
  if (isAided(theCase) && takesLegalAidCode(outcome.code) && outcome.laaCode === "")
    throw badField("laaCode", "Choose the code for the Legal Aid Agency.");
  if (!isAided(theCase) && outcome.laaCode !== "")
    throw badField("laaCode", "No party has legal aid, so there is no code for the agency.");
  for (const [field, message] of Object.entries(contradictionsIn(outcome, theCase.issueScope)))
    throw badField(field, message);
  const known = new Set(theCase.parties.map(({ partyId }) => partyId));
  if (!outcome.documents.every(({ partyIds }) => partyIds.every((partyId) => known.has(partyId))))
    throw badField("documents", "Choose parties of this case.");
}

type JointSession = Awaited<ReturnType<typeof jointSessions<CaseDoc["parties"][number]>>>[number];

const lastOf = ([last]: JointSession[]): LastSession | null =>
  last && last.code !== null ? { number: last.number, code: last.code } : null;

export const lastSessionOf = async (scope: Scope, theCase: Pick<CaseDoc, "_id" | "parties">) =>
  lastOf(await jointSessions(scope, theCase._id, theCase.parties));

/** What is agreed in mediation is agreed in a session of two sides, among people who signed and are safe there. */
function assertHeld({ parties }: OfCase, { code }: Outcome, sessions: JointSession[]): void {
  if (code === "settled_before" && sessions.length > 0)
    throw badField("code", "A session of two sides was held, so it was not settled before one.");
  if (!isAgreement(code)) return;
  const unsigned = missingSignatures(parties);
  if (unsigned.length > 0) throw badField("code", [...unsigned, OR_THEY_LEAVE].join(" "));
  const locked = sessions.filter(({ isLocked }) => isLocked);
  if (locked.length === 0)
    throw badField(
      "code",
      "Nothing is agreed in mediation without a session of two sides that was held and locked. Lock it, or choose another outcome.",
    );
  const isSafe = ({ status }: CaseDoc["parties"][number]) => status !== "not_suitable";
  if (!locked.some((session) => countSides(session.parties.filter(isSafe)) > 1))
    throw badField(
      "code",
      "Nobody agrees in mediation with somebody who is not suitable for it. Choose another outcome.",
    );
}

export function endOf({ ending, outcome, concludedOn }: CaseDoc, move: Move, day: string): End {
  if (move.to === "closed") return { ending, outcome, concludedOn };
  const isMediated = outcomesOf(move.to).length > 0;
  return {
    ...NOT_ENDED,
    ending: move.ending,
    ...(isMediated ? { outcome: move.outcome, concludedOn: day } : {}),
  };
}

/** Where legal aid pays only since the end, the agency's code of the outcome is still to be said. */
export async function askForCode(scope: Scope, draft: CaseDoc): Promise<void> {
  if (!isAided(draft) || draft.outcome?.laaCode !== "" || !takesLegalAidCode(draft.outcome.code)) return;
  const title = `Legal aid pays for case ${draft.caseRef} now: take its end back, and record it again with the agency’s code`;
  await createTasks(scope, [{ title, dueOn: null, assigneeId: scope.userId, caseId: draft._id, clientId: null }]);
}
