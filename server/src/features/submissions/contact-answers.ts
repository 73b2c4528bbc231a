// What somebody answered of how they may be reached: a way that they say is not safe is not used from that moment, though
// their record changes only when somebody of the practice has looked.
import { cutText } from "@app/shared/cut-text";
import type { FormContent } from "@app/shared/form-content";
import { displayName } from "@app/shared/clients";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { systemScope } from "../../core/system-scope.ts";
import { getClient } from "../clients/clients.service.ts";

import { askToCheckContact } from "../clients/contact-checks.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { contactOf } from "../screenings/screenings.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { isTightened } from "./proposals.ts";
import type { SubmissionContent, SubmissionDoc } from "./submissions.model.ts";

/** Call it in the transaction by which the answers become this client's, and in that of each decision on them. */
export async function holdUnsafeContact(
  { ownerId, clientId, caseId }: Pick<SubmissionDoc, "ownerId" | "clientId" | "caseId">,
  { content, said, assigneeId }: { content: FormContent; said: SubmissionContent; assigneeId: string },
): Promise<void> {
  if (!clientId) return;
  const scope = systemScope(ownerId);
  const client = await getClient(scope, clientId);
  if (!isTightened({ content, said, client })) return;
  await askToCheckContact(scope, clientId);
  if (client.isContactUnchecked) return;
  await createTasks(scope, [
    {
      title: cutText(
        `Safety: enter how ${displayName(client)} may be reached safely, as they answered in a form`,
        TASK_TITLE_MAX_LENGTH,
      ),
      dueOn: await practiceToday(ownerId),
      assigneeId,
      caseId,
      clientId,
      endsWith: contactOf(clientId),
    },
  ]);
}
