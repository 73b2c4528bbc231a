// What a signer's link opens: for them alone, and nothing of any other signer.
import { isBeingSigned, SIGNED_OPEN_DAYS, type SigningPage } from "@app/shared/signatures";
import { DAY_MS, now, SECOND_MS } from "../../core/clock.ts";
import { hashToken, keyedHash } from "../../core/crypto.ts";
import { TOLERANCE_MS } from "../../core/due-times.ts";
import { tooManyRequests } from "../../core/errors.ts";
import { describePause, networkOf } from "../../core/rate-limit.ts";
import { type Bucket, takeToken } from "../../core/token-bucket.ts";
import { notFound, wrongState } from "../../core/visitor-refusals.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { fileToSend } from "../files/file-content.service.ts";
import { readableOf } from "../files/party-files.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { takesFromOutside } from "../subscriptions/subscriptions.service.ts";
import { type ForParty, sealFor } from "../visibility/for-party.service.ts";
import { askable } from "./changed-signatures.ts";
import { leadsOn } from "./shown-links.ts";
import { DUE_MAX_MS, type SignatureDoc, SignatureModel, type SignerDoc } from "./signatures.model.ts";

export interface Signing {
  doc: SignatureDoc;
  signer: SignerDoc;
}

const LOOKED: Bucket = { size: 240, everyMs: SECOND_MS / 2 };

/** Before anything is looked up. */
export async function countLook(ip: string): Promise<void> {
  const { isTaken, waitMs } = await takeToken(`signing-look:${keyedHash(`ip:${networkOf(ip)}`)}`, LOOKED);
  if (!isTaken)
    throw tooManyRequests(`This was looked at very often from here. Try again in ${describePause(waitMs)}.`);
}

export const deadLink = () => notFound("Page");

/** Throws NOT_FOUND for whatever opens nothing, always alike. */
export async function requireSigning(token: string): Promise<Signing> {
  const tokenHash = hashToken(token);
  const doc = await SignatureModel.findOne({ "signers.tokenHash": tokenHash })
    .setOptions({ anyOwner: true })
    .lean<SignatureDoc>();
  const signer = doc?.signers.find((one) => one.tokenHash === tokenHash);
  if (!doc || !signer || isGone(signer)) throw deadLink();
  if (!(await leadsOn(doc, signer))) throw deadLink();
  return { doc, signer };
}

/** Long after they signed, or could have, and where a wrong clock made it. */
function isGone({ dueAt, signedAt }: SignerDoc): boolean {
  const last = (signedAt ?? dueAt).getTime() + SIGNED_OPEN_DAYS * DAY_MS;
  return now().getTime() > last || dueAt.getTime() - now().getTime() > DUE_MAX_MS + TOLERANCE_MS;
}

export async function assertTakes({ ownerId }: SignatureDoc): Promise<void> {
  if (!(await takesFromOutside(ownerId)))
    throw wrongState("Nothing can be signed on this page at the moment. Please phone us, or write to us.");
}

export function stateOf({ doc, signer }: Signing): SigningPage["state"] {
  if (signer.signedAt) return doc.status === "completed" && doc.sealedFileId ? "complete" : "signed";
  if (signer.declinedAt) return "declined";
  // Why it ended is not theirs to know: somebody else may have refused.
  if (!isBeingSigned(doc.status) && doc.status !== "expired") return "void";
  if (signer.dueAt <= now()) return "expired";
  return askable(doc).includes(signer) ? "open" : "not_yet";
}

/** Whoever is not in the case any more neither signs nor refuses what others of it are to sign. */
export async function hasLeft({ doc, signer }: Signing): Promise<boolean> {
  const { parties } = await getCase(systemScope(doc.ownerId), doc.caseId);
  return parties.find(({ partyId }) => partyId === signer.partyId)?.leftAt !== null;
}

/** Which bytes this signer is shown: the sealed document once there is one. Throws where they may not read it any more. */
export async function shownTo({ doc, signer }: Signing): Promise<ForParty<{ fileId: string; isSealed: boolean }>> {
  const isSealed = stateOf({ doc, signer }) === "complete";
  const fileId = isSealed ? (doc.sealedFileId ?? "") : doc.fileId;
  const file = await fileToSend(doc.ownerId, fileId);
  if (!file) throw deadLink();
  const theCase = await getCase(systemScope(doc.ownerId), doc.caseId);
  return sealFor({ theCase, partyId: signer.partyId }, { fileId, isSealed }, [readableOf(file)]);
}

async function stateNow(signing: Signing): Promise<SigningPage["state"]> {
  const state = stateOf(signing);
  return (state === "open" || state === "not_yet") && (await hasLeft(signing)) ? "void" : state;
}

/** As this signer reads it. */
export async function pageFor(signing: Signing): Promise<ForParty<SigningPage>> {
  const { doc, signer } = signing;
  const file = await fileToSend(doc.ownerId, doc.fileId);
  if (!file) throw deadLink();
  const theCase = await getCase(systemScope(doc.ownerId), doc.caseId);
  const page: SigningPage = {
    practiceName: await practiceNameOf(doc.ownerId),
    name: signer.name,
    title: doc.fileName.replace(/\.pdf$/i, ""),
    state: await stateNow(signing),
    dueAt: signer.dueAt.toISOString(),
    signedAt: signer.signedAt?.toISOString() ?? null,
    documentHash: doc.content.hash,
    words: doc.words,
  };
  return sealFor({ theCase, partyId: signer.partyId }, page, [readableOf(file)]);
}
