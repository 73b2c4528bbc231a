// Reads a certificate with its private key as practices get it (PKCS #12, RFC 7292), and says why it cannot seal.
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { BitString } from "asn1js";
import forge from "node-forge";
import * as pkijs from "pkijs";
import { z } from "zod";
import { badField } from "../../core/errors.ts";
import { foreignWork } from "../../core/foreign-work.ts";

const KEY_USAGE = "2.5.29.15";
const EXTENDED_KEY_USAGE = "2.5.29.37";
/** Digital signature or non-repudiation (RFC 5280 section 4.2.1.3), the first two bits. */
const SIGNING_BITS = 0xc0;
const SERVER = "1.3.6.1.5.5.7.3.1";
const RSA_BITS_MIN = 2048;
const CURVES = ["prime256v1", "secp384r1", "secp521r1"];
const CERTIFICATES_MAX = 10;

const inputSchema = z.object({ bytes: z.instanceof(Uint8Array), password: z.string(), at: z.date() });

interface Pfx {
  pkcs8: Uint8Array<ArrayBuffer>;
  /** Its own first, then those that issued each other. */
  certificates: Uint8Array<ArrayBuffer>[];
  subject: string;
  issuer: string;
  startsAt: Date;
  endsAt: Date;
}

export const work = foreignWork(inputSchema, ({ bytes, password, at }): Pfx => {
  const { keys, certificates } = contentsOf(open(bytes, password));
  const [key] = keys;
  if (!key)
    throw badField("file", "There is no private key in this file. Export the certificate anew, with its private key.");
  const own = certificates.find((one) => one.checkPrivateKey(key));
  if (!own)
    throw badField("file", "No certificate in this file belongs to its key. Export both together, and try again.");
  assertSeals(own, key, at);
  return {
    pkcs8: new Uint8Array(key.export({ type: "pkcs8", format: "der" })),
    certificates: chainOf(own, certificates).map(({ raw }) => new Uint8Array(raw)),
    subject: nameOf(own.subject),
    issuer: nameOf(own.issuer),
    startsAt: own.validFromDate,
    endsAt: own.validToDate,
  };
});

function open(bytes: Uint8Array, password: string): forge.pkcs12.Pkcs12Pfx {
  let read: forge.asn1.Asn1;
  try {
    read = forge.asn1.fromDer(Buffer.from(bytes).toString("binary"));
  } catch {
    throw badField("file", "This is no .p12 or .pfx file, or it is damaged. Export the certificate anew.");
  }
  try {
    return forge.pkcs12.pkcs12FromAsn1(read, password);
  } catch (error) {
    if (/password|MAC|decrypt/i.test(String(error)))
      throw badField(
        "password",
        "This password does not open the file. Look at capital and small letters, and try again.",
      );
    throw badField("file", "This file cannot be read. Export the certificate anew as a .p12 or .pfx file.");
  }
}

function contentsOf(pfx: forge.pkcs12.Pkcs12Pfx): { keys: KeyObject[]; certificates: X509Certificate[] } {
  const bags = pfx.safeContents.flatMap(({ safeBags }) => safeBags);
  const keys = bags.filter(
    ({ type }) => type === forge.pki.oids["pkcs8ShroudedKeyBag"] || type === forge.pki.oids["keyBag"],
  );
  const certificates = bags.filter(({ type }) => type === forge.pki.oids["certBag"]);
  return { keys: keys.flatMap(keyOf), certificates: certificates.slice(0, CERTIFICATES_MAX).flatMap(certificateOf) };
}

// What the library understands of a key or a certificate it gives as such, the rest, such as elliptic curves, as it stands.
function keyOf({ key, asn1 }: forge.pkcs12.Bag): KeyObject[] {
  const pkcs8 = key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)) : asn1;
  return pkcs8 ? [createPrivateKey({ key: derOf(pkcs8), format: "der", type: "pkcs8" })] : [];
}

function certificateOf({ cert, asn1 }: forge.pkcs12.Bag): X509Certificate[] {
  const read = cert ? forge.pki.certificateToAsn1(cert) : asn1;
  return read ? [new X509Certificate(derOf(read))] : [];
}

const derOf = (read: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(read).getBytes(), "binary");

function assertSeals(own: X509Certificate, key: KeyObject, at: Date): void {
  const day = (date: Date) => date.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  if (own.validToDate <= at)
    throw badField("file", `This certificate ended on ${day(own.validToDate)}. Ask its issuer for a new one.`);
  if (own.validFromDate > at)
    throw badField("file", `This certificate holds only from ${day(own.validFromDate)}. Add it again from then on.`);
  const { modulusLength = 0, namedCurve = "" } = key.asymmetricKeyDetails ?? {};
  const isStrong = key.asymmetricKeyType === "rsa" ? modulusLength >= RSA_BITS_MIN : CURVES.includes(namedCurve);
  if (!isStrong)
    throw badField(
      "file",
      "Its key is too short, or of a kind that readers of PDFs do not know. Ask for one with RSA 3072.",
    );
  if (!maySign(own))
    throw badField(
      "file",
      "This certificate may not be used to sign documents, such as one of a website. Ask its issuer for one to sign or seal documents with.",
    );
}

function maySign(own: X509Certificate): boolean {
  const { extensions = [] } = pkijs.Certificate.fromBER(own.raw);
  const usage = extensions.find(({ extnID }) => extnID === KEY_USAGE)?.parsedValue;
  const [bits = 0] = usage instanceof BitString ? new Uint8Array(usage.valueBlock.valueHexView) : [SIGNING_BITS];
  const isForServers = own.keyUsage?.length > 0 && own.keyUsage.every((purpose) => purpose === SERVER);
  const hasPurposes = extensions.some(({ extnID }) => extnID === EXTENDED_KEY_USAGE);
  return (bits & SIGNING_BITS) !== 0 && !(hasPurposes && isForServers) && !own.ca;
}

/** Each after whom it issued, as far as they are there. */
function chainOf(own: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = [own];
  for (;;) {
    const last = chain.at(-1);
    const next = last && all.find((one) => !chain.includes(one) && last.checkIssued(one));
    if (!next) return chain;
    chain.push(next);
  }
}

/** What it is called, or all of it where it has no name. */
function nameOf(text: string): string {
  const parts = Object.fromEntries(
    text.split("\n").map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]),
  );
  return (parts["CN"] ?? parts["O"] ?? text.replaceAll("\n", ", ")).slice(0, 200);
}
