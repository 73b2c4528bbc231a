// What a mediator who signs does, signed in: reads the document, and puts their mark under it.
import type { OwnSigning, signOwnSchema } from "@app/shared/signatures";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { notFound, wrongState } from "../../core/errors.ts";
import type { Context, Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { changeSignature, type Draft } from "./changed-signatures.ts";
import { goOnSoon } from "./going-on.ts";
import { stateOf } from "./open-signings.ts";
import { putMark } from "./put-mark.ts";
import type { SignatureDoc, SignerDoc } from "./signatures.model.ts";
import { findSignature } from "./signatures.service.ts";

interface Caller extends Pick<Context, "ip" | "log" | "userAgent"> {
  scope: Scope;
}

/** Notes that they opened it. Throws NOT_FOUND where they are not to sign it. */
export async function openOwn({ scope }: Caller, { id }: { id: string }): Promise<OwnSigning> {
  const doc = await findSignature(scope, id);
  const signer = ownOf(scope, doc);
  if (signer.openedAt !== null || stateOf({ doc, signer }) !== "open") return pageOf(doc, signer);
  await changeSignature(doc, async (draft) => {
    const own = ownOf(scope, draft);
    if (own.openedAt) return null;
    own.openedAt = now();
    draft.note(`${own.name} opened the document`);
    return draft;
  });
  return pageOf(doc, signer);
}

function ownOf({ userId }: Scope, { signers }: Pick<Draft, "signers">): SignerDoc {
  const signer = signers.find((one) => one.userId === userId);
  if (!signer) throw notFound("Signer");
  return signer;
}

const pageOf = (doc: SignatureDoc, signer: SignerDoc): OwnSigning => ({
  name: signer.name,
  state: stateOf({ doc, signer }),
  dueAt: signer.dueAt.toISOString(),
  documentHash: doc.content.hash,
  fileId: doc.fileId,
});

/** Signs what was read; the same once more changes nothing. Throws in words where it is not theirs to sign now. */
export async function signOwn(caller: Caller, input: z.output<typeof signOwnSchema>): Promise<OwnSigning> {
  const { scope } = caller;
  const doc = await findSignature(scope, input.id);
  if (!ownOf(scope, doc).signedAt) {
    const { mediators } = await getCase(scope, doc.caseId);
    if (!mediators.some(({ userId }) => userId === scope.userId))
      throw wrongState("You are not a mediator of this case any more. Withdraw the document, and send it out anew.");
    if (input.documentHash !== doc.content.hash)
      throw wrongState("This is not the document that you were shown. Load the page again, and read it.");
    const changed = await changeSignature(doc, async (draft) => {
      const signer = ownOf(scope, draft);
      if (signer.signedAt) return draft;
      assertOpen(draft, signer);
      await putMark(draft, signer, { ...caller, mark: input.mark });
      return draft;
    });
    if (changed) await goOnSoon(changed, caller.log);
  }
  const after = await findSignature(scope, input.id);
  return pageOf(after, ownOf(scope, after));
}

function assertOpen(doc: SignatureDoc, signer: SignerDoc): void {
  const state = stateOf({ doc, signer });
  if (state === "open") return;
  if (state === "not_yet") throw wrongState("It is not your turn yet: others sign before you.");
  if (state === "expired") throw wrongState("Your time to sign is over. Ask whoever sent it out for more time.");
  throw wrongState("This is not to be signed any more.");
}
