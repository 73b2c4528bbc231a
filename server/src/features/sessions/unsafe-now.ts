// Somebody is found not safe while a session of theirs is under way: whoever holds it ends it, or screens them again.
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { defineSafetyFollower } from "../screenings/screening-followers.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { defineSessionFollower } from "./session-followers.service.ts";
import { type SessionDoc, SessionModel } from "./sessions.model.ts";

const aboutOf = (sessionId: string): string => `unsafe ${sessionId}`;

const underWay = ({ ownerId }: Scope, caseId: string): Promise<SessionDoc[]> =>
  SessionModel.find({ ownerId, caseId, status: "in_progress" }).lean();

defineSafetyFollower(async (scope, { caseId, partyId, isUnsafe }) => {
  if (!isUnsafe) return;
  const running = (await underWay(scope, caseId)).filter(({ partyIds }) => partyIds.includes(partyId));
  if (running.length === 0) return;
  const { parties } = await getCase(scope, caseId);
  const clientId = parties.find((party) => party.partyId === partyId)?.clientId ?? null;
  const dueOn = await practiceToday(scope.ownerId);
  await createMissingTasks(
    scope,
    running.map(({ _id, number, mediatorIds: [assigneeId = scope.userId] }) => ({
      title: `Safety: end session ${number}, which is under way, and look at what was found`,
      caseId,
      clientId,
      dueOn,
      assigneeId,
      needs: "screening.read",
      about: aboutOf(_id),
    })),
  );
});

defineSessionFollower(async ({ ownerId }, before, { _id, caseId, status }) => {
  if (before.status === "in_progress" && status !== "in_progress")
    await callOff({ ownerId, caseId, abouts: [aboutOf(_id)] });
});
