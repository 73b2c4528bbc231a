// The end of a case says what its sessions found. Where one of them is written up or corrected after that, and says otherwise,
// whoever did it is asked to look again.
import { isAided } from "@app/shared/aided";
import { againstSession, contradictionsIn, type Outcome } from "@app/shared/case-outcomes";
import { wasThere } from "@app/shared/session-states";
import type { Scope } from "../../core/trpc.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { defineSessionFollower } from "../sessions/session-followers.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { followPresence, lastOf, sessionsOfRound, subjectOf } from "./case-endings.ts";
import { whyNotHeld } from "./held-agreements.ts";

type Found = Parameters<Parameters<typeof defineSessionFollower>[0]>[1];

defineSessionFollower(async (scope, before, after) => {
  if (foundIn(before) === foundIn(after)) return;
  const theCase = await findCaseDoc(scope, after.caseId);
  if (!theCase.outcome) return;
  await followPresence(scope, theCase);
  if (!(await isOtherwise(scope, theCase, theCase.outcome))) return endAsked(theCase);
  const title = `Look again at how case ${theCase.caseRef} ended: its sessions say otherwise since session ${after.number} was changed. Take the end back and record it again, or say in a note why it stands`;
  await createTasks(scope, [
    { title, dueOn: null, assigneeId: scope.userId, caseId: theCase._id, clientId: null, about: END_AGAIN },
  ]);
});

const END_AGAIN = "how its case ended";

const endAsked = ({ ownerId, _id: caseId }: Pick<CaseDoc, "ownerId" | "_id">): Promise<void> =>
  callOff({ ownerId, caseId, abouts: [END_AGAIN] });

// The end was taken back: whoever records it again is told then what its sessions say.
defineCaseFollower(async (_scope, { outcome: before }, after) => {
  if (before && !after.outcome) await endAsked(after);
});

/** What the end of a case rests on: that it was held and when, who came of those who were asked, and what was found. */
function foundIn({ status, startedAt, attendance, outcome }: Found): string {
  const came = attendance.filter(wasThere).map(({ partyId }) => partyId);
  const isHeld = status === "ended" || status === "locked";
  return JSON.stringify([isHeld, startedAt, came.toSorted(), attendance.length, outcome?.code]);
}

async function isOtherwise(scope: Scope, theCase: CaseDoc, outcome: Outcome): Promise<boolean> {
  const { ending, concludedOn } = theCase;
  const sessions = await sessionsOfRound(scope, theCase);
  const cameIds = sessions.flatMap(({ parties }) => parties.map(({ partyId }) => partyId));
  return (
    (outcome.laaCode !== "" && !isAided(theCase.parties, cameIds)) ||
    (ending === "opened_in_error" && sessions.length > 0) ||
    (concludedOn !== "" && sessions.some(({ heldOn }) => heldOn > concludedOn)) ||
    (await whyNotHeld(scope, theCase, outcome, sessions)) !== null ||
    againstSession(outcome.code, lastOf(sessions)) !== null ||
    Object.keys(contradictionsIn(outcome, { ...(await subjectOf(scope, theCase)), hasSession: sessions.length > 0 }))
      .length > 0
  );
}
