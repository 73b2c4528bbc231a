// Documents that are sent out to be signed: made, looked at, given more time and withdrawn by the practice.
import { PAGE_SIZE } from "@app/shared/product";
import {
  CASE_SIGNATURES_MAX,
  type extendSignerSchema,
  type listSignaturesSchema,
  type Signature,
  type signaturePageSchema,
  type SignatureTrail,
  type Signer,
  type SignerState,
  type voidSignatureSchema,
} from "@app/shared/signatures";
import { lineVisibility } from "@app/shared/visibility";
import type { z } from "zod";
import { DAY_MS, now } from "../../core/clock.ts";
import { isNotFound, missingWith, notFound, wrongState } from "../../core/errors.ts";
import { publicUrl } from "../../core/settings.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { keptFile } from "../files/files.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { changeSignature, type Draft, isRunning } from "./changed-signatures.ts";
import { isParty, type SignatureDoc, SignatureModel, type SignerDoc, signerId, tokenFor } from "./signatures.model.ts";
import { endAsking } from "./asked-mediators.ts";
import { askSigners } from "./signer-letters.ts";
import { askAboutSteps } from "./signed-withdrawals.ts";
import { endAskingAboutUnsigned } from "./unsigned-agreements.ts";
import { isWhole } from "./trail.ts";

export async function listSignatures(
  scope: Scope,
  { clientId, page }: z.output<typeof listSignaturesSchema>,
): Promise<z.infer<typeof signaturePageSchema>> {
  await assertClientsVisible(scope, [clientId]);
  // Few documents of one client are ever signed: those of hidden cases, or that others alone read, are left out here.
  const docs = await SignatureModel.find({ ownerId: scope.ownerId, "signers.clientId": clientId })
    .sort({ createdAt: -1, _id: -1 })
    .lean<SignatureDoc[]>();
  const seen = [];
  for (const doc of docs) if (await isSeen(scope, doc)) seen.push(doc);
  const items = seen.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(toSignature);
  return { items, total: seen.length, isTotalExact: true };
}

/** What is signed in a case, as far as this person may read it. */
export async function signaturesOfCase(scope: Scope, { caseId }: { caseId: string }): Promise<{ items: Signature[] }> {
  await getCase(scope, caseId);
  const docs = await SignatureModel.find({ ownerId: scope.ownerId, caseId })
    .sort({ createdAt: -1, _id: -1 })
    .limit(CASE_SIGNATURES_MAX)
    .lean<SignatureDoc[]>();
  const items = [];
  for (const doc of docs) if (await isSeen(scope, doc)) items.push(toSignature(doc));
  return { items };
}

