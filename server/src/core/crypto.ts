import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { settings } from "./settings.ts";

const KEY_FILE = "secret.key";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

let encryptionKey: Buffer | undefined;

/** Loads the installation's key: SECRET_KEY, or a file in the data directory made on the first start. */
export async function loadKey(): Promise<void> {
  const secret = settings().SECRET_KEY ?? (await readOrMakeKeyFile());
  encryptionKey = Buffer.from(hkdfSync("sha256", secret, "", "evenhand secrets v1", KEY_BYTES));
}

async function readOrMakeKeyFile(): Promise<string> {
  await mkdir(settings().dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(settings().dataDir, KEY_FILE);
  try {
    // wx: two processes that start together must not end up with two keys.
    await writeFile(file, randomBytes(KEY_BYTES).toString("base64"), { mode: 0o600, flag: "wx" });
    await chmod(file, 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFile(file, "utf8");
}

function key(): Buffer {
  if (!encryptionKey) throw new Error("loadKey() was not called");
  return encryptionKey;
}

/**
 * Encrypts a secret for one place with AES-256-GCM. `place` is `collection:owner:field`: moved to another row or
 * field, the result no longer decrypts. Returns `v1.<nonce, tag and ciphertext in base64url>`.
 */
export function encrypt(plain: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key(), nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
}

/** The inverse of `encrypt`; throws where the text was changed or belongs to another place. */
export function decrypt(sealed: string, place: string): string {
  const bytes = Buffer.from(sealed.replace(/^v1\./, ""), "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key(), bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

/** How a random token is stored: whoever reads the database cannot use it. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** How a guessable value (an address, a recovery code) is stored: only this installation can recompute it. */
export const keyedHash = (text: string): string => createHmac("sha256", key()).update(text).digest("base64url");
