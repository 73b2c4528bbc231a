// The signature in a sealed PDF (ETSI EN 319 142-1, PAdES baseline B-B; B-T with a time stamp): a CMS (RFC 5652) over
// all its other bytes.
import { webcrypto } from "node:crypto";
import { ObjectIdentifier, OctetString, Sequence } from "asn1js";
import * as pkijs from "pkijs";
import type { SealingKey } from "./seal-certificates.ts";
import { stampOf, type Stamped } from "./timestamps.ts";

const HASH = "SHA-256";
const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
const TIME_STAMP_TOKEN = "1.2.840.113549.1.9.16.2.14";
const DATA = "1.2.840.113549.1.7.1";
const SIGNED_DATA = "1.2.840.113549.1.7.2";

pkijs.setEngine("node", new pkijs.CryptoEngine({ name: "node", crypto: webcrypto }));

/** Over these bytes, with a time stamp where a server of them is set and answers. */
export async function cmsOver(covered: Buffer, own: SealingKey): Promise<{ cms: Buffer; stamped: Stamped }> {
  const certificates = own.certificates.map((der) => pkijs.Certificate.fromBER(new Uint8Array(der)));
  const [parsed] = certificates;
  const [certificate] = own.certificates;
  if (!parsed || !certificate) throw new Error("there is no certificate to seal with");
  const { issuer, serialNumber } = parsed;
  const digest = (bytes: Buffer) => webcrypto.subtle.digest(HASH, new Uint8Array(bytes));
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
  const signer = new pkijs.SignerInfo({ version: 1, sid, signedAttrs });
  const signed = new pkijs.SignedData({
    version: 1,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: DATA }),
    certificates,
    signerInfos: [signer],
  });
  await signed.sign(own.key, 0, HASH, new Uint8Array(covered));
  const stamped = await stampOf(signer.signature.valueBlock.valueHexView);
  if (stamped.stamp) signer.unsignedAttrs = withStamp(stamped.stamp.token);
  const content = new pkijs.ContentInfo({ contentType: SIGNED_DATA, content: signed.toSchema(true) });
  return { cms: Buffer.from(content.toSchema().toBER()), stamped };
}

const attribute = (type: string, value: OctetString | ObjectIdentifier | Sequence) =>
  new pkijs.Attribute({ type, values: [value] });

const withStamp = (token: Uint8Array) =>
  new pkijs.SignedAndUnsignedAttributes({
    type: 1,
    attributes: [
      new pkijs.Attribute({
        type: TIME_STAMP_TOKEN,
        values: [pkijs.ContentInfo.fromBER(new Uint8Array(token)).toSchema()],
      }),
    ],
  });
