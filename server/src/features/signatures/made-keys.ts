// The practice's own key and certificate, made on first use: readers of PDFs say that they do not know its issuer.
import { webcrypto } from "node:crypto";
import { Integer, Utf8String } from "asn1js";
import * as pkijs from "pkijs";
import { now } from "../../core/clock.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import type { SealingKey } from "./seal-certificates.ts";
import { openKey, sealKey, SealingKeyModel } from "./sealing-keys.model.ts";

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const KEY_BITS = 3072;
const YEARS = 15;
const COMMON_NAME = "2.5.4.3";

pkijs.setEngine("node", new pkijs.CryptoEngine({ name: "node", crypto: webcrypto }));

/** Of two that are made at once the first that is stored holds. */
export async function madeSealingKey(ownerId: string): Promise<SealingKey> {
  const stored = (await SealingKeyModel.findById(ownerId).lean()) ?? (await makeKey(ownerId));
  const pkcs8 = openKey(ownerId, stored.keyEnc);
  const key = await webcrypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]);
  return { key, certificates: [Buffer.from(stored.certificate.buffer)] };
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
