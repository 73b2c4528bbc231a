// A time stamp of somebody else over a seal (RFC 3161): it proves when it was made, also once its certificate is over.
import { createHash, randomBytes } from "node:crypto";
import { request as requestPlain } from "node:http";
import { request } from "node:https";
import { Integer, Null, OctetString } from "asn1js";
import * as pkijs from "pkijs";
import { z } from "zod";
import { outOfTurn } from "../../core/call-turns.ts";
import { INSTALLATION } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import { OUTBOUND_TLS, settingDestination } from "../../core/outbound.ts";
import { settings } from "../../core/settings.ts";
import type { work as workAnswer } from "./timestamp.foreign.ts";

/** Whoever signs last waits for it. */
const LIMIT_MS = 3000;
const READ_MS = 2000;
const ANSWER_MAX_BYTES = 32_768;
const NONCE_BYTES = 8;
const SHA_256 = "2.16.840.1.101.3.4.2.1";

export interface TimeStamp {
  /** As it goes into the signature, in DER. */
  token: Uint8Array;
  at: Date;
}

/** Why there is none; empty words where no server is set. */
export type Stamped = { stamp: TimeStamp } | { stamp: null; why: string };

const readAnswer = defineForeign<typeof workAnswer>({
  file: new URL("./timestamp.foreign.ts", import.meta.url),
  output: z.object({ token: z.instanceof(Uint8Array), at: z.date() }),
  limitMs: READ_MS,
  refuse: (_why, reason) => new Error(`what the server answered is no time stamp of it (${reason.slice(0, 100)})`),
});

/** Asks the server of TIMESTAMP_URL to stamp these bytes. Takes three seconds at most, and throws nothing. */
export async function stampOf(bytes: Uint8Array): Promise<Stamped> {
  const address = settings().TIMESTAMP_URL;
  if (!address) return { stamp: null, why: "" };
  const nonce = randomBytes(NONCE_BYTES);
  // A positive number, without a zero in front.
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 1;
  try {
    const answer = await outOfTurn(() => ask(new URL(address), requestOf(bytes, nonce)));
    const stamp = await readAnswer(INSTALLATION, {
      answer: new Uint8Array(answer),
      stamped: new Uint8Array(bytes),
      nonce: nonce.toString("hex"),
    });
    return { stamp };
  } catch (error) {
    return { stamp: null, why: error instanceof Error ? error.message : String(error) };
  }
}

function requestOf(bytes: Uint8Array, nonce: Buffer): Buffer {
  const asked = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: SHA_256, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: new Uint8Array(createHash("sha256").update(bytes).digest()).buffer }),
    }),
    nonce: new Integer({ valueHex: new Uint8Array(nonce).buffer }),
    certReq: true,
  });
  return Buffer.from(asked.toSchema().toBER());
}

async function ask(url: URL, body: Buffer): Promise<Buffer> {
  const late = AbortSignal.timeout(LIMIT_MS);
  const destination = await settingDestination(url, { asker: INSTALLATION, gone: late });
  if (!destination) throw new Error(`there is no server at ${url.host}`);
  const { address, port, servername } = destination;
  const send = url.protocol === "https:" ? request : requestPlain;
  return new Promise((resolve, reject) => {
    const asked = send({
      method: "POST",
      host: address,
      port,
      ...(url.protocol === "https:" ? { ...OUTBOUND_TLS, ...(servername ? { servername } : {}) } : {}),
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        "content-type": "application/timestamp-query",
        accept: "application/timestamp-reply",
        "content-length": body.length,
        ...(url.username
          ? {
              authorization: `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString("base64")}`,
            }
          : {}),
      },
      signal: late,
    });
    asked.once("error", () =>
      reject(new Error(late.aborted ? "the server did not answer in time" : "the server could not be reached")),
    );
    asked.once("response", (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.once("error", reject);
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        parts.push(part);
        if (bytes > ANSWER_MAX_BYTES) asked.destroy(new Error("it says too much"));
      });
      response.once("end", () =>
        response.statusCode === 200
          ? resolve(Buffer.concat(parts))
          : reject(new Error(`the server answered ${response.statusCode}`)),
      );
    });
    asked.end(body);
  });
}
