import { cutText } from "@app/shared/cut-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { practiceToday } from "../practices/practices.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { scopeOf } from "./open-links.service.ts";

interface Asked {
  ownerId: string;
  assigneeId: string;
  caseId: string | null;
  clientId: string | null;
}

/** What somebody outside cannot do by their link: a colleague looks at it today, and is asked once until it is done. */
export async function askStaff({ ownerId, ...about }: Asked, words: string): Promise<void> {
  const task = { title: cutText(words, TASK_TITLE_MAX_LENGTH), dueOn: await practiceToday(ownerId), ...about };
  await createMissingTasks(scopeOf({ ownerId }), [task]);
}
