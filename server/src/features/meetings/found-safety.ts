// A screening or a review finds something after a meeting was booked: whoever mediates looks at that meeting.
import { isTakingPart } from "@app/shared/case-states";
import { cutText } from "@app/shared/cut-text";
import { unkeptMeasures, whoMeets } from "@app/shared/meeting-safety";
import { MEASURE_NAMES } from "@app/shared/screenings";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { unsafeCases } from "../screenings/open-concerns.service.ts";
import { defineSafetyFollower, type Found } from "../screenings/screening-followers.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { toDoAbout } from "./meeting-tasks.ts";
import { meetingsToCome } from "./meetings-to-come.ts";

async function askToLook(scope: Scope, { caseId, partyId, measures, isUnsafe }: Found): Promise<void> {
  const { parties } = await findCaseDoc(scope, caseId);
  if (!isUnsafe) await callOffSafe(scope, caseId, parties);
  if (measures.length === 0 && !isUnsafe) return;
  const clientId = parties.find((party) => party.partyId === partyId)?.clientId ?? null;
  const takingPart = parties.filter(isTakingPart).map((party) => party.partyId);
  const { dateTime } = await practiceDates(scope.ownerId);
  const dueOn = isUnsafe ? await practiceToday(scope.ownerId) : null;
  const tasks = (await meetingsToCome(scope.ownerId, caseId)).flatMap((meeting) => {
    const partyIds = whoMeets(meeting, takingPart);
    if (partyIds.length < 2 || !partyIds.includes(partyId)) return [];
    const unkept = unkeptMeasures(measures, { ...meeting, partyIds });
    if (unkept.length === 0 && !isUnsafe) return [];
    const names = unkept.map((measure) => MEASURE_NAMES[measure].toLowerCase()).join(", ");
    const when = dateTime(meeting.startsAt);
    const title = isUnsafe
      ? `Safety: cancel the meeting of ${when}, or screen again before it`
      : `Safety: look at the meeting of ${when}: the screening asks for ${names}`;
    const [mediator = scope.userId] = meeting.mediatorIds;
    const needs = "screening.read" as const;
    const about = toDoAbout(isUnsafe ? "unsafe" : "unkept", meeting);
    const task = { caseId, clientId, dueOn, assigneeId: mediator, needs, about };
    return [{ ...task, title: cutText(title, TASK_TITLE_MAX_LENGTH) }];
  });
  await createMissingTasks(scope, tasks);
}

/** A meeting of which nobody is in danger any more stays as it was planned. */
async function callOffSafe({ ownerId }: Scope, caseId: string, parties: CaseDoc["parties"]): Promise<void> {
  const takingPart = parties.filter(isTakingPart).map((party) => party.partyId);
  for (const meeting of await meetingsToCome(ownerId, caseId)) {
    const ids = whoMeets(meeting, takingPart);
    const meets = parties.filter(({ partyId }) => ids.includes(partyId));
    if ((await unsafeCases(ownerId, [{ caseId, parties: meets }])).size > 0) continue;
    await callOff({ ownerId, caseId, abouts: [toDoAbout("unsafe", meeting)] });
  }
}

defineSafetyFollower(askToLook);
