// What a signer does by their link: opens, signs and refuses.
import type { Decline, Sign, SigningPage } from "@app/shared/signatures";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/visitor-refusals.ts";
import type { Context } from "../../core/trpc.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { ForParty } from "../visibility/for-party.service.ts";
import { changeSignature, type Draft } from "./changed-signatures.ts";
import { goOn } from "./going-on.ts";
import {
  assertTakes,
  countLook,
  deadLink,
  hasLeft,
  pageFor,
  requireSigning,
  type Signing,
  stateOf,
} from "./open-signings.ts";
import { tellSender } from "./sender-notices.ts";
import type { SignatureDoc, SignerDoc } from "./signatures.model.ts";
import { tellOf } from "./signatures.service.ts";

type Visitor = Pick<Context, "ip" | "log" | "userAgent">;

export async function openSigning({ ip }: Visitor, { token }: { token: string }): Promise<ForParty<SigningPage>> {
  await countLook(ip);
  const signing = await requireSigning(token);
  const page = await pageFor(signing);
  if (signing.signer.openedAt === null && stateOf(signing) === "open")
    await changeSigner(signing, async (draft, signer) => {
      signer.openedAt = now();
      draft.note(`${signer.name} opened the document`);
    });
  return page;
}

/** Of one signer, as they stand by then. */
const changeSigner = (
  { doc, signer: { partyId } }: Signing,
  change: (draft: Draft, signer: SignerDoc) => Promise<void>,
): Promise<SignatureDoc | null> =>
  changeSignature(doc, async (draft) => {
    const signer = draft.signers.find((one) => one.partyId === partyId);
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
async function assertTheirs(signing: Signing): Promise<void> {
  await pageFor(signing);
  if (await hasLeft(signing)) throw notNow();
}

const notNow = () => wrongState("This is not to be signed at the moment. Please phone us, or write to us.");

const fromOf = ({ ip, userAgent }: Visitor): string => `${ip} · ${userAgent}`.slice(0, 300);

/** Signs what was seen; the same mark once more changes nothing. */
export async function sign(visitor: Visitor, input: Sign): Promise<ForParty<SigningPage>> {
  await countLook(visitor.ip);
  const signing = await requireSigning(input.token);
  await assertTakes(signing.doc);
  if (signing.signer.signedAt) return pageFor(signing);
  await assertTheirs(signing);
  if (input.documentHash !== signing.doc.content.hash)
    throw wrongState("This is not the document that you were shown. Load the page again, and read it.");
  const changed = await changeSigner(signing, async (draft, signer) => {
    assertOpen({ doc: draft, signer });
    signer.signedAt = now();
    signer.mark = input.mark;
    const isTyped = input.mark.strokes.length === 0;
    draft.note(
      `${signer.name} agreed and signed, ${isTyped ? "with their typed name" : "with a drawing"}`,
      fromOf(visitor),
    );
    const isLast = draft.signers.every(({ signedAt }) => signedAt !== null);
    draft.status = isLast ? "completed" : "partly_signed";
    await tellOf(systemScope(draft.ownerId), draft, `Signed by ${signer.name}: ${draft.fileName}`);
    if (isLast) await tellSender(draft, "signed", visitor.log);
  });
  if (!changed) throw deadLink();
  await goOn(changed);
  return pageFor(await requireSigning(input.token));
}

export async function decline(visitor: Visitor, { token, reason }: Decline): Promise<ForParty<SigningPage>> {
  await countLook(visitor.ip);
  const signing = await requireSigning(token);
  await assertTakes(signing.doc);
  if (signing.signer.declinedAt) return pageFor(signing);
  await assertTheirs(signing);
  const changed = await changeSigner(signing, async (draft, signer) => {
    assertOpen({ doc: draft, signer });
    signer.declinedAt = now();
    signer.declineReason = reason;
    draft.status = "declined";
    draft.note(`${signer.name} refused to sign${reason ? `: ${reason}` : ""}`, fromOf(visitor));
    await tellOf(systemScope(draft.ownerId), draft, `Refused to sign by ${signer.name}: ${draft.fileName}`);
    await tellSender(draft, "declined", visitor.log);
  });
  if (!changed) throw deadLink();
  return pageFor(await requireSigning(token));
}
