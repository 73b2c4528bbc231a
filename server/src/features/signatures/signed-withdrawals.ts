// What was withdrawn after somebody signed it stays a step of the case, until a person says what became of that.
import { cutText } from "@app/shared/cut-text";
import { inWords } from "@app/shared/in-words";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import type { Scope } from "../../core/trpc.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { isParty, type SignatureDoc } from "./signatures.model.ts";

/** In the transaction that withdraws it: whoever does so is asked about the step of each who had signed. */
export async function askAboutSteps(scope: Scope, doc: SignatureDoc): Promise<void> {
  if (!doc.isAgreement) return;
  const signed = doc.signers.filter(isParty).filter(({ signedAt }) => signedAt !== null);
  const [first] = signed;
  if (!first) return;
  const title = cutText(
    `${inWords(signed.map(({ name }) => name))} had signed the agreement that was withdrawn, and may count as “Agreement signed” in the case. Correct that step there, or leave it`,
    TASK_TITLE_MAX_LENGTH,
  );
  const { caseId } = doc;
  const dueOn = await practiceToday(scope.ownerId);
  await createTasks(scope, [{ title, dueOn, assigneeId: scope.userId, caseId, clientId: first.clientId }]);
}
