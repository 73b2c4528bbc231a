// What was written of a session tells of it also once it is struck: whoever strikes it is asked to look at each of those.
import { cutText } from "@app/shared/cut-text";
import { linesOf } from "@app/shared/document-walk";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { practiceToday } from "../practices/practices.service.ts";
import { defineSessionFollower } from "../sessions/session-followers.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { isOfSessions } from "./document-access.ts";
import { defineDocumentFollower } from "./document-followers.service.ts";
import { type DocumentDoc, DocumentModel } from "./documents.model.ts";
import { sessionsSaid } from "./said-sessions.ts";

type Struck = Parameters<Parameters<typeof defineSessionFollower>[0]>[2];

const aboutOf = ({ _id }: Pick<DocumentDoc, "_id">): string => `struck session in document ${_id}`;

defineSessionFollower(async (scope, before, after) => {
  if (before.status === "struck" || after.status !== "struck") return;
  const { ownerId, userId: assigneeId } = scope;
  const { caseId, number } = after;
  const docs = await DocumentModel.find({ ownerId, caseId, deletedAt: null }).lean();
  const dueOn = await practiceToday(ownerId);
  const tasks = docs
    .filter((doc) => tellsOf(doc, after))
    .map((doc) => ({
      title: cutText(titleOf(doc, number), TASK_TITLE_MAX_LENGTH),
      dueOn,
      assigneeId,
      caseId,
      clientId: null,
      about: aboutOf(doc),
    }));
  await createMissingTasks(scope, tasks);
});

defineDocumentFollower((scope, _before, after) =>
  after.deletedAt === null
    ? Promise.resolve()
    : callOff({ ownerId: scope.ownerId, caseId: after.caseId, abouts: [aboutOf(after)] }),
);

const titleOf = ({ name, status }: DocumentDoc, number: number): string =>
  status === "finished"
    ? `Session ${number} was struck, and “${name}” tells of it. Remove it under Documents, so that nobody outside reads it any more`
    : `Session ${number} was struck, and the draft “${name}” tells of it. Put it right, or remove it under Documents`;

/** Its proposals are words of it wherever they stand; the rest goes by what was written since it began. */
function tellsOf({ kind, content, savedAt }: DocumentDoc, { proposals, startedAt }: Struck): boolean {
  const words = linesOf(content).join("\n");
  if (proposals.some(({ text }) => text !== "" && words.includes(text))) return true;
  if (startedAt === null || savedAt < startedAt) return false;
  return isOfSessions(kind) || sessionsSaid(content).length > 0;
}
