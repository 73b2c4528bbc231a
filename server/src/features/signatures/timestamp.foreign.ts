// Reads what a time-stamp server answered (RFC 3161), and takes its token where it is one over what was asked.
import { webcrypto } from "node:crypto";
import { OctetString } from "asn1js";
import * as pkijs from "pkijs";
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";

pkijs.setEngine("node", new pkijs.CryptoEngine({ name: "node", crypto: webcrypto }));

const GRANTED = [0, 1];
const TST_INFO = "1.2.840.113549.1.9.16.1.4";

const inputSchema = z.object({
  answer: z.instanceof(Uint8Array),
  /** What is stamped: the value of a signature. */
  stamped: z.instanceof(Uint8Array),
  nonce: z.string(),
});

export const work = foreignWork(inputSchema, async ({ answer, stamped, nonce }) => {
  const { status, timeStampToken } = pkijs.TimeStampResp.fromBER(new Uint8Array(answer));
  if (!GRANTED.includes(status.status) || !timeStampToken)
    throw new Error(`no time stamp was given (${status.status})`);
  const signed = new pkijs.SignedData({ schema: timeStampToken.content });
  const { eContent, eContentType } = signed.encapContentInfo;
  if (eContentType !== TST_INFO || !(eContent instanceof OctetString)) throw new Error("this is no time stamp");
  const info = pkijs.TSTInfo.fromBER(eContent.getValue());
  if (hexOf(info.nonce?.valueBlock.valueHexView).replace(/^(00)+/, "") !== nonce)
    throw new Error("this time stamp is of something else");
  // Of the digest of what was sent, and by the certificate that it brings.
  const isTrue = await signed.verify({ signer: 0, data: new Uint8Array(stamped).buffer, checkChain: false });
  if (!isTrue) throw new Error("the signature of this time stamp is not true");
  return { token: new Uint8Array(timeStampToken.toSchema().toBER()), at: info.genTime };
});

const hexOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("hex");
