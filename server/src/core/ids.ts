import { randomBytes } from "node:crypto";

const ID_BYTES = 16;
const TOKEN_BYTES = 32;

/** A new document id: 128 random bits, so that no id tells how many there are. */
export const newId = (): string => randomBytes(ID_BYTES).toString("base64url");

/** A secret for a link or a cookie: 256 random bits. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** How many signs such a secret has. */
export const TOKEN_LENGTH = 43;
