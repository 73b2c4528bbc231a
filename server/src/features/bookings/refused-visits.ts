// Whoever opened a personal link and was refused by a rule of staff is told nothing of it, so a colleague is.
import { isForVisitors } from "../../core/visitor-refusals.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";
import { scopeOf } from "./open-links.service.ts";

export async function tellingStaff<Result>(link: BookingLinkDoc, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (link.caseId && !isForVisitors(error)) await askStaff(link, link.caseId);
    throw error;
  }
}

async function askStaff({ ownerId, clientId, mediatorIds, name }: BookingLinkDoc, caseId: string): Promise<void> {
  const title = `By the link “${name}” no time could be taken as the case stands. Look at it, and get in touch`;
  const [assigneeId = ownerId] = mediatorIds;
  const dueOn = await practiceToday(ownerId);
  await createMissingTasks(scopeOf({ ownerId }), [{ title, dueOn, assigneeId, caseId, clientId }]);
}
