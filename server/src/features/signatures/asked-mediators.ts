// A mediator who is to sign is asked by a task of theirs, and whoever may not be mailed by a task of a colleague. Both end
// when they signed or need not any more.
import { cutText } from "@app/shared/cut-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { systemScope } from "../../core/system-scope.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { endTasksWith, isTaskOpenWith } from "../tasks/follow-up-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { isParty, type PartySigner, type SignatureDoc, type SignerDoc } from "./signatures.model.ts";

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

const askingAbout = ({ _id }: Pick<SignatureDoc, "_id">, partyId: string): string => `asking ${partyId} to sign ${_id}`;

/** Gives the title of the task of whoever sent it out. Call it in the transaction that notes that they were asked. */
export async function askColleague(
  doc: SignatureDoc,
  { name, partyId, clientId }: PartySigner,
  whyNot: string,
): Promise<string> {
  const { ownerId, caseId, fileName, createdBy: assigneeId } = doc;
  const title = cutText(`Ask ${name} to sign “${fileName}”: ${whyNot}`, TASK_TITLE_MAX_LENGTH);
  const dueOn = await practiceToday(ownerId);
  const about = askingAbout(doc, partyId);
  await createTasks(systemScope(ownerId), [{ title, dueOn, assigneeId, caseId, clientId, about }]);
  return title;
}

/** These need not sign it any more, or did. */
export async function endAsking(doc: SignatureDoc, signers: readonly SignerDoc[] = doc.signers): Promise<void> {
  const { ownerId, caseId } = doc;
  for (const { userId } of signers) if (userId) await endTasksWith(systemScope(ownerId), taskOf(doc, userId));
  const abouts = signers.filter(isParty).map(({ partyId }) => askingAbout(doc, partyId));
  if (abouts.length > 0) await callOff({ ownerId, caseId, abouts });
}
