// What a signer's link opens: for them alone, and nothing of any other signer.
import { SIGNED_OPEN_DAYS, type SigningPage, type SigningState } from "@app/shared/signatures";
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
import { askable, isRunning } from "./changed-signatures.ts";
import { isProved } from "./signing-proofs.ts";
import { leadsOn } from "./shown-links.ts";
import {
  DUE_MAX_MS,
  isParty,
  type PartySigner,
  type SignatureDoc,
  SignatureModel,
  type SignerDoc,
  signerId,
} from "./signatures.model.ts";

/** Of a party, who came by their link. */
export interface Signing {
  doc: SignatureDoc;
  signer: PartySigner;
}

const LOOKED: Bucket = { size: 240, everyMs: SECOND_MS / 2 };

/** Before anything is looked up. */
export async function countLook(ip: string): Promise<void> {
  const { isTaken, waitMs } = await takeToken(`signing-look:${keyedHash(`ip:${networkOf(ip)}`)}`, LOOKED);
  if (!isTaken)
    throw tooManyRequests(`This was looked at very often from here. Try again in ${describePause(waitMs)}.`);
}

export const deadLink = () => notFound("Page");

interface Visit {
  token: string;
  proof: string;
}

/** Throws NOT_FOUND for whatever opens nothing, and refuses whoever has not typed the code that is asked for. */
export async function requireSigning({ token, proof }: Visit): Promise<Signing> {
  const signing = await findSigning(token);
  if (!isProved(signing, proof))
    throw wrongState("Type the code first that we gave you by phone. Load the page again.");
  return signing;
}

/** Of whom it is not known yet that they have the code. Throws NOT_FOUND for whatever opens nothing, always alike. */
export async function findSigning(token: string): Promise<Signing> {
  const tokenHash = hashToken(token);
  const doc = await SignatureModel.findOne({ "signers.tokenHash": tokenHash })
    .setOptions({ anyOwner: true })
    .lean<SignatureDoc>();
  const signer = doc?.signers.find((one) => one.tokenHash === tokenHash);
  if (!doc || !signer || !isParty(signer) || isGone(doc, signer)) throw deadLink();
  if (!(await leadsOn(doc, signer))) throw deadLink();
  return { doc, signer };
}

/** Long after what they signed was sealed, or they could have signed, and where a wrong clock made it. */
function isGone({ sealedAt }: SignatureDoc, { dueAt, signedAt }: SignerDoc): boolean {
  const last = ((signedAt && sealedAt) ?? signedAt ?? dueAt).getTime() + SIGNED_OPEN_DAYS * DAY_MS;
  return now().getTime() > last || dueAt.getTime() - now().getTime() > DUE_MAX_MS + TOLERANCE_MS;
}

export async function assertTakes({ ownerId }: SignatureDoc): Promise<void> {
  if (!(await takesFromOutside(ownerId)))
    throw wrongState("Nothing can be signed on this page at the moment. Please phone us, or write to us.");
}

export function stateOf({ doc, signer }: { doc: SignatureDoc; signer: SignerDoc }): SigningState {
  if (signer.signedAt) return doc.status === "completed" && doc.sealedFileId ? "complete" : "signed";
  if (signer.declinedAt) return "declined";
  // Why it ended is not theirs to know: somebody else may have refused.
  if (!isRunning(doc)) return "void";
  if (signer.dueAt <= now()) return "expired";
  return askable(doc).some((one) => signerId(one) === signerId(signer)) ? "open" : "not_yet";
}

/** Whoever is not in the case any more neither signs nor refuses what others of it are to sign. */
export async function hasLeft({ doc, signer }: Signing): Promise<boolean> {
  const { parties } = await getCase(systemScope(doc.ownerId), doc.caseId);
  return parties.find(({ partyId }) => partyId === signer.partyId)?.leftAt !== null;
}

/** Which bytes this signer is shown: the sealed document once there is one. Throws where they may not read it any more. */
export async function shownTo(signing: Signing): Promise<ForParty<{ fileId: string; isSealed: boolean }>> {
  const { doc, signer } = signing;
  const file = await shownFile(signing);
  const theCase = await getCase(systemScope(doc.ownerId), doc.caseId);
  const shown = { fileId: file._id, isSealed: file._id === doc.sealedFileId };
  return sealFor({ theCase, partyId: signer.partyId }, shown, [readableOf(file)]);
}

/** What was signed goes its own way once it is sealed: its copy does not need it. */
async function shownFile(signing: Signing) {
  const { ownerId, fileId, sealedFileId } = signing.doc;
  const file = await fileToSend(ownerId, (stateOf(signing) === "complete" && sealedFileId) || fileId);
  if (!file) throw deadLink();
  return file;
}

async function stateNow(signing: Signing): Promise<SigningState> {
  const state = stateOf(signing);
  return (state === "open" || state === "not_yet") && (await hasLeft(signing)) ? "void" : state;
}

/** Before the code is typed it is not even said what there is to sign, nor by whom: others may read this mailbox. */
const WITHOUT_CODE = { practiceName: "", name: "", title: "", signedAt: null, documentHash: "", words: "" };
/** What whoever has the link may know without it. */
const isOver = (state: SigningPage["state"]): boolean => state === "void" || state === "expired";

/** As this signer reads it; without the code that is asked for it says that there is one to type. */
export async function pageFor(signing: Signing, proof: string): Promise<ForParty<SigningPage>> {
  const { doc, signer } = signing;
  const file = await shownFile(signing);
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
    ...(isProved(signing, proof) ? {} : WITHOUT_CODE),
  };
  const shown = isProved(signing, proof) || isOver(page.state) ? page : { ...page, state: "code" as const };
  return sealFor({ theCase, partyId: signer.partyId }, shown, [readableOf(file)]);
}
