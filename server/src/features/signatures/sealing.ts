// The seal of a PDF (ETSI EN 319 142-1, PAdES baseline B-B without a trusted issuer): whoever changes a byte of it
// afterwards breaks it, as any reader of PDFs shows.
import { webcrypto } from "node:crypto";
import { plainAddPlaceholder } from "@signpdf/placeholder-plain";
import { SignPdf } from "@signpdf/signpdf";
import { Signer, SUBFILTER_ETSI_CADES_DETACHED } from "@signpdf/utils";
import { Integer, ObjectIdentifier, OctetString, Sequence, Utf8String } from "asn1js";
import * as pkijs from "pkijs";
import { now } from "../../core/clock.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { openKey, sealKey, SealingKeyModel } from "./sealing-keys.model.ts";

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const KEY_BITS = 3072;
const YEARS = 15;
const SEAL_MAX_BYTES = 16_384;
const COMMON_NAME = "2.5.4.3";
const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
const DATA = "1.2.840.113549.1.7.1";
const SIGNED_DATA = "1.2.840.113549.1.7.2";

pkijs.setEngine("node", new pkijs.CryptoEngine({ name: "node", crypto: webcrypto }));

interface SealingKey {
  key: webcrypto.CryptoKey;
  certificate: Buffer;
}

/** The practice's own; of two that are made at once the first that is stored holds. */
async function sealingKeyOf(ownerId: string): Promise<SealingKey> {
  const stored = (await SealingKeyModel.findById(ownerId).lean()) ?? (await makeKey(ownerId));
  const pkcs8 = openKey(ownerId, stored.keyEnc);
  const key = await webcrypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]);
  return { key, certificate: Buffer.from(stored.certificate.buffer) };
}

async function makeKey(ownerId: string) {
  const parameters = { ...ALGORITHM, modulusLength: KEY_BITS, publicExponent: new Uint8Array([1, 0, 1]) };
  const pair = await webcrypto.subtle.generateKey(parameters, true, ["sign", "verify"]);
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", pair.privateKey));
  const certificate = await certify(pair, await practiceNameOf(ownerId));
  const fields = { ownerId, keyEnc: sealKey(ownerId, pkcs8), certificate, createdAt: now() };
  return SealingKeyModel.findOneAndUpdate(
    { _id: ownerId },
    { $setOnInsert: fields },
    { upsert: true, returnDocument: "after", lean: true },
  ).orFail();
}

async function certify({ privateKey, publicKey }: webcrypto.CryptoKeyPair, practiceName: string): Promise<Buffer> {
  const certificate = new pkijs.Certificate({ version: 2 });
  const serial = webcrypto.getRandomValues(new Uint8Array(16));
  // A positive number, as RFC 5280 section 4.1.2.2 asks.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 1;
  certificate.serialNumber = new Integer({ valueHex: serial.buffer });
  for (const name of [certificate.issuer, certificate.subject])
    name.typesAndValues.push(
      new pkijs.AttributeTypeAndValue({
        type: COMMON_NAME,
        value: new Utf8String({ value: practiceName.slice(0, 64) || "Practice" }),
      }),
    );
  const from = now();
  certificate.notBefore.value = from;
  certificate.notAfter.value = new Date(Date.UTC(from.getUTCFullYear() + YEARS, from.getUTCMonth(), from.getUTCDate()));
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(privateKey, ALGORITHM.hash);
  return Buffer.from(certificate.toSchema(true).toBER());
}

class PracticeSigner extends Signer {
  readonly #own: SealingKey;

  constructor(own: SealingKey) {
    super();
    this.#own = own;
  }

  override async sign(covered: Buffer): Promise<Buffer> {
    const { key, certificate } = this.#own;
    const parsed = pkijs.Certificate.fromBER(certificate);
    const { issuer, serialNumber } = parsed;
    const digest = (bytes: Buffer) => webcrypto.subtle.digest(ALGORITHM.hash, bytes);
    const certificateId = new Sequence({ value: [new OctetString({ valueHex: await digest(certificate) })] });
    const signedAttrs = new pkijs.SignedAndUnsignedAttributes({
      type: 0,
      attributes: [
        attribute(CONTENT_TYPE, new ObjectIdentifier({ value: DATA })),
        attribute(MESSAGE_DIGEST, new OctetString({ valueHex: await digest(covered) })),
        attribute(SIGNING_CERTIFICATE_V2, new Sequence({ value: [new Sequence({ value: [certificateId] })] })),
      ],
    });
    const sid = new pkijs.IssuerAndSerialNumber({ issuer, serialNumber });
    const signed = new pkijs.SignedData({
      version: 1,
      encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: DATA }),
      certificates: [parsed],
      signerInfos: [new pkijs.SignerInfo({ version: 1, sid, signedAttrs })],
    });
    await signed.sign(key, 0, ALGORITHM.hash, covered);
    const content = new pkijs.ContentInfo({ contentType: SIGNED_DATA, content: signed.toSchema(true) });
    return Buffer.from(content.toSchema().toBER());
  }
}

const attribute = (type: string, value: OctetString | ObjectIdentifier | Sequence) =>
  new pkijs.Attribute({ type, values: [value] });

/** The same PDF with the practice's seal of that time, which covers every byte of it; the same bytes each time. */
export async function sealPdf(ownerId: string, pdf: Uint8Array, at: Date): Promise<Buffer> {
  const [own, name] = await Promise.all([sealingKeyOf(ownerId), practiceNameOf(ownerId)]);
  const withRoom = plainAddPlaceholder({
    pdfBuffer: Buffer.from(pdf),
    reason: "Sealed after everybody signed",
    contactInfo: "",
    name,
    location: "",
    signatureLength: SEAL_MAX_BYTES,
    subFilter: SUBFILTER_ETSI_CADES_DETACHED,
    signingTime: at,
  });
  return new SignPdf().sign(withRoom, new PracticeSigner(own), at);
}
