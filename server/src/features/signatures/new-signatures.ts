// A PDF of a case is sent out to be signed by parties who may read it, and by mediators of the case.
import { createHash } from "node:crypto";
import type { Case, Party } from "@app/shared/cases";
import {
  type CreateSignature,
  OPEN_STATUSES,
  type Signature,
  SIGNED_PDF_MAX_BYTES,
  type SignerChoice,
} from "@app/shared/signatures";
import { mayPartyRead } from "@app/shared/visibility";
import mongoose from "mongoose";
import { DAY_MS, now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, wrongState } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { newId, newToken } from "../../core/ids.ts";
import type { Keep } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { contentOfFile, fileToSend, fixMark } from "../files/file-content.service.ts";
import { readableFile } from "../files/files.service.ts";
import { readableOf } from "../files/party-files.service.ts";
import { colleagues } from "../users/users.service.ts";
import { assertAgreement, assertNoAgreement } from "./agreement-signers.ts";
import { assertToldOfSigners } from "./page-readers.ts";
import { checkPdf } from "./pdf-work.ts";
import { mayHaveIt } from "./shown-links.ts";
import { isParty, sealTokens, type SignatureDoc, SignatureModel, type SignerDoc } from "./signatures.model.ts";
import { getSignature, tellOf } from "./signatures.service.ts";
import { askSigners } from "./signer-letters.ts";
import { withLine } from "./trail.ts";
import { endAskingAboutRefused } from "./unsigned-agreements.ts";
import "./held-files.ts";
import "./removed-documents.ts";
import "./signature-contents.ts";

type FileDoc = Awaited<ReturnType<typeof readableFile>>;

const SIGNED_AT_ONCE_MAX = 50;

/** Sends a PDF of a case out to be signed by parties who may read it, and by mediators of the case. */
export async function createSignature(scope: Scope, input: CreateSignature, keep: Keep): Promise<Signature> {
  const file = await readableFile(scope, input.fileId);
  const theCase = await caseOf(scope, file);
  const chosen = await Promise.all(input.signers.map((choice) => chosenSigner(theCase, file, choice)));
  const signing = chosen.map(({ party }) => party).filter(isGiven);
  if (input.isAgreement) await assertAgreement(scope, theCase, { file, signing, chosen: input.confidences });
  else await assertNoAgreement(scope, file, signing);
  assertToldOfSigners(theCase, file.visibility, signing);
  const bytes = await contentOfFile(file);
  await checkPdf(ofPerson(scope), bytes);
  const doc = draftOf(scope, input, { file, theCase, chosen, hash: createHash("sha256").update(bytes).digest("hex") });
  doc.signers = await named(scope, doc.signers);
  await inTransaction(async () => {
    await keep(doc._id);
    await assertStillParties(
      scope.ownerId,
      theCase.id,
      signing.map(({ partyId }) => partyId),
    );
    const open = { ownerId: scope.ownerId, caseId: theCase.id, status: mongoose.trusted({ $in: [...OPEN_STATUSES] }) };
    if ((await SignatureModel.countDocuments(open)) >= SIGNED_AT_ONCE_MAX)
      throw wrongState(`${SIGNED_AT_ONCE_MAX} documents of this case wait for signatures already. Withdraw one first.`);
    await SignatureModel.create([doc]);
    if (doc.isAgreement) await endAskingAboutRefused(doc.ownerId, theCase.id);
    await fixMark(scope.ownerId, file._id);
    if (!(await fileToSend(scope.ownerId, file._id))) throw notFound("File");
    await tellOf(scope, doc, `Sent out to be signed: ${doc.fileName}`);
  });
  await askSigners(doc);
  return getSignature(scope, doc._id);
}

async function caseOf(scope: Scope, { caseId, mime, sizeBytes }: FileDoc): Promise<Case> {
  if (!caseId) throw badField("fileId", "Only a file of a case can be signed. Move it into the case first.");
  if (mime !== "application/pdf")
    throw badField("fileId", "Only a PDF can be signed. Save the document as a PDF first.");
  if (sizeBytes > SIGNED_PDF_MAX_BYTES)
    throw badField("fileId", `Only a PDF of at most ${SIGNED_PDF_MAX_BYTES / 1024 / 1024} MB can be signed.`);
  return getCase(scope, caseId);
}

