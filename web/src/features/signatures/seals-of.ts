// The seals in a PDF, found where their own entries say that they stand: a look at the bytes, without opening it.
import { SEALS_MAX } from "@app/shared/signing-limits";

const BYTE_RANGE = /\/ByteRange\s{0,9}\[\s{0,9}(\d{1,10})\s{1,9}(\d{1,10})\s{1,9}(\d{1,10})\s{1,9}\d{1,10}\s{0,9}\]/g;
const SEAL_MAX_HEX = 200_000;

/** The SHA-256 of each seal, in hex: of its own bytes, and not of the room that was left for it. */
export async function sealsOf(bytes: Uint8Array): Promise<string[]> {
  const text = new TextDecoder("latin1").decode(bytes);
  const hashes = [];
  for (const [, , end, next] of [...text.matchAll(BYTE_RANGE)].slice(0, SEALS_MAX)) {
    const seal = sealAt(text.slice(Number(end), Number(next)));
    if (seal) hashes.push(await hashOf(seal));
  }
  return [...new Set(hashes)];
}

/** Between the signs that its room is held by, and as long as it says itself (X.690, 8.1.3). */
function sealAt(room: string): Uint8Array<ArrayBuffer> | null {
  const hex = room.trim().replace(/^</, "").replace(/>$/, "");
  if (hex.length < 8 || hex.length > SEAL_MAX_HEX || !/^[0-9a-f]+$/i.test(hex)) return null;
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const [, first = 0] = bytes;
  const lengthBytes = first > 0x80 ? first - 0x80 : 0;
  if (lengthBytes > 4) return null;
  const length =
    lengthBytes === 0 ? first : bytes.subarray(2, 2 + lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0);
  return bytes.slice(0, 2 + lengthBytes + length);
}

export const hashOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
