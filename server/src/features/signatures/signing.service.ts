// What a signer does by their link: opens, signs and refuses.
import type { Decline, OpenSigning, Sign, SigningPage } from "@app/shared/signatures";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/visitor-refusals.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { ForParty } from "../visibility/for-party.service.ts";
import { changeSignature, type Draft } from "./changed-signatures.ts";
import { goOnSoon } from "./going-on.ts";
import {
  assertTakes,
  countLook,
  deadLink,
  findSigning,
  hasLeft,
  pageFor,
  requireSigning,
  type Signing,
  stateOf,
} from "./open-signings.ts";
import { tellSender } from "./sender-notices.ts";
import { askAboutUnsigned } from "./unsigned-agreements.ts";
import { endAsking } from "./asked-mediators.ts";
import { isProved } from "./signing-proofs.ts";
import { fromOf, putMark, type Visitor } from "./put-mark.ts";
import { isParty, type PartySigner, type SignatureDoc } from "./signatures.model.ts";
import { tellOf } from "./signatures.service.ts";

export async function openSigning({ ip }: Visitor, { token, proof }: OpenSigning): Promise<ForParty<SigningPage>> {
  await countLook(ip);
  const signing = await findSigning(token);
  const page = await pageFor(signing, proof);
  if (isProved(signing, proof) && signing.signer.openedAt === null && stateOf(signing) === "open")
    await changeSigner(signing, async (draft, signer) => {
      signer.openedAt = now();
      draft.note(`${signer.name} opened the document`);
    });
  return page;
}

/** Of one signer, as they stand by then. */
export const changeSigner = (
  { doc, signer: { partyId } }: Signing,
  change: (draft: Draft, signer: PartySigner) => Promise<void>,
): Promise<SignatureDoc | null> =>
  changeSignature(doc, async (draft) => {
    const signer = draft.signers.filter(isParty).find((one) => one.partyId === partyId);
    if (!signer) return null;
    await change(draft, signer);
    return draft;
  });

function assertOpen(signing: Signing): void {
  const state = stateOf(signing);
  if (state === "open") return;
  if (state === "signed" || state === "complete") throw wrongState("You have signed this already.");
  if (state === "expired") throw wrongState("The time to sign this is over. Please phone us, or write to us.");
  throw notNow();
}

/** Whoever may not read it by now neither signs nor refuses it, nor does whoever left. */
async function assertTheirs(signing: Signing, proof: string): Promise<void> {
  await pageFor(signing, proof);
  if (await hasLeft(signing)) throw notNow();
}

const notNow = () => wrongState("This is not to be signed at the moment. Please phone us, or write to us.");

/** Signs what was seen; the same mark once more changes nothing. */
export async function sign(visitor: Visitor, input: Sign): Promise<ForParty<SigningPage>> {
  await countLook(visitor.ip);
  const signing = await requireSigning(input);
  await assertTakes(signing.doc);
  if (signing.signer.signedAt) return pageFor(signing, input.proof);
  await assertTheirs(signing, input.proof);
  if (input.documentHash !== signing.doc.content.hash)
    throw wrongState("This is not the document that you were shown. Load the page again, and read it.");
  const changed = await changeSigner(signing, async (draft, signer) => {
    assertOpen({ doc: draft, signer });
    await putMark(draft, signer, { ...visitor, mark: input.mark });
  });
  if (!changed) throw deadLink();
  await goOnSoon(changed, visitor.log);
  return pageFor(await requireSigning(input), input.proof);
}

export async function decline(visitor: Visitor, input: Decline): Promise<ForParty<SigningPage>> {
  await countLook(visitor.ip);
  const signing = await requireSigning(input);
  await assertTakes(signing.doc);
  if (signing.signer.declinedAt) return pageFor(signing, input.proof);
  await assertTheirs(signing, input.proof);
  const { reason } = input;
  const changed = await changeSigner(signing, async (draft, signer) => {
    assertOpen({ doc: draft, signer });
    signer.declinedAt = now();
    signer.declineReason = reason;
    draft.status = "declined";
    await endAsking(draft);
    draft.note(`${signer.name} refused to sign${reason ? `: ${reason}` : ", and gave no reason"}`, fromOf(visitor));
    await tellOf(systemScope(draft.ownerId), draft, `Refused to sign by ${signer.name}: ${draft.fileName}`);
    await tellSender(draft, "declined", visitor.log);
    await askAboutUnsigned(draft, "refused", [signer]);
  });
  if (!changed) throw deadLink();
  return pageFor(await requireSigning(input), input.proof);
}
