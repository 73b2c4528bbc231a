// A mediator who is to sign is asked by a task of theirs, which ends when they signed or need not any more.
import { cutText } from "@app/shared/cut-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { systemScope } from "../../core/system-scope.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { endTasksWith, isTaskOpenWith } from "../tasks/follow-up-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { isParty, type SignatureDoc, type SignerDoc } from "./signatures.model.ts";

const taskOf = ({ _id }: Pick<SignatureDoc, "_id">, userId: string): string => `signature:${_id}:${userId}`;

/** Call it in the transaction that notes that they were asked. */
export async function askMediator(doc: SignatureDoc, userId: string): Promise<void> {
  const { ownerId, caseId, fileName, signers } = doc;
  const scope = systemScope(ownerId);
  const endsWith = taskOf(doc, userId);
  if (await isTaskOpenWith(scope, endsWith)) return;
  const title = cutText(`Read and sign “${fileName}”, under Files`, TASK_TITLE_MAX_LENGTH);
  const clientId = signers.find(isParty)?.clientId ?? null;
  const dueOn = await practiceToday(ownerId);
  await createTasks(scope, [{ title, dueOn, assigneeId: userId, caseId, clientId, endsWith }]);
}

/** These need not sign it any more, or did. */
export async function endAsking(doc: SignatureDoc, signers: readonly SignerDoc[] = doc.signers): Promise<void> {
  for (const { userId } of signers) if (userId) await endTasksWith(systemScope(doc.ownerId), taskOf(doc, userId));
}
