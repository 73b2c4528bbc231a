// A signer's link that was shown to a colleague ends once they may not read the document any more: they would read it, and
// could sign in somebody's name, without being signed in. Asked at each look.
import { can } from "@app/shared/access";
import { cutText } from "@app/shared/cut-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { isNotFound } from "../../core/errors.ts";
import { systemScope } from "../../core/system-scope.ts";
import { rightsNow } from "../access/standing.service.ts";
import { keptFile } from "../files/files.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { changeSignature } from "./changed-signatures.ts";
import type { SignatureDoc, SignerDoc } from "./signatures.model.ts";

/** Whether it leads on; where it does not any more, the owner is asked to reach its signer in another way. */
export async function leadsOn(doc: SignatureDoc, signer: SignerDoc): Promise<boolean> {
  if (signer.isLinkOver) return false;
  for (const userId of signer.shownTo ?? []) if (!(await mayHaveIt(doc, userId))) return endLink(doc, signer);
  return true;
}

/** Whether somebody of the practice may read the document as things stand now. */
export async function mayHaveIt(
  { ownerId, fileId }: Pick<SignatureDoc, "ownerId" | "fileId">,
  userId: string,
): Promise<boolean> {
  if (userId === ownerId) return true;
  const person = await rightsNow({ ownerId, userId });
  if (!person || !can(person, "clients.read")) return false;
  try {
    await keptFile(person, fileId);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}

async function endLink(doc: SignatureDoc, { partyId }: SignerDoc): Promise<false> {
  await changeSignature(doc, async (draft) => {
    const signer = draft.signers.find((one) => one.partyId === partyId);
    if (!signer || signer.isLinkOver) return null;
    signer.isLinkOver = true;
    draft.note(`The link of ${signer.name} ended: somebody to whom it was shown may not read the document any more`);
    const next = signer.signedAt ? "Give them what they signed in another way" : "Withdraw it, and send it out anew";
    const title = `The link of ${signer.name} to “${draft.fileName}” ended, as a colleague had it. ${next}`;
    const { ownerId, caseId } = draft;
    const dueOn = await practiceToday(ownerId);
    const of = { dueOn, assigneeId: ownerId, caseId, clientId: signer.clientId };
    await createTasks(systemScope(ownerId), [{ title: cutText(title, TASK_TITLE_MAX_LENGTH), ...of }]);
    return draft;
  });
  return false;
}
