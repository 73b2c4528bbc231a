// Once all have signed each party is told, by a letter with the link that they signed by; whoever may not be mailed is told
// by a colleague.
import { cutText } from "@app/shared/cut-text";
import { richTextOf } from "@app/shared/rich-text";
import { SIGNED_OPEN_DAYS } from "@app/shared/signatures";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { mayPartyRead } from "@app/shared/visibility";
import { publicUrl } from "../../core/settings.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { fileToSend } from "../files/file-content.service.ts";
import { readableOf } from "../files/party-files.service.ts";
import { defineLeavingLetter } from "../outbox/leaving-letters.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { changeSignature, type Draft } from "./changed-signatures.ts";
import { hasLeft } from "./open-signings.ts";
import { isParty, type PartySigner, type SignatureDoc, SignatureModel, tokenFor } from "./signatures.model.ts";
import { mailSigner } from "./signer-letters.ts";

const isUntold = ({ isSealTold }: PartySigner): boolean => isSealTold === false;

/** Each party of a sealed document, once. */
export async function tellSealed({ ownerId, _id, signers }: SignatureDoc): Promise<void> {
  for (const { partyId } of signers.filter(isParty).filter(isUntold))
    await changeSignature({ ownerId, _id }, async (draft) => {
      const signer = draft.signers.filter(isParty).find((one) => one.partyId === partyId);
      if (!signer || !isUntold(signer) || !draft.sealedFileId) return null;
      signer.isSealTold = true;
      // Whoever left, or whose link ended, is not reached by it.
      if (signer.isLinkOver || (await hasLeft({ doc: draft, signer }))) return draft;
      if (!(await mayReadSealed(draft, signer))) {
        await askColleague(draft, signer, "it names people of whom they have not been told, so tell them first");
        return draft;
      }
      const { mailId, whyNot } = await mailSigner(draft, signer, letterTo);
      if (whyNot) await askColleague(draft, signer, whyNot);
      else signer.sealedMailId = mailId;
      return draft;
    });
}

async function mayReadSealed({ ownerId, caseId, sealedFileId }: Draft, { partyId }: PartySigner): Promise<boolean> {
  const file = await fileToSend(ownerId, sealedFileId ?? "");
  const { parties } = await getCase(systemScope(ownerId), caseId);
  const party = parties.find((one) => one.partyId === partyId);
  // A file that was removed since is reached by nobody, and nothing keeps its letter back.
  return !file || (party !== undefined && mayPartyRead(readableOf(file), party));
}

async function letterTo(
  draft: Draft,
  { partyId, clientId }: PartySigner,
  { displayName, email }: { displayName: string; email: string },
): ReturnType<Parameters<typeof mailSigner>[2]> {
  const words = [
    "Everyone has now signed the document. You can download it by this link:",
    `${publicUrl()}/sign/${tokenFor(draft, partyId)}`,
    `It works for ${SIGNED_OPEN_DAYS} days. Keep a copy of the document, and please do not pass the link on.`,
  ];
  return {
    clientId,
    caseId: draft.caseId,
    to: [{ name: displayName.slice(0, 100), address: email }],
    cc: [],
    subject: "The document that you signed",
    body: richTextOf(words.join("\n")),
    fileIds: [],
    meetingId: null,
    inReplyTo: "",
    references: [],
    kept: null,
    sendAt: null,
  };
}

defineLeavingLetter(async ({ ownerId, mailId }) => {
  const doc = await SignatureModel.findOne({ ownerId, "signers.sealedMailId": mailId }).lean<SignatureDoc>();
  const signer = doc?.signers.find((one) => one.sealedMailId === mailId);
  return signer?.isLinkOver ? { stays: "failed", reason: "The link in this mail ended before it left." } : null;
});

async function askColleague(draft: Draft, { name, clientId }: PartySigner, whyNot: string): Promise<void> {
  const title = cutText(`Give ${name} the signed “${draft.fileName}”: ${whyNot}`, TASK_TITLE_MAX_LENGTH);
  const { ownerId, caseId, createdBy } = draft;
  const dueOn = await practiceToday(ownerId);
  await createTasks(systemScope(ownerId), [{ title, dueOn, assigneeId: createdBy, caseId, clientId }]);
}
