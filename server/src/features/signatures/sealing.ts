// The seal of a PDF: whoever changes a byte of it afterwards breaks it, as any reader of PDFs shows.
import { plainAddPlaceholder } from "@signpdf/placeholder-plain";
import { SignPdf } from "@signpdf/signpdf";
import { Signer, SUBFILTER_ETSI_CADES_DETACHED } from "@signpdf/utils";
import { practiceNameOf } from "../practices/practices.service.ts";
import { cmsOver } from "./cms.ts";
import { madeSealingKey } from "./made-keys.ts";
import { addedSealingKey } from "./seal-certificates.ts";
import type { Stamped } from "./timestamps.ts";

/** With the certificates of an issuer, and a time stamp with those of its own. */
const SEAL_MAX_BYTES = 32_768;

class SealSigner extends Signer {
  readonly #cmsOf: (covered: Buffer) => Promise<Buffer>;

  constructor(cmsOf: (covered: Buffer) => Promise<Buffer>) {
    super();
    this.#cmsOf = cmsOf;
  }

  override sign(covered: Buffer): Promise<Buffer> {
    return this.#cmsOf(covered);
  }
}

/** Makes the practice's seal of a PDF: by the certificate that was added, else by its own made key. */
export async function makeSeal(ownerId: string, pdf: Uint8Array, at: Date): Promise<{ cms: Buffer; stamped: Stamped }> {
  const own = (await addedSealingKey(ownerId)) ?? (await madeSealingKey(ownerId));
  let made: { cms: Buffer; stamped: Stamped } | undefined;
  await putIn(ownerId, pdf, at, async (covered) => {
    made = await cmsOver(covered, own);
    return made.cms;
  });
  if (!made) throw new Error("no seal was made");
  return made;
}

/** The same PDF with this seal, which covers every byte of it; the same bytes each time. */
export const withSeal = (ownerId: string, pdf: Uint8Array, at: Date, cms: Buffer): Promise<Buffer> =>
  putIn(ownerId, pdf, at, () => Promise.resolve(cms));

async function putIn(
  ownerId: string,
  pdf: Uint8Array,
  at: Date,
  cmsOf: (covered: Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  const withRoom = plainAddPlaceholder({
    pdfBuffer: Buffer.from(pdf),
    reason: "Sealed after everybody signed",
    contactInfo: "",
    name: await practiceNameOf(ownerId),
    location: "",
    signatureLength: SEAL_MAX_BYTES,
    subFilter: SUBFILTER_ETSI_CADES_DETACHED,
    signingTime: at,
  });
  return new SignPdf().sign(withRoom, new SealSigner(cmsOf), at);
}
