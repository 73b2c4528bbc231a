// Documents that are sent out to be signed, and what their signers do by their links.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { hashToken } from "@app/server/core/crypto";
import { newId, newToken } from "@app/server/core/ids";
import { FileModel } from "@app/server/features/files/files.model";
import { sealTokens, SignatureModel } from "@app/server/features/signatures/signatures.model";
import { storeFile } from "@app/server/features/files/files.service";
import type { Case } from "@app/shared/cases";
import type { CreateSignature } from "@app/shared/signatures";
import { SHARED, type Visibility } from "@app/shared/visibility";
import { jsPDF } from "jspdf";
import { mailsOf } from "./booked.ts";
import { aCase, scopeOf, type TestPerson, type TestPractice } from "./people.ts";

export function aPdf(text = "We agree to mediate"): Buffer {
  const pdf = new jsPDF();
  pdf.text(text, 20, 20).addPage().text("The second page", 20, 20);
  return Buffer.from(pdf.output("arraybuffer"));
}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A case of two who were found suitable, know of each other, and have only to sign. */
export async function aReadyCase(practice: TestPractice) {
  const { theCase, p1, p2 } = await aCase(practice);
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  const day = "2026-01-05";
  const days = { respondedOn: day, intakeDoneOn: day, miamOn: day, assessedOn: day, consentedOn: day };
  const each = Object.fromEntries(Object.entries(days).map(([name, value]) => [`parties.$[].${name}`, value]));
  await CaseModel.updateOne(
    { _id: theCase.id, ownerId: practice.ownerId },
    {
      $set: {
        ...each,
        status: "ready",
        "parties.$[].status": "suitable",
        "parties.0.contactAgreement.isNamed": true,
      },
    },
  );
  return { theCase: await practice.api.cases.get.query({ id: theCase.id }), p1, p2 };
}

export const storePdf = (
  { ownerId }: Pick<TestPractice, "ownerId">,
  theCase: Pick<Case, "id">,
  {
    bytes = aPdf(newId()),
    visibility = SHARED,
    name = "Agreement.pdf",
  }: { bytes?: Buffer; visibility?: Visibility; name?: string } = {},
) =>
  storeFile(scopeOf(ownerId), Readable.from([bytes]), {
    clientId: null,
    caseId: theCase.id,
    name,
    visibility,
  });

/** Each of these parties, to sign. */
export const parties = (ids: readonly string[]): CreateSignature["signers"] => ids.map((id) => ({ kind: "party", id }));

/** Sends it out, and gives what everybody was sent. */
export async function sendOut(
  practice: TestPractice,
  fileId: string,
  partyIds: string[],
  more: Partial<CreateSignature> = {},
  id = newId(),
) {
  const input = {
    fileId,
    signers: parties(partyIds),
    isInOrder: false,
    isCodeAsked: false,
    isAgreement: false,
    confidences: null,
    days: 14 as const,
    words: "",
  };
  return practice.api.signatures.create.mutate({ id, ...input, ...more });
}

/** By the letters that left so far, by party id. */
export async function linksOf({ ownerId }: Pick<TestPractice, "ownerId">): Promise<Record<string, string>> {
  const links: Record<string, string> = {};
  for (const { text, partyId } of await mailsOf(ownerId)) {
    const [, token] = /\/sign\/([\w-]+)/.exec(text) ?? [];
    if (token && partyId) links[partyId] = token;
  }
  return links;
}

export async function signAs(visitor: Pick<TestPerson, "api">, token: string, name = "Priya Nair") {
  const { documentHash } = await visitor.api.signatures.signing.open.mutate({ token });
  return visitor.api.signatures.signing.sign.mutate({
    token,
    documentHash,
    mark: { name, strokes: [] },
    hasSeenAll: true,
    agrees: true,
  });
}

interface Sent {
  caseId: string;
  file: { _id: string; name: string; blobId: string; sizeBytes: number; visibility: Visibility };
  signers: { partyId: string; clientId: string }[];
}

/** As it stands when it was sent out to these, whether they may read it or not; each was told of it by a colleague. */
export async function storeSignature(ownerId: string, { caseId, file, signers }: Sent): Promise<string> {
  const _id = newId();
  const at = new Date();
  const tokens = signers.map(() => newToken());
  const { blobId, sizeBytes, visibility } = file;
  await SignatureModel.create([
    {
      _id,
      ownerId,
      caseId,
      fileId: file._id,
      fileName: file.name,
      content: { blobId, sizeBytes, hash: "0".repeat(64), visibility },
      status: "sent",
      isInOrder: false,
      isAgreement: false,
      signers: signers.map((signer, index) => ({
        ...signer,
        name: "Somebody",
        tokenHash: hashToken(tokens[index] ?? ""),
        dueAt: new Date(at.getTime() + 86_400_000),
        task: "told",
      })),
      tokensEnc: sealTokens(
        ownerId,
        _id,
        Object.fromEntries(signers.map(({ partyId }, index) => [partyId, tokens[index] ?? ""])),
      ),
      createdBy: ownerId,
      createdByName: "Somebody",
      createdAt: at,
    },
  ]);
  return _id;
}

/** The same of a file of this name that all may read. */
export async function aStoredSignature(ownerId: string, theCase: Case, name: string): Promise<string> {
  const { id } = await storePdf({ ownerId }, theCase, { name: `${name}.pdf` });
  const file = await FileModel.findOne({ ownerId, _id: id }).orFail().lean();
  return storeSignature(ownerId, { caseId: theCase.id, signers: theCase.parties, file });
}