interface Chosen {
  party: Party | null;
  /** A mediator of the case. */
  colleague: { userId: string; name: string } | null;
}

const isGiven = <Value>(value: Value | null): value is Value => value !== null;

async function chosenSigner(theCase: Case, file: FileDoc, { kind, id }: SignerChoice): Promise<Chosen> {
  return kind === "party"
    ? { party: signingParty(theCase, file, id), colleague: null }
    : { party: null, colleague: await signingMediator(theCase, file, id) };
}

function signingParty(theCase: Case, file: FileDoc, partyId: string): Party {
  const party = theCase.parties.find((one) => one.partyId === partyId);
  if (!party || party.leftAt !== null) throw badField("signers", "Choose people who take part in this case.");
  if (!mayPartyRead(readableOf(file), party))
    throw badField("signers", `${party.label} may not read this file. Let them read it first, under Files.`);
  return party;
}

async function signingMediator(theCase: Case, file: FileDoc, userId: string) {
  const { ownerId } = file;
  const person = (await colleagues(ownerId)).find((one) => one.userId === userId && one.isActive);
  if (!person || !theCase.mediators.some((one) => one.userId === userId))
    throw badField("signers", "Choose mediators of this case.");
  if (!(await mayHaveIt({ ownerId, fileId: file._id }, userId)))
    throw badField("signers", `${person.name} may not read this file. Choose somebody who may.`);
  return { userId, name: person.name };
}

interface Parts {
  file: FileDoc;
  theCase: Case;
  chosen: readonly Chosen[];
  hash: string;
}

function draftOf(scope: Scope, input: CreateSignature, { file, theCase, chosen, hash }: Parts): SignatureDoc {
  const _id = newId();
  const at = now();
  const parties = chosen.map(({ party }) => party).filter(isGiven);
  const tokens = Object.fromEntries(parties.map(({ partyId }) => [partyId, newToken()]));
  const dueAt = new Date(at.getTime() + input.days * DAY_MS);
  const line = { at, text: `Sent out to be signed by ${scope.userName}: ${file.name}`, from: "" };
  return {
    _id,
    ownerId: scope.ownerId,
    caseId: theCase.id,
    fileId: file._id,
    fileName: file.name,
    content: { blobId: file.blobId, sizeBytes: file.sizeBytes, hash, visibility: file.visibility },
    status: "sent",
    isInOrder: input.isInOrder,
    isAgreement: input.isAgreement,
    isCodeAsked: input.isCodeAsked,
    confidences: input.isAgreement ? (theCase.confidences ?? input.confidences) : null,
    words: input.words,
    signers: chosen.map(({ party, colleague }) => ({
      partyId: party?.partyId ?? null,
      clientId: party?.clientId ?? null,
      userId: colleague?.userId ?? null,
      ...(party ? { isSealTold: false } : {}),
      name: colleague?.name ?? "",
      // A mediator has no link: nobody has the secret of theirs.
      tokenHash: hashToken(tokens[party?.partyId ?? ""] ?? newToken()),
      ...unasked(dueAt),
    })),
    tokensEnc: sealTokens(scope.ownerId, _id, tokens),
    trail: [withLine([], hash, line)],
    sealedFileId: null,
    sealedHash: "",
    sealedAt: null,
    createdBy: scope.userId,
    createdByName: scope.userName,
    createdAt: at,
    version: 0,
  };
}

const unasked = (dueAt: Date) => ({
  dueAt,
  askedAt: null,
  openedAt: null,
  remindedAt: null,
  signedAt: null,
  declinedAt: null,
  declineReason: "",
  isLateTold: false,
  task: "",
  isStepNoted: false,
  stepRefused: "",
  mark: null,
});

async function named(scope: Scope, signers: readonly SignerDoc[]): Promise<SignerDoc[]> {
  const names = await clientNames(
    scope,
    signers.filter(isParty).map(({ clientId }) => clientId),
  );
  return signers.map((signer) =>
    isParty(signer) ? { ...signer, name: names.get(signer.clientId) ?? "A client" } : signer,
  );
}
