// A second way to know who signs: a code that somebody of the practice reads to them by phone, asked for before the
// document is shown. Whoever has only the link, such as out of somebody's mailbox, sees nothing.
import { randomInt } from "node:crypto";
import { SIGNING_CODE_DIGITS } from "@app/shared/signing-limits";
import { DAY_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { notFound as missing, tooManyRequests, wrongState } from "../../core/errors.ts";
import { describePause, networkOf } from "../../core/rate-limit.ts";
import { type NamedBucket, returnTokens, takeTokens } from "../../core/token-bucket.ts";
import type { Scope } from "../../core/trpc.ts";
import { wrongState as refusedOutside } from "../../core/visitor-refusals.ts";
import { changeSignature } from "./changed-signatures.ts";
import { countLook, findSigning, type Signing } from "./open-signings.ts";
import { fromOf, type Visitor } from "./put-mark.ts";
import { isParty, signerId } from "./signatures.model.ts";
import { findSignature } from "./signatures.service.ts";
import { changeSigner } from "./signing.service.ts";
import { isSame, proofFor } from "./signing-proofs.ts";

/** From one network, so that a stranger who tries does not stop whoever was given it. */
const TRIED_FROM_HERE = { size: 5, everyMs: 10 * MINUTE_MS };
/** Of one code, from wherever: of a million a guess then finds one in ten thousand. A new code can be tried anew. */
const TRIED_AT_ALL = { size: 50, everyMs: DAY_MS };

/** Makes a code for one party, in place of the one before; it is shown to whoever asked for it, and stored as its hash. */
export async function newSigningCode(
  scope: Scope,
  { id, ...of }: { id: string; signerId: string },
): Promise<{ code: string }> {
  const doc = await findSignature(scope, id);
  const code = String(randomInt(10 ** SIGNING_CODE_DIGITS)).padStart(SIGNING_CODE_DIGITS, "0");
  await changeSignature(doc, async (draft) => {
    const signer = draft.signers.filter(isParty).find((one) => signerId(one) === of.signerId);
    if (!signer) throw missing("Signer");
    if (!draft.isCodeAsked) throw wrongState("No code is asked for here. Withdraw the document, and send it with one.");
    if (draft.status === "void" || draft.status === "declined")
      throw wrongState("This is not to be signed any more. Send it out anew.");
    signer.codeHash = hashOf({ doc: draft, signer }, code);
    signer.codeBy = scope.userName;
    signer.codeById = scope.userId;
    draft.note(`A code for ${signer.name}, to be given to them by phone, was shown to ${scope.userName}`);
    return draft;
  });
  return { code };
}

const hashOf = ({ doc, signer }: Signing, code: string): string =>
  keyedHash(`signing code:${doc.ownerId}:${doc._id}:${signer.partyId}:${code}`);

/** Gives the proof that goes with all that they do then. Throws in words where it is another code, or too many tries. */
export async function proveSigning(
  visitor: Visitor,
  { token, code }: { token: string; code: string },
): Promise<{ proof: string }> {
  await countLook(visitor.ip);
  const signing = await findSigning(token);
  const { signer } = signing;
  if (!signing.doc.isCodeAsked) return { proof: "" };
  if (!signer.codeHash)
    throw refusedOutside("There is no code for you yet. Please phone us, and we will give you one.");
  const buckets = await takeTry(visitor, signer.codeHash);
  if (!isSame(hashOf(signing, code), signer.codeHash))
    throw refusedOutside("This is not the code. Look at each digit, or phone us and we will give you a new one.");
  await returnTokens(buckets);
  const isHeldByOne = (signer.shownTo ?? []).includes(signer.codeById ?? "");
  if (signer.provedWith !== signer.codeHash || (isHeldByOne && !signer.isHeldByOne))
    await changeSigner(signing, async (draft, own) => {
      own.provedAt ??= now();
      if (signer.codeHash) own.provedWith = signer.codeHash;
      if (isHeldByOne) own.isHeldByOne = true;
      const by = `${own.name} was identified by a code given by phone by ${own.codeBy ?? "the practice"}`;
      draft.note(by, fromOf(visitor));
    });
  return { proof: proofFor(signing) };
}

async function takeTry({ ip }: Visitor, codeHash: string): Promise<NamedBucket[]> {
  const ofCode = `signing-code:${codeHash}`;
  const buckets: NamedBucket[] = [
    [`${ofCode}:${keyedHash(`ip:${networkOf(ip)}`)}`, TRIED_FROM_HERE],
    [ofCode, TRIED_AT_ALL],
  ];
  const { isTaken, waitMs, emptyKeys } = await takeTokens(buckets);
  if (isTaken) return buckets;
  throw tooManyRequests(
    emptyKeys.includes(ofCode)
      ? "This code was tried too often, so it opens nothing now. Please phone us, and we will give you a new one."
      : `That was the wrong code several times. Try again in ${describePause(waitMs)}, or phone us for a new one.`,
  );
}
