import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { settings } from "./settings.ts";

const KEY_FILE = "secret.key";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const ID_LENGTH = 8;

interface Key {
  /** Names the key in what it sealed, and tells nothing of it. */
  id: string;
  /** Made once: Node takes several times as long for bytes, which it looks at anew each time. */
  secret: KeyObject;
}

let keys: readonly Key[] = [];
let hashKey: KeyObject | undefined;

/**
 * Loads the installation's key: SECRET_KEY, or a file in the data directory made on the first start. Keys of before,
 * named in SECRET_KEY_PREVIOUS, only read.
 */
export async function loadKey(): Promise<void> {
  const current = settings().SECRET_KEY ?? (await readOrMakeKeyFile());
  keys = [current, ...settings().SECRET_KEY_PREVIOUS].map(keyOf);
}

function keyOf(secret: string): Key {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", "evenhand secrets v1", KEY_BYTES));
  const id = createHash("sha256").update("key id").update(bytes).digest("base64url").slice(0, ID_LENGTH);
  return { id, secret: createSecretKey(bytes) };
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

function currentKey(): Key {
  const [current] = keys;
  if (!current) throw new Error("loadKey() was not called");
  return current;
}

/** What stands before everything that the current key sealed. */
export const currentMark = (): string => `v2.${currentKey().id}.`;

/**
 * Encrypts a secret for one place with AES-256-GCM. `place` is `collection:owner:field`: moved to another row or
 * field, the result no longer decrypts. Returns `v2.<key id>.<nonce, tag and ciphertext in base64url>`. A field that
 * holds such a text is named in a `defineSealedField`, so that it is not forgotten when the key changes.
 */
export function encrypt(plain: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", currentKey().secret, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return `${currentMark()}${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
}

/** The inverse of `encrypt`; throws where the text was changed, or belongs to another place or an unknown key. */
export function decrypt(sealed: string, place: string): string {
  const [version, ...parts] = sealed.split(".");
  const [body = "", id] = parts.toReversed();
  const candidates = version === "v1" ? keys : keys.filter((key) => key.id === id);
  // Texts of the first version do not name their key.
  for (const key of candidates.slice(0, -1)) {
    const plain = openOrNull(key, body, place);
    if (plain !== null) return plain;
  }
  const last = candidates.at(-1);
  if (!last) throw new Error("sealed with a key that is not loaded");
  return open(last, body, place);
}

function openOrNull(key: Key, body: string, place: string): string | null {
  try {
    return open(key, body, place);
  } catch {
    return null;
  }
}

function open({ secret }: Key, body: string, place: string): string {
  const sealed = Buffer.from(body, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", secret, sealed.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

/** How a random token is stored: whoever reads the database cannot use it. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** Gives the key of `keyedHash`, which stays when the other one changes: what is hashed cannot be hashed anew. */
export function setHashKey(bytes: Buffer): void {
  hashKey = createSecretKey(bytes);
}

/** How a guessable value (an address, a recovery code) is stored: only this installation can recompute it. */
export function keyedHash(text: string): string {
  if (!hashKey) throw new Error("checkKey() was not called");
  return createHmac("sha256", hashKey).update(text).digest("base64url");
}

/** Of what is handed out and stored nowhere: no change of the key has to reach it, and after one it opens nothing any more. */
export const sealHandedOut = (text: string, place: string): string => encrypt(text, `handed out:${place}`);

/** Throws for whatever was not handed out for this place, or was changed. */
export const openHandedOut = (sealed: string, place: string): string => decrypt(sealed, `handed out:${place}`);