async function isSeen(scope: Scope, doc: SignatureDoc): Promise<boolean> {
  try {
    await assertSeen(scope, doc);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}

/** By whoever reads the file as it is by now, deleted or not. */
const assertSeen = (scope: Scope, { fileId }: SignatureDoc): Promise<unknown> =>
  missingWith("Signature", keptFile(scope, fileId));

export async function findSignature(scope: Scope, id: string): Promise<SignatureDoc> {
  const doc = await SignatureModel.findOne({ ownerId: scope.ownerId, _id: id }).lean<SignatureDoc>();
  if (!doc) throw notFound("Signature");
  await assertSeen(scope, doc);
  return doc;
}

export const getSignature = async (scope: Scope, id: string): Promise<Signature> =>
  toSignature(await findSignature(scope, id));

/** What happened to it, with the network of each who signed: for the practice alone. */
export async function getTrail(scope: Scope, id: string): Promise<SignatureTrail> {
  const { trail, content, sealedHash } = await findSignature(scope, id);
  return {
    events: trail.map(({ at, text, from, hash }) => ({ at: at.toISOString(), text, from, hash })),
    isWhole: isWhole(trail, content.hash),
    documentHash: content.hash,
    sealedHash,
  };
}

const addressFor = (doc: SignatureDoc, partyId: string): string => `${publicUrl()}/sign/${tokenFor(doc, partyId)}`;

/** For somebody who signs in the office, on a screen that is handed to them; it stands in the trail who had it. */
export async function showSignerLink(scope: Scope, of: { id: string; signerId: string }): Promise<{ address: string }> {
  const doc = await findSignature(scope, of.id);
  await changeSignature(doc, async (draft) => {
    const signer = openSigner(draft, of.signerId);
    if (!isParty(signer)) throw wrongState("A mediator signs signed in, and has no link.");
    signer.shownTo = [...new Set([...(signer.shownTo ?? []), scope.userId])];
    draft.note(`The link of ${signer.name} was shown to ${scope.userName}`);
    return signer;
  });
  return { address: addressFor(doc, of.signerId) };
}

/** More time, counted from now, for somebody who has not signed. */
export async function extendSigner(
  scope: Scope,
  { id, days, ...of }: z.output<typeof extendSignerSchema>,
): Promise<Signature> {
  const doc = await findSignature(scope, id);
  const changed = await changeSignature(doc, async (draft) => {
    if (draft.status === "expired") draft.status = draft.signers.some(hasMark) ? "partly_signed" : "sent";
    const signer = openSigner(draft, of.signerId);
    signer.dueAt = new Date(now().getTime() + days * DAY_MS);
    Object.assign(signer, { isLateTold: false, remindedAt: null, ...UNASKED });
    await endAskingAboutUnsigned([draft]);
    draft.note(`${signer.name} was given time until ${signer.dueAt.toISOString()} by ${scope.userName}`);
    return draft;
  });
  if (changed) await askSigners(changed);
  return getSignature(scope, id);
}

/** Asked once more; whether by mail or by a colleague is seen anew. */
const UNASKED = { askedAt: null, task: "" };

const hasMark = ({ signedAt }: SignerDoc): boolean => signedAt !== null;

/** Asked once more, by the same link. */
export async function remindSigner(scope: Scope, { id, ...of }: { id: string; signerId: string }): Promise<Signature> {
  const doc = await findSignature(scope, id);
  const changed = await changeSignature(doc, async (draft) => {
    const signer = openSigner(draft, of.signerId);
    if (signer.dueAt <= now()) throw wrongState("Their time is over. Give them more time instead.");
    Object.assign(signer, UNASKED);
    return draft;
  });
  if (changed) await askSigners(changed);
  return getSignature(scope, id);
}

export async function voidSignature(
  scope: Scope,
  { id, reason }: z.output<typeof voidSignatureSchema>,
): Promise<Signature> {
  const doc = await findSignature(scope, id);
  await changeSignature(doc, async (draft) => {
    if (draft.status === "completed") throw wrongState("All have signed, so it cannot be withdrawn any more.");
    if (draft.status === "void") return null;
    draft.status = "void";
    draft.note(`Withdrawn by ${scope.userName}: ${reason}`);
    await endAsking(draft);
    await endAskingAboutUnsigned([draft]);
    await askAboutSteps(scope, draft);
    await tellOf(scope, draft, `No longer to be signed: ${draft.fileName}`);
    return draft;
  });
  return getSignature(scope, id);
}

/** Throws where they cannot sign any more whatever time they get. */
function openSigner(draft: Draft, id: string): SignerDoc {
  const signer = draft.signers.find((one) => signerId(one) === id);
  if (!signer) throw notFound("Signer");
  if (!isRunning(draft)) throw wrongState("This is not to be signed any more. Send it out anew.");
  if (signer.signedAt) throw wrongState(`${signer.name} has signed already.`);
  if (signer.isLinkOver)
    throw wrongState(
      `The link of ${signer.name} ended, as a colleague had it. Withdraw the document, and send it out anew.`,
    );
  return signer;
}

/** Call it in the transaction of what it tells of. */
export const tellOf = (
  scope: Scope,
  { caseId, signers, content, fileId }: Pick<SignatureDoc, "caseId" | "signers" | "content" | "fileId">,
  text: string,
): Promise<void> =>
  recordEvent(scope, {
    kind: "file",
    text,
    caseId,
    clientIds: signers.filter(isParty).map(({ clientId }) => clientId),
    // Who signs what and when is the practice's to know.
    visibility: lineVisibility(content.visibility),
    subjectId: fileId,
  });

export function signerState(doc: Pick<SignatureDoc, "status">, signer: SignerDoc): SignerState {
  if (signer.signedAt) return "signed";
  if (signer.declinedAt) return "declined";
  if (signer.dueAt <= now() && doc.status !== "void") return "expired";
  if (signer.openedAt) return "opened";
  return signer.askedAt ? "asked" : "waiting";
}

function toSignature(doc: SignatureDoc): Signature {
  const {
    _id: id,
    caseId,
    fileId,
    fileName,
    status,
    isInOrder,
    isAgreement,
    createdByName,
    sealedFileId,
    version,
  } = doc;
  return {
    id,
    caseId,
    fileId,
    fileName,
    status,
    isInOrder,
    isAgreement,
    createdByName,
    sealedFileId,
    version,
    isCodeAsked: doc.isCodeAsked ?? false,
    createdAt: doc.createdAt.toISOString(),
    signers: doc.signers.map((signer) => toSigner(doc, signer)),
  };
}

function toSigner(doc: SignatureDoc, signer: SignerDoc): Signer {
  const { name, declineReason, task, stepRefused } = signer;
  return {
    kind: isParty(signer) ? "party" : "mediator",
    id: signerId(signer),
    name,
    state: signerState(doc, signer),
    dueAt: signer.dueAt.toISOString(),
    askedAt: signer.askedAt?.toISOString() ?? null,
    openedAt: signer.openedAt?.toISOString() ?? null,
    signedAt: signer.signedAt?.toISOString() ?? null,
    declinedAt: signer.declinedAt?.toISOString() ?? null,
    declineReason,
    hasCode: signer.codeHash !== undefined,
    task,
    stepRefused,
  };
}
