// Whoever signs puts their mark under what they read; with the last of them the document is signed.
import { isAnotherName } from "@app/shared/asked-names";
import type { SignatureMark } from "@app/shared/signatures";
import { now } from "../../core/clock.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Context } from "../../core/trpc.ts";
import { endAsking } from "./asked-mediators.ts";
import type { Draft } from "./changed-signatures.ts";
import { tellSender } from "./sender-notices.ts";
import { isParty, type SignerDoc } from "./signatures.model.ts";
import { tellOf } from "./signatures.service.ts";
import { endAskingAboutUnsigned } from "./unsigned-agreements.ts";

export type Visitor = Pick<Context, "ip" | "log" | "userAgent">;

/** The network and the program of whoever signs or refuses, for the record alone. */
export const fromOf = ({ ip, userAgent }: Visitor): string => `${ip} · ${userAgent}`.slice(0, 300);

/** Of one who may sign now; call it in the change of the document. */
export async function putMark(draft: Draft, signer: SignerDoc, { mark, ...by }: Visitor & { mark: SignatureMark }) {
  signer.signedAt = now();
  signer.mark = mark;
  const how = mark.strokes.length === 0 ? "with their typed name" : "with a drawing";
  const who = isParty(signer) ? signer.name : `${signer.name}, mediator, signed in,`;
  const other = isAnotherName(mark.name, signer.name) ? ` (“${mark.name}”, and was asked as ${signer.name})` : "";
  draft.note(`${who} agreed and signed, ${how}${other}`, fromOf(by));
  const isLast = draft.signers.every(({ signedAt }) => signedAt !== null);
  draft.status = isLast ? "completed" : "partly_signed";
  await endAsking(draft, [signer]);
  await tellOf(systemScope(draft.ownerId), draft, `Signed by ${signer.name}: ${draft.fileName}`);
  if (!isLast) return;
  await endAskingAboutUnsigned([draft]);
  await tellSender(draft, "signed", by.log);
}
