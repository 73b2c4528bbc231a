// Whoever typed the code that was read to them by phone holds a proof of it for some hours: it goes with each of their
// requests, and ends with the code.
import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { HOUR_MS, now } from "../../core/clock.ts";
import { openHandedOut, sealHandedOut } from "../../core/crypto.ts";
import type { PartySigner, SignatureDoc } from "./signatures.model.ts";

const LASTS_MS = 12 * HOUR_MS;
const proofSchema = z.object({ codeHash: z.string(), until: z.number() });

interface Asked {
  doc: Pick<SignatureDoc, "_id" | "ownerId" | "isCodeAsked">;
  signer: Pick<PartySigner, "partyId" | "codeHash">;
}

const placeOf = ({ doc: { _id, ownerId }, signer: { partyId } }: Asked): string =>
  `signing:${ownerId}:${_id}:${partyId}`;

export const proofFor = (asked: Asked): string =>
  sealHandedOut(JSON.stringify({ codeHash: asked.signer.codeHash, until: now().getTime() + LASTS_MS }), placeOf(asked));

/** Whether they may see the document: no code is asked for, or they typed the one that holds now. */
export function isProved(asked: Asked, proof: string): boolean {
  if (!asked.doc.isCodeAsked) return true;
  const { codeHash } = asked.signer;
  const known = codeHash === undefined ? null : readProof(asked, proof);
  return known !== null && known.until > now().getTime() && isSame(known.codeHash, codeHash ?? "");
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function readProof(asked: Asked, proof: string): z.infer<typeof proofSchema> | null {
  try {
    return proofSchema.parse(JSON.parse(openHandedOut(proof, placeOf(asked))));
  } catch {
    // Made up, of another signer, or of a key of before: they type the code once more.
    return null;
  }
}
