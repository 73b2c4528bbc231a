import type { Verified } from "@app/shared/signatures";
import { practiceNameOf } from "../practices/practices.service.ts";
import type { Context } from "../../core/trpc.ts";
import { countLook } from "./open-signings.ts";
import { type SignatureDoc, SignatureModel } from "./signatures.model.ts";

const UNKNOWN: Verified = { is: "unknown", practiceName: "", sealedAt: null, signatures: 0 };

/** What is known of a document by its hash: whoever has it reads in it who signed, and learns nothing else. */
export async function verifyDocument({ ip }: Pick<Context, "ip">, { hash }: { hash: string }): Promise<Verified> {
  await countLook(ip);
  const sealed = await find({ sealedHash: hash });
  const doc = sealed ?? (await find({ "content.hash": hash }));
  if (!doc) return UNKNOWN;
  return {
    is: sealed ? "sealed" : "unsigned",
    // What is not signed may be anybody's, such as a form that many use.
    practiceName: sealed ? await practiceNameOf(doc.ownerId) : "",
    sealedAt: sealed?.sealedAt?.toISOString() ?? null,
    signatures: sealed ? doc.signers.length : 0,
  };
}

const find = (filter: Partial<Record<"sealedHash" | "content.hash", string>>): Promise<SignatureDoc | null> =>
  SignatureModel.findOne(filter).setOptions({ anyOwner: true }).lean<SignatureDoc>();
