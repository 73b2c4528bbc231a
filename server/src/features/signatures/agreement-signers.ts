// Who may sign the agreement to mediate now: it is signed by those who were met and found suitable, and is sent out as what it is.
import { hasSigned, partyStatusName } from "@app/shared/case-states";
import { partyWays } from "@app/shared/case-transitions";
import type { Case, Party } from "@app/shared/cases";
import { type Confidences, confidencesName } from "@app/shared/confidences";
import type { CreateSignature } from "@app/shared/signatures";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { confidencesOfFile, documentsOfFiles } from "../documents/document-files.service.ts";
import type { readableFile } from "../files/files.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";

type FileDoc = Awaited<ReturnType<typeof readableFile>>;

interface Agreeing {
  file: FileDoc;
  signing: readonly Party[];
  chosen: CreateSignature["confidences"];
}

/** BAD_REQUEST where this is no agreement to mediate, somebody may not sign it now, or it says other than what was chosen. */
export async function assertAgreement(scope: Scope, theCase: Case, { file, signing, chosen }: Agreeing): Promise<void> {
  await assertIsAgreement(scope, file);
  assertMayAgree(theCase, signing, chosen);
  await assertMaySign(scope, theCase, signing);
  assertSaysSo(await confidencesOfFile(scope, file._id), chosen ?? theCase.confidences);
}

/** BAD_REQUEST where this is the agreement to mediate, unless all who sign it had signed it before. */
export async function assertNoAgreement(scope: Scope, file: FileDoc, signing: readonly Party[]): Promise<void> {
  if ((await documentOf(scope, file))?.kind !== "agreement_to_mediate" || signing.every(hasSigned)) return;
  throw badField(
    "isAgreement",
    "This is the agreement to mediate. Say so here, so that the case knows who has signed it.",
  );
}

async function documentOf(scope: Scope, { _id, caseId }: FileDoc) {
  return caseId ? (await documentsOfFiles(scope, caseId)).get(_id) : undefined;
}

/** Nobody signs before they were met, and found suitable: the step that their signature is could not be taken. */
async function assertMaySign(scope: Scope, theCase: Case, parties: readonly Party[]): Promise<void> {
  const early = parties.find((party) => !partyWays(theCase.domain, party).includes("agreement_signed"));
  if (!early) return;
  const region = await practiceRegion(scope.ownerId);
  throw badField(
    "signers",
    `${early.label} cannot sign the agreement to mediate yet: they are recorded as “${partyStatusName({ ...theCase, region }, early.status)}”. It is signed once the mediator has met them and found mediation suitable.`,
  );
}

/** BAD_REQUEST for what is known to be something else, such as a memorandum, which binds nobody. */
async function assertIsAgreement(scope: Scope, file: FileDoc): Promise<void> {
  const { mark } = file;
  const document = await documentOf(scope, file);
  const isOther = document
    ? document.kind !== "agreement_to_mediate"
    : mark.isFinancial || mark.privilege === "without_prejudice";
  if (isOther)
    throw badField("isAgreement", "This is another document, and no agreement to mediate. Send it as what it is.");
  if (document && (document.isRemoved || document.isSuperseded))
    throw badField("fileId", "A newer agreement took the place of this one, or it was removed. Send the newer one.");
}

function assertMayAgree(theCase: Case, parties: readonly Party[], confidences: Agreeing["chosen"]): void {
  const signed = parties.find(hasSigned);
  if (signed)
    throw badField(
      "isAgreement",
      `${signed.label} signed the agreement to mediate already. Leave them out, send it as another document, or correct that step of the case first.`,
    );
  if (theCase.confidences === null && confidences === null)
    throw badField("confidences", "Choose what the agreement says of confidences.");
  if (theCase.confidences !== null && confidences !== null && confidences !== theCase.confidences)
    throw badField("confidences", "The agreement that was signed before says something else.");
}

/** Who signs it signs what it says, and that is what then holds in the case. */
function assertSaysSo(said: Confidences | null, chosen: Confidences | null): void {
  if (said !== null && chosen !== null && said !== chosen)
    throw badField(
      "confidences",
      `The document says of confidences: ${confidencesName(said).toLowerCase()}. Choose what it says, or write another agreement.`,
    );
}
