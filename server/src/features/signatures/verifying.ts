import type { Verified, VerifySignature } from "@app/shared/signatures";
import mongoose, { type QueryFilter } from "mongoose";
import { practiceNameOf } from "../practices/practices.service.ts";
import type { Context } from "../../core/trpc.ts";
import { countLook } from "./open-signings.ts";
import { type SignatureDoc, SignatureModel } from "./signatures.model.ts";

const NOTHING = { practiceName: "", sealedAt: null, signatures: 0 };

/** What is known of a document by its hashes: whoever has it reads in it who signed, and learns nothing else. */
export async function verifyDocument({ ip }: Pick<Context, "ip">, { hash, seals }: VerifySignature): Promise<Verified> {
  await countLook(ip);
  const sealed = await find({ sealedHash: hash });
  if (sealed) return ofSealed(sealed, "sealed");
  // What is not signed may be anybody's, such as a form that many use.
  if (await find({ "content.hash": hash })) return { is: "unsigned", ...NOTHING };
  const changed = seals.length > 0 ? await find({ sealHash: mongoose.trusted({ $in: seals }) }) : null;
  return changed ? ofSealed(changed, "changed") : { is: "unknown", ...NOTHING };
}

const ofSealed = async ({ ownerId, sealedAt, signers }: SignatureDoc, is: "sealed" | "changed"): Promise<Verified> => ({
  is,
  practiceName: await practiceNameOf(ownerId),
  sealedAt: sealedAt?.toISOString() ?? null,
  signatures: signers.length,
});

const find = (filter: QueryFilter<SignatureDoc>): Promise<SignatureDoc | null> =>
  SignatureModel.findOne(filter).setOptions({ anyOwner: true }).lean<SignatureDoc>();
