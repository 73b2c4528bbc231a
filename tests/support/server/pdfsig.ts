// What readers outside say of a sealed PDF, and what is in its seal.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { OctetString } from "asn1js";
import * as pkijs from "pkijs";

export const PDFSIG = "/usr/bin/pdfsig";
const TIME_STAMP_TOKEN = "1.2.840.113549.1.9.16.2.14";
const COMMON_NAME = "2.5.4.3";

/** What poppler says of it, as a reader outside would. */
export function pdfsig(bytes: Uint8Array): string {
  const dir = mkdtempSync(path.join(tmpdir(), "evenhand-seal-"));
  try {
    writeFileSync(path.join(dir, "a.pdf"), bytes);
    return execFileSync(PDFSIG, [path.join(dir, "a.pdf")], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The seal itself, whose certificates are in it, the value of its signature and the token over that, if there is one. */
export function stampIn(bytes: Uint8Array) {
  const text = Buffer.from(bytes).toString("latin1");
  const [, , end = "0", next = "0"] = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)/.exec(text) ?? [];
  const room = Buffer.from(text.slice(Number(end) + 1, Number(next) - 1), "hex");
  // As long as it says itself, in two bytes of length.
  const cms = new Uint8Array(room.subarray(0, 4 + room.readUInt16BE(2)));
  const signed = new pkijs.SignedData({ schema: pkijs.ContentInfo.fromBER(cms).content });
  const [signer] = signed.signerInfos;
  const stamp = signer?.unsignedAttrs?.attributes.find(({ type }) => type === TIME_STAMP_TOKEN);
  const certificates = (signed.certificates ?? []).flatMap((one) =>
    one instanceof pkijs.Certificate
      ? one.subject.typesAndValues.filter(({ type }) => type === COMMON_NAME).map(({ value }) => value.valueBlock.value)
      : [],
  );
  const signature =
    signer?.signature instanceof OctetString ? signer.signature.valueBlock.valueHexView : new Uint8Array();
  return { cms, certificates, signature, token: stamp ? new Uint8Array(stamp.values[0].toBER()) : null };
}
