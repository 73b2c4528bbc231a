// A review raised a concern about somebody: they are to be screened again, until they were.
import type { Party } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { isAnswered } from "./found-elsewhere.service.ts";
import { latestConcerns } from "./safety-reviews.service.ts";
import { ScreeningModel } from "./screenings.model.ts";

interface Place {
  caseId: string;
  partyId: string;
}

/** Whether a review of this case raised a concern about this party that no screening has answered since. */
export async function hasOpenConcern(scope: Scope, { caseId, partyId }: Place): Promise<boolean> {
  const { ownerId } = scope;
  const concern = (await latestConcerns(scope, caseId)).get(partyId);
  if (!concern) return false;
  const latest = await ScreeningModel.findOne({ ownerId, caseId, partyId, status: "completed" }).lean();
  return !isAnswered(concern, latest ?? undefined, await practiceTimeZone(ownerId));
}

const aboutOf = (partyId: string): string => `screen again ${partyId}`;

/** Whoever hears of it is asked to screen them, once. */
export async function askToScreenAgain(
  scope: Scope,
  { caseId, party }: { caseId: string; party: Pick<Party, "partyId" | "clientId" | "name"> },
): Promise<void> {
  const { partyId, clientId, name } = party;
  const dueOn = await practiceToday(scope.ownerId);
  const task = { caseId, clientId, dueOn, assigneeId: scope.userId, needs: "screening.read" } as const;
  await createMissingTasks(scope, [{ ...task, title: `Safety: screen ${name} again`, about: aboutOf(partyId) }]);
}

/** In the transaction in which one is recorded, or confirmed: what it answers is not asked any more. */
export async function endScreeningAgain(scope: Scope, place: Place): Promise<void> {
  if (await hasOpenConcern(scope, place)) return;
  await callOff({ ownerId: scope.ownerId, caseId: place.caseId, abouts: [aboutOf(place.partyId)] });
}

/** What a task is about that asks what follows from this screening. */
export const followingOf = (screeningId: string): string => `follows from ${screeningId}`;
